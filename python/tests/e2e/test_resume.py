"""A job that stops at a step and goes on with another number of ranks gives the samples of the uninterrupted one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from e2e import data
from e2e.hosts import Host, Lines, read_lines, samples_by_step

STEPS, STOP = 14, 6


def mixture(folder: Path) -> Path:
    """Three sources of three formats, mixed by samples."""
    sources: dict[str, Any] = {
        "pairs": {"path": data.write_tars(folder, "pairs", 61, 3), "image": "jpg", "text": "txt"},
        "files": {"path": data.write_folder(folder, "files", 37), "image": "jpg", "text": "txt"},
        "lines": {
            "path": data.write_jsonl(folder, "lines", 23),
            "image": "image",
            "text": "conversations",
        },
    }
    return data.write_recipe(
        folder,
        sources=sources,
        mixture={"weights": {"pairs": 5, "files": 2, "lines": 1}},
        process={
            "model": "clip",
            "image": {"side": 32},
            "tokenizer": data.tokenizer(folder, "clip"),
        },
        batch={"samples": 16, "microbatches": 2},
    )


def packs(folder: Path) -> Path:
    """Two sources by tokens in packs, so that samples are carried from step to step."""
    sources: dict[str, Any] = {
        "pairs": {"path": data.write_tars(folder, "pairs", 61, 3), "image": "jpg", "text": "txt"},
        "lines": {
            "path": data.write_jsonl(folder, "lines", 23),
            "image": "image",
            "text": "conversations",
        },
    }
    return data.write_recipe(
        folder,
        sources=sources,
        mixture={"unit": "tokens", "weights": {"pairs": 3, "lines": 2}},
        process={"model": "qwen2_5_vl", "tokenizer": data.tokenizer(folder, "qwen3")},
        batch={"packs": 8, "length": 192},
    )


@pytest.mark.parametrize("make", [mixture, packs])
def test_another_number_of_ranks_goes_on_with_the_same_samples(
    host: Host, tmp_path: Path, make: Any
) -> None:
    recipe = make(tmp_path)
    host.job(recipe, 4, tmp_path / "whole", STEPS)
    whole = samples_by_step(read_lines(tmp_path / "whole", 4))
    assert sorted(whole) == list(range(STEPS))
    host.job(recipe, 4, tmp_path / "first", STOP, every=STOP)
    assert_same(read_lines(tmp_path / "first", 4), whole, range(STOP))
    states = [(tmp_path / f"first-{rank}.state").read_text() for rank in range(4)]
    assert len(set(states)) == 1
    assert len(states[0]) < 4000
    assert json.loads(states[0])["state"]["step"] == STOP
    for ranks in (1, 2, 4, 8):
        out = tmp_path / f"on-{ranks}"
        host.job(recipe, ranks, out, STEPS, state=tmp_path / "first-0.state")
        assert_same(read_lines(out, ranks), whole, range(STOP, STEPS), ranks)
    host.await_nothing_left()


def assert_same(lines: Lines, whole: dict[int, list[Any]], steps: range, ranks: int = 4) -> None:
    """Each step was given to every rank, and all ranks together got the samples of the whole run."""
    assert sorted(lines) == list(steps)
    assert all(len(of_step) == ranks for of_step in lines.values())
    found = samples_by_step(lines)
    for step in steps:
        assert [s[:2] for s in found[step]] == [s[:2] for s in whole[step]], f"step {step}"
        assert found[step] == whole[step], f"step {step}"

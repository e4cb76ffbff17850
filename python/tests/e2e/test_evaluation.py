"""One pass in order: all ranks take the same number of steps; a last batch that is short is padded or dropped."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import headrace
from e2e import data
from e2e.hosts import Host, read_lines

RANKS, BATCH = 4, 8


@pytest.mark.parametrize(("samples", "last"), [(21, "pad"), (21, "drop"), (24, "pad"), (3, "pad")])
def test_one_pass(host: Host, tmp_path: Path, samples: int, last: str) -> None:
    path = data.write_tars(tmp_path, "pairs", samples, shards=3)
    recipe = data.write_recipe(
        tmp_path,
        sources={"pairs": {"path": path, "image": "jpg", "text": "txt"}},
        order="sequential",
        epochs=1,
        last=last,
        batch={"samples": BATCH},
    )
    host.job(recipe, RANKS, tmp_path / "out", 1_000_000)
    lines = read_lines(tmp_path / "out", RANKS)
    steps = -(-samples // BATCH) if last == "pad" else samples // BATCH
    assert sorted(lines) == list(range(steps))
    assert all(sorted(line["rank"] for line in found) == [0, 1, 2, 3] for found in lines.values())
    for step, found in lines.items():
        assert [len(line["samples"]) for line in found] == [BATCH // RANKS] * RANKS
        ids = {s["id"][1] for line in found for s in line["samples"] if s["valid"]}
        assert ids == set(range(step * BATCH, min(samples, (step + 1) * BATCH)))
    every = [s for found in lines.values() for line in found for s in line["samples"]]
    valid = Counter(s["id"][1] for s in every if s["valid"])
    assert set(valid.values()) == {1}
    assert len(valid) == (samples if last == "pad" else samples // BATCH * BATCH)
    padding = [s for s in every if not s["valid"]]
    assert len(padding) == (steps * BATCH - samples if last == "pad" else 0)
    host.await_nothing_left()


@pytest.mark.parametrize(("last", "steps"), [("pad", 8), ("drop", 7)])
def test_a_pass_knows_its_length(host: Host, tmp_path: Path, last: str, steps: int) -> None:
    """Two passes over 13 and 17 samples, eight a step."""
    sources = {}
    for name, samples in (("few", 13), ("more", 17)):
        sources[name] = {"path": data.write_tars(tmp_path, name, samples), "image": "jpg"}
    recipe = data.write_recipe(
        tmp_path,
        sources=sources,
        mixture={"weights": {"few": 1, "more": 2}, "exhausted": "stop_all"},
        epochs=2,
        last=last,
        batch={"samples": BATCH},
    )
    with headrace.open(str(recipe), 0, 1, job=f"length-{last}", start_timeout=120) as loader:
        assert len(loader) == steps
        assert len([batch.step for batch in loader]) == steps
    host.await_nothing_left()

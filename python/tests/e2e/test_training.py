"""Training with torch: four ranks under torchrun, and a DataLoader."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from e2e import data
from e2e.hosts import HERE, RUN_SECONDS, Host

torch = pytest.importorskip("torch")

RANKS, STEPS = 4, 30


def recipe(folder: Path) -> Path:
    """Pairs of pictures and captions, few enough to be learnt by heart."""
    path = data.write_folder(folder, "pairs", 16)
    return data.write_recipe(
        folder,
        sources={"pairs": {"path": path, "image": "jpg", "text": "txt"}},
        process={
            "model": "clip",
            "image": {"side": 32},
            "tokenizer": data.tokenizer(folder, "clip"),
        },
        batch={"samples": 16},
    )


def test_a_small_clip_learns_on_four_ranks(host: Host, tmp_path: Path) -> None:
    losses = tmp_path / "losses.json"
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    command += ["--nproc-per-node", str(RANKS), str(HERE / "clip_ranks.py")]
    command += [str(recipe(tmp_path)), str(STEPS), str(losses)]
    run = subprocess.run(
        command, env=host.environment(), capture_output=True, text=True, timeout=RUN_SECONDS
    )
    assert run.returncode == 0, run.stderr + host.told()
    found = json.loads(losses.read_text())
    assert len(found) == STEPS
    assert all(0 < loss < 10 for loss in found)
    assert sum(found[-5:]) < 0.8 * sum(found[:5]), found
    assert len(list(host.runtime.glob("*.log"))) == 1
    host.await_nothing_left()


def test_a_data_loader_stops_and_goes_on(host: Host, tmp_path: Path) -> None:
    from headrace.torch import dataset

    file = recipe(tmp_path)
    whole = dataset(str(file), rank=0, world_size=1, job="whole", start_timeout=120)
    want = read(whole, 8)
    whole.close()
    first = dataset(str(file), rank=0, world_size=1, job="first", start_timeout=120)
    got = read(first, 3)
    state = json.loads(json.dumps(first.state_dict()))
    first.close()
    second = dataset(str(file), rank=0, world_size=1, job="second", start_timeout=120)
    second.load_state_dict(state)
    got += read(second, 5)
    second.close()
    assert len(got) == len(want) == 8
    for left, right in zip(want, got):
        assert all(torch.equal(a, b) for a, b in zip(left, right))
    host.await_nothing_left()


def read(data_set: Any, steps: int) -> list[tuple[Any, Any]]:
    """Ids and pictures of the next steps, through a DataLoader without workers."""
    batches = iter(torch.utils.data.DataLoader(data_set, batch_size=None, num_workers=0))
    found = []
    for _ in range(steps):
        batch = next(batches)
        found.append((batch["sample_ids"].clone(), batch["pixel_values"].clone()))
    return found

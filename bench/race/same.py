"""Whether both sides make the same: Headrace's first batch beside the baseline's of the same samples, for ``./headrace bench --same``."""

from __future__ import annotations

import os
import time
from typing import Any

import numpy as np
from cells import DATA, write_recipe
from workload import Workload

import headrace

# Text of a sample; all else are media.
TEXT = ("input_ids", "labels")


def compare(name: str) -> list[str]:
    """A line for each tensor: its shape and the largest difference."""
    import baseline

    workload = Workload.read(name)
    changes = {
        "topology": {"dp": 1},
        "plan": {"balance": {"method": "round_robin"}},
        "batch": {"samples": 8} if workload.length == 0 else {"packs": 2},
    }
    recipe = write_recipe(workload, {"recipe": changes}, DATA / f"{name}-same.yaml")
    files = baseline.Files(name)
    with headrace.open(
        str(recipe), 0, 1, job=f"bench-{os.getpid()}-{time.monotonic_ns()}", start_timeout=300
    ) as loader:
        batch = next(loader).microbatches[0]
        numbers = [int(index) for _, index in np.asarray(batch["sample_ids"])]
        samples = [files.sample(number) for number in numbers]
        lines = []
        for tensor in sorted({key for sample in samples for key in sample}):
            parts = [s[tensor].numpy() for s in samples if tensor in s]
            ours = np.asarray(batch[tensor])
            if tensor in TEXT:
                ours = _valid(ours, batch)
            lines.append(_line(f"{name} {tensor}", ours, np.concatenate(parts)))
    return lines


def _valid(ids: Any, batch: Any) -> Any:
    """The texts of all samples one after the other."""
    mask = "attention_mask" if "attention_mask" in batch else "segment_ids"
    return ids[np.asarray(batch[mask]) > 0]


def _line(name: str, ours: Any, theirs: Any) -> str:
    if ours.shape != theirs.shape:
        return f"{name}: shapes {list(ours.shape)} and {list(theirs.shape)} DIFFER"
    off = np.abs(ours.astype(np.float64) - theirs.astype(np.float64))
    return f"{name} {list(ours.shape)}: largest difference {off.max():.3g}, mean {off.mean():.2g}"

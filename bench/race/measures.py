"""The definitions of the race: what is a miss, what a cell reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

RANKS = 8

# A rank misses its deadline, the exit of the barrier before, when it then waits longer.
MISS_SECONDS = 0.002

# Steps of which a cell keeps the longest wait and window, for the timeline.
TIMELINE_STEPS = 40


@dataclass(frozen=True)
class StepRecord:
    """One step of one rank, in seconds: the wait for its batch, and the compute window that its batch took."""

    rank: int
    step: int
    wait: float
    window: float
    tokens: float


def summary(records: list[StepRecord], seconds: float) -> dict[str, Any]:
    """The figures of a cell, warm-up left out."""
    steps = sorted({r.step for r in records})
    waits = np.array([r.wait for r in records])
    by_step = [[r for r in records if r.step == step] for step in steps]
    largest = [max(r.wait for r in of_step) for of_step in by_step]
    windows = [max(r.window for r in of_step) for of_step in by_step]
    uneven = [
        max(r.window for r in of_step) / np.mean([r.window for r in of_step]) for of_step in by_step
    ]
    return {
        "steps": len(steps),
        "seconds": seconds,
        "steps_per_second": len(steps) / seconds,
        "tokens_per_second": sum(r.tokens for r in records) / seconds,
        "miss_rate": float((waits > MISS_SECONDS).mean()),
        "wait_p50_ms": float(np.percentile(waits, 50) * 1e3),
        "wait_p95_ms": float(np.percentile(waits, 95) * 1e3),
        "wait_p99_ms": float(np.percentile(waits, 99) * 1e3),
        "stall_share": float(sum(largest) / seconds),
        "imbalance": float(np.mean(uneven)),
        "timeline_ms": [
            [round(wait * 1e3, 1), round(window * 1e3, 1)]
            for wait, window in zip(largest[:TIMELINE_STEPS], windows, strict=False)
        ],
    }


def times_faster(ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> list[float]:
    """Ratios of the steps a second, each of two cells of the same repeat, which ran one after the other."""
    by_repeat = {cell["repeat"]: cell["steps_per_second"] for cell in theirs}
    return [
        cell["steps_per_second"] / by_repeat[cell["repeat"]]
        for cell in ours
        if cell["repeat"] in by_repeat
    ]

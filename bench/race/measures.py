"""The definitions of the race: what a batch costs the accelerator, what is a miss, what a cell reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

RANKS = 8
WARM_UP = 20

# A rank misses its deadline, the exit of the barrier before, when it then waits longer.
MISS_SECONDS = 0.002

PATCH_PAIR = 2e-5
TOKEN_PAIR = 1e-5
PATCHES_A_TOKEN = 4
VIDEOMAE_PATCHES = 1568
LEAST_COST = 200.0


@dataclass(frozen=True)
class StepRecord:
    """One step of one rank, in seconds: the wait for its batch, and the compute window that its batch took."""

    rank: int
    step: int
    wait: float
    window: float
    samples: int
    tokens: float


def patches(batch: Mapping[str, Any]) -> Floats:
    """Encoder positions of each medium of a batch, from the tensors that say so; any loader names them as the processors do."""
    found = [
        np.asarray(batch[name], dtype=np.float64).prod(axis=1)
        for name in ("image_grid_thw", "video_grid_thw", "spatial_shapes")
        if name in batch
    ]
    if "feature_attention_mask" in batch:
        # The second convolution has stride 2, and pooling makes 25 tokens a second of 50 positions.
        found.append(np.asarray(batch["feature_attention_mask"]).sum(axis=1) / 2.0)
    if not found:
        found.append(np.full(len(batch["pixel_values"]), float(VIDEOMAE_PATCHES)))
    return np.concatenate(found)


def cost(patches_of_media: Floats) -> float:
    """Cost of a batch: c0 + sum(p + 2e-5 p^2 + t + 1e-5 t^2) with t = p / 4, as in the recipes' ``plan.cost``."""
    tokens = patches_of_media / PATCHES_A_TOKEN
    own = patches_of_media + PATCH_PAIR * patches_of_media**2 + tokens + TOKEN_PAIR * tokens**2
    return LEAST_COST + float(own.sum())


def summary(records: list[StepRecord], seconds: float) -> dict[str, float]:
    """The figures of a cell, warm-up left out."""
    steps = sorted({r.step for r in records})
    waits = np.array([r.wait for r in records])
    by_step = [[r for r in records if r.step == step] for step in steps]
    largest = [max(r.wait for r in of_step) for of_step in by_step]
    uneven = [
        max(r.window for r in of_step) / np.mean([r.window for r in of_step]) for of_step in by_step
    ]
    return {
        "steps": len(steps),
        "seconds": seconds,
        "steps_per_second": len(steps) / seconds,
        "samples_per_second": sum(r.samples for r in records) / seconds,
        "tokens_per_second": sum(r.tokens for r in records) / seconds,
        "miss_rate": float((waits > MISS_SECONDS).mean()),
        "wait_p50_ms": float(np.percentile(waits, 50) * 1e3),
        "wait_p95_ms": float(np.percentile(waits, 95) * 1e3),
        "wait_p99_ms": float(np.percentile(waits, 99) * 1e3),
        "stall_share": float(sum(largest) / seconds),
        "imbalance": float(np.mean(uneven)),
    }

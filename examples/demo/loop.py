"""What a rank measures of its steps, and how heavy a batch is: the definitions of the demo's figures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

import headrace

Ints = npt.NDArray[np.int64]

# The cost of a rank's batch is that of the recipes' `plan.cost`; an accelerator that takes so long for it is emulated by sleeping.
LEAST_WINDOW_SECONDS = 0.02
WINDOW_SECONDS_PER_COST = 1.5e-5
PATCH_PAIR_COST = 2e-5
TOKEN_PAIR_COST = 1e-5

# A rank misses its deadline when it then waits longer than this.
MISS_SECONDS = 0.002


@dataclass(frozen=True)
class Load:
    """What a rank got for a step: valid samples and their tokens, patches, and the compute window that follows, in seconds."""

    samples: int
    tokens: int
    patches: int
    window_seconds: float


@dataclass(frozen=True)
class StepRecord:
    """One step of one rank. Times are seconds of the host's monotonic clock, which is the same for all processes.

    ``begun`` is when the rank left the barrier of the step before, which is the deadline of this step's batch; ``ended`` is when it came
    to the barrier of this step.
    """

    rank: int
    step: int
    begun: float
    wait_seconds: float
    ended: float
    load: Load


def window_seconds(patches: Ints, tokens: Ints) -> float:
    """The compute window g of a batch, from the patches of each picture and the tokens of each sample.

    g = c0 + c * (sum(p + 2e-5 p^2) + sum(t + 1e-5 t^2)): linear terms for the matrix products, quadratic ones for the attention.
    """
    p, t = patches.astype(np.float64), tokens.astype(np.float64)
    cost = (p + PATCH_PAIR_COST * p * p).sum() + (t + TOKEN_PAIR_COST * t * t).sum()
    return LEAST_WINDOW_SECONDS + WINDOW_SECONDS_PER_COST * float(cost)


def load_of(microbatches: Iterable[headrace.Microbatch]) -> Load:
    """What lies in the microbatches that a rank really got."""
    samples, patches, tokens = 0, [], []
    valid_tokens = 0
    for microbatch in microbatches:
        valid = microbatch["sample_valid"].astype(bool)
        lengths = microbatch["sample_places"][:, 2].astype(np.int64)
        samples += int(valid.sum())
        valid_tokens += int(lengths[valid].sum())
        tokens.append(lengths)
        patches.append(microbatch["image_grid_thw"].prod(axis=1))
    all_patches, all_tokens = np.concatenate(patches), np.concatenate(tokens)
    window = window_seconds(all_patches, all_tokens)
    return Load(samples, valid_tokens, int(all_patches.sum()), window)

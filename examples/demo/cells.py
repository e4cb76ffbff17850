"""One batch taken apart again: pictures re-made from ``pixel_values``, and the ids of each sample with its place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import headrace

Pixels = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]

# Qwen2.5-VL's processor: mean and deviation of the channels, side of a patch, patches merged to a token across and down, frames of a patch.
MEAN = np.array([0.48145466, 0.4578275, 0.40821073], np.float32)
DEVIATION = np.array([0.26862954, 0.26130258, 0.27577711], np.float32)
PATCH, MERGE, FRAMES = 14, 2, 2
IMAGE_PAD = 151655


@dataclass(frozen=True)
class Cell:
    """A sample of a batch, as the rank got it.

    ``source`` counts the recipe's sources and ``index`` the samples of that source. ``row`` and ``offset`` are its place in the
    microbatch's ``input_ids``, in tokens. ``pictures`` are uint8 arrays [height, width, 3]; ``ids`` and ``labels`` int64 [tokens].
    """

    rank: int
    step: int
    microbatch: int
    row: int
    offset: int
    source: int
    index: int
    valid: bool
    ids: Ints
    labels: Ints
    pictures: tuple[Pixels, ...]

    @property
    def image_tokens(self) -> int:
        """Tokens that stand for pictures."""
        return int((self.ids == IMAGE_PAD).sum())


def levels(pixel_values: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """Levels of 0 to 255 from values on the wire: float32, bfloat16 (as uint16 bits) or uint8; [patches, 1176] to the same shape."""
    if pixel_values.dtype == np.uint8:
        return pixel_values.astype(np.float32)
    if pixel_values.dtype == np.uint16:
        pixel_values = (pixel_values.astype(np.uint32) << 16).view(np.float32)
    channels = pixel_values.reshape(len(pixel_values), 3, -1)
    normal = channels * DEVIATION[None, :, None] + MEAN[None, :, None]
    result: npt.NDArray[np.float32] = (normal * 255).reshape(pixel_values.shape)
    return result


def picture(pixel_values: npt.NDArray[Any], down: int, across: int) -> Pixels:
    """The picture [14 down, 14 across, 3] from its patches [down * across, 1176] in the processor's order.

    Patches come in squares of 2 x 2 that make a token; a patch is [channel, frame, y, x], and both frames of a still picture are equal.
    """
    shape = (down // MERGE, across // MERGE, MERGE, MERGE, 3, FRAMES, PATCH, PATCH)
    patches = levels(pixel_values).reshape(shape)[:, :, :, :, :, 0]
    # block y, block x, patch y, patch x, channel, y, x
    upright = patches.transpose(0, 2, 5, 1, 3, 6, 4).reshape(down * PATCH, across * PATCH, 3)
    return np.clip(np.rint(upright), 0, 255).astype(np.uint8)


def cells(batch: headrace.Batch) -> Iterator[Cell]:
    """All samples of a rank's batch, in the order of their places. Copies what it gives."""
    for number, microbatch in enumerate(batch.microbatches):
        yield from _cells(batch, number, microbatch)


def _cells(batch: headrace.Batch, number: int, microbatch: headrace.Microbatch) -> Iterator[Cell]:
    grids = microbatch["image_grid_thw"]
    bounds = np.concatenate([[0], np.cumsum(grids.prod(axis=1))])
    ids, labels, values = (microbatch[name] for name in ("input_ids", "labels", "pixel_values"))
    image = 0
    for place, sample, valid in zip(
        microbatch["sample_places"],
        microbatch["sample_ids"],
        microbatch["sample_valid"],
        strict=True,
    ):
        row, offset, length = map(int, place)
        own = ids[row, offset : offset + length].copy()
        first, left = image, int((own == IMAGE_PAD).sum())
        while left > 0:
            left -= int(grids[image].prod()) // MERGE**2
            image += 1
        pictures = tuple(
            picture(values[bounds[i] : bounds[i + 1]], int(grids[i][1]), int(grids[i][2]))
            for i in range(first, image)
        )
        yield Cell(
            rank=batch.rank,
            step=batch.step,
            microbatch=number,
            row=row,
            offset=offset,
            source=int(sample[0]),
            index=int(sample[1]),
            valid=bool(valid),
            ids=own,
            labels=labels[row, offset : offset + length].copy(),
            pictures=pictures,
        )

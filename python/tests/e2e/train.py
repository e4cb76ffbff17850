"""A rank of a training job, as a process: writes one JSON line a step with what it got.

python train.py RECIPE RANK WORLD_SIZE OUT STEPS [--state FILE] [--job NAME] [--every N] [--option X]...

A line is {step, ids: [[source, index], ...], valid: [...], hashes: {tensor: digest}} with the samples sorted by id and each tensor's
rows in that order where it has one row a sample, so that it does not depend on which rank or place got a sample; ``whole`` is a digest
of all tensors as they lay in the batch. ``--every N`` writes the state after each N steps to ``OUT.state`` as a checkpoint.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import time
from pathlib import Path
from typing import Any

import numpy as np

import headrace


def digest(*arrays: Any) -> str:
    """A short hash of the bytes of arrays."""
    found = hashlib.blake2b(digest_size=8)
    for array in arrays:
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()


def samples(batch: headrace.Batch) -> list[dict[str, Any]]:
    """Every sample of a batch with its id, whether it is valid, and a hash of each of its tensors."""
    found = []
    for microbatch in batch.microbatches:
        ids = microbatch["sample_ids"]
        places = microbatch["sample_places"]
        pictures = _picture_rows(microbatch)
        for n, (source, index) in enumerate(ids.tolist()):
            row, first, length = places[n].tolist()
            tokens = slice(first, first + length)
            hashes = {}
            for name in microbatch:
                tensor = microbatch[name]
                if name in ("input_ids", "labels", "attention_mask"):
                    hashes[name] = digest(tensor[row, tokens])
                elif name == "position_ids":
                    hashes[name] = digest(tensor[..., row, tokens])
                elif name == "pixel_values" and pictures is not None:
                    hashes[name] = digest(tensor[pictures[n]])
                elif name in ("pixel_values", "spatial_shapes", "pixel_attention_mask"):
                    hashes[name] = digest(tensor[n])
            valid = int(microbatch["sample_valid"][n])
            found.append({"id": [source, index], "valid": valid, "hashes": hashes})
    return sorted(found, key=lambda sample: (sample["id"], sample["valid"]))


def _picture_rows(microbatch: headrace.Microbatch) -> list[slice] | None:
    """Rows of ``pixel_values`` by sample, one picture each, where they are laid end to end."""
    if "image_grid_thw" not in microbatch:
        return None
    ends = np.cumsum(np.prod(microbatch["image_grid_thw"], axis=1)).tolist()
    return [slice(first, end) for first, end in zip([0, *ends], ends)]


def line(batch: headrace.Batch) -> dict[str, Any]:
    """What a rank tells of a batch."""
    whole = digest(*(microbatch[name] for microbatch in batch.microbatches for name in microbatch))
    return {"step": batch.step, "rank": batch.rank, "samples": samples(batch), "whole": whole}


def write_whole(file: Path, text: str) -> None:
    """Writes a file so that a kill leaves the old one or the new one."""
    fresh = file.with_suffix(f".{os.getpid()}")
    fresh.write_text(text)
    fresh.replace(file)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("recipe")
    parser.add_argument("rank", type=int)
    parser.add_argument("world_size", type=int)
    parser.add_argument("out", type=Path)
    parser.add_argument("steps", type=int)
    parser.add_argument("--state", type=Path)
    parser.add_argument("--job")
    parser.add_argument("--every", type=int, default=0)
    parser.add_argument("--pause", type=float, default=0.0)
    parser.add_argument("--option", action="append", default=[])
    given = parser.parse_args()
    with (
        headrace.open(
            given.recipe,
            given.rank,
            given.world_size,
            job=given.job,
            options=tuple(given.option),
            start_timeout=120,
            timeout=120,
        ) as loader,
        given.out.open("a") as out,
    ):
        if given.state is not None and given.state.exists():
            loader.load_state_dict(json.loads(given.state.read_text()))
        while loader.step < given.steps:
            batch = next(loader, None)
            if batch is None:
                break
            out.write(json.dumps(line(batch)) + "\n")
            out.flush()
            if given.pause:
                time.sleep(given.pause)
            if given.every and loader.step % given.every == 0:
                state = json.dumps(loader.state_dict())
                write_whole(given.out.with_suffix(".state"), state)


if __name__ == "__main__":
    main()

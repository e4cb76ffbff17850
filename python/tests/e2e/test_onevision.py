"""LLaVA-OneVision from files to the tensors of a rank: one picture, several, and a video in one job."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import headrace
from e2e import data
from e2e.hosts import Host

MEDIA = data.REPOSITORY / "media/src/test/resources"
ALONE = "exif/photos/no_exif.jpg"
SEVERAL = ("exif/photos/DSCN0010.jpg", "exif/photos/no_exif.jpg", "exif/landscape_6.jpg")
CLIP = "torchcodec/nasa_13013.mp4"

# SHA-256 of the float32 tensors of LlavaOnevisionImageProcessor (alone, and of three in a sample) and LlavaOnevisionVideoProcessor (32
# frames) of transformers 5.24 with the mean and deviation of SigLIP, and the tokens that LlavaOnevisionProcessor counts.
ALONE_SHA = "6d8cc61e7deac18af9ac1fbd7c0aa2b2bd0dc01f29ccea9a4714e760dce8aeaa"
SEVERAL_SHA = (
    "841a9b6ba0f3577c1410a8852ecd21223ce0af97da306097db734c5bdc0aec4a",
    "2276bdb98931b0cea984b5adfe23e49a7c585c9df7a4b6703fc268551d6c112b",
    "46dd80bcf7b328b0670ef143093b25afb4a57bf6759c59f182e68a33b0fddad5",
)
CLIP_SHA = "0f07c2712822e4f791e6e2cdd8462d230d67002612d55dfaf85f81e6a676e6d0"
ALONE_TOKENS, BROKEN_TOKENS = 1849, 2929
SEVERAL_TOKENS = 3 * (729 + 1)
CLIP_TOKENS = 32 * 14 * 14 + 1
TILES = (3, 3, 0, 5)
PICTURES = (1, 3, 0, 1)


def sha256(array: Any) -> str:
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()


def mix(folder: Path, wire: str, **keys: Any) -> Path:
    """A sample of one picture, one of three, one of a video, and one of a picture that is cut off."""
    (folder / "media").mkdir()
    for name in (*SEVERAL, CLIP):
        kind = "videos" if name == CLIP else "pictures"
        shutil.copyfile(MEDIA / kind / name, folder / "media" / Path(name).name)
    whole = (folder / "media" / "DSCN0010.jpg").read_bytes()
    (folder / "media" / "cut.jpg").write_bytes(whole[:-30_000])
    samples = [
        {"image": [ALONE], "value": "<image>\nWhat is it?"},
        {"image": list(SEVERAL), "value": "<image>, <image> or <image>?"},
        {"video": [CLIP], "value": "<video>\nWhat happens?"},
        {"image": ["cut.jpg"], "value": "<image>\nWhat is it?"},
    ]
    lines = []
    for number, sample in enumerate(samples):
        value = sample.pop("value")
        media = {kind: [f"media/{Path(n).name}" for n in names] for kind, names in sample.items()}
        turns = [{"from": "human", "value": value}, {"from": "gpt", "value": f"Number {number}."}]
        lines.append({"id": f"{number}", **media, "conversations": turns})
    (folder / "list.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return data.write_recipe(
        folder,
        sources={"mix": {"path": "list.jsonl", "text": "conversations"}},
        process={
            "model": "llava_onevision",
            "tokenizer": data.llava_tokenizer(folder),
            "wire": wire,
        },
        order="sequential",
        epochs=1,
        **{"batch": {"samples": len(lines)}, **keys},
    )


def check(batch: dict[str, Any], tokenizer: Path) -> None:
    """Every value against the reference, whatever the order of the samples."""
    added = json.loads(tokenizer.read_text())["added_tokens"]
    image, video = (token["id"] for token in added[-2:])
    order = [int(index) for _, index in batch["sample_ids"]]
    assert batch["batch_num_images"].tolist() == [PICTURES[number] for number in order]
    assert batch["pixel_values"].shape == (sum(TILES), 3, 384, 384)
    assert batch["pixel_values_videos"].shape == (1, 32, 3, 384, 384)
    assert sha256(batch["pixel_values_videos"][0]) == CLIP_SHA
    sizes = {0: [[466, 322]], 1: [[480, 640], [466, 322], [450, 600]], 2: [], 3: [[480, 640]]}
    assert batch["image_sizes"].tolist() == [size for number in order for size in sizes[number]]
    counts = {0: [3], 1: [1, 1, 1], 2: [], 3: [5]}
    assert batch["num_patches"].tolist() == [n for number in order for n in counts[number]]
    tokens = {0: ALONE_TOKENS, 1: SEVERAL_TOKENS, 2: CLIP_TOKENS, 3: BROKEN_TOKENS}
    at = 0
    for row, number in enumerate(order):
        part = batch["pixel_values"][at : at + TILES[number]]
        at += TILES[number]
        assert batch["sample_valid"][row] == (number < 3)
        if number == 0:
            assert sha256(part) == ALONE_SHA
        elif number == 1:
            assert tuple(sha256(tile) for tile in part) == SEVERAL_SHA
        elif number == 3:
            assert not part.any()
        pack, offset, length = batch["sample_places"][row]
        ids = batch["input_ids"][pack, offset : offset + length]
        assert (ids == (video if number == 2 else image)).sum() == tokens[number]
        labels = batch["labels"][pack, offset : offset + length]
        assert (labels != -100).any() == (number < 3)


@pytest.mark.parametrize("packed", [False, True])
def test_pictures_tiles_and_videos_of_one_job(host: Host, tmp_path: Path, packed: bool) -> None:
    keys = {"batch": {"packs": 1, "length": 16_384}} if packed else {}
    recipe = mix(tmp_path, "float32", **keys)
    with headrace.open(str(recipe), 0, 1, job="onevision", start_timeout=120) as loader:
        (batch,) = (b.microbatches[0].copy() for b in loader)
    check(batch, tmp_path / "llava.json")
    assert ("position_ids" in batch) == packed
    host.await_nothing_left()


def test_levels_become_the_same_values(host: Host, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    recipe = mix(tmp_path, "uint8")
    with headrace.open(str(recipe), 0, 1, job="levels", start_timeout=120) as loader:
        tensors = next(iter(loader)).microbatches[0].torch()
        batch = {name: value.clone().numpy() for name, value in tensors.items()}
    check(batch, tmp_path / "llava.json")
    host.await_nothing_left()

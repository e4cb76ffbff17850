"""Pictures of native size from files to the tensors of ranks: the values of the Hugging Face processors and their places in the text."""

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

PICTURES = data.REPOSITORY / "media/src/test/resources/pictures"

# SHA-256 of the whole float32 pixel_values that the processors of transformers 5.24 give.
QWEN3 = {
    "exif/photos/DSCN0010.jpg": "5901162db8e4f5eaef1c205ae7b6955d191059388d8f8a1d2701d4cb93f3bc8e",
    "exif/photos/no_exif.jpg": "f09235461cee0a28e6d4e77293abf99f0908c189adc8ea7ba14d6ac62cb7e54c",
}
INTERN = {
    "exif/photos/DSCN0010.jpg": "fcf6652173a288e3787ed632388bbc6ff6c494c813623fa581c0417b7f50bad8",
    "exif/photos/no_exif.jpg": "5f141b849064dd8c8b0672f552f3d373585663f3686c632f90d6cba6e6daf4f8",
}


def sha256(array: Any) -> str:
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()


def batch_of(
    folder: Path, model: str, tokenizer: str, names: list[str], **keys: Any
) -> dict[str, Any]:
    """One sample about each picture, and one about a picture that is cut off."""
    (folder / "pictures").mkdir()
    lines = []
    for number, name in enumerate([*names, names[0]]):
        path = folder / "pictures" / f"{number}.jpg"
        shutil.copyfile(PICTURES / name, path)
        if number == len(names):
            path.write_bytes(path.read_bytes()[:-30_000])
        turns = [
            {"from": "human", "value": "<image>\nWhat is it?"},
            {"from": "gpt", "value": f"Number {number}."},
        ]
        lines.append({"id": f"{number}", "image": f"pictures/{number}.jpg", "conversations": turns})
    (folder / "list.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    recipe = data.write_recipe(
        folder,
        sources={"talks": {"path": "list.jsonl", "text": "conversations"}},
        process={"model": model, "tokenizer": tokenizer},
        order="sequential",
        epochs=1,
        **{"batch": {"samples": len(lines)}, **keys},
    )
    with headrace.open(str(recipe), 0, 1, job=model, start_timeout=120) as loader:
        (batch,) = (b.microbatches[0].copy() for b in loader)
    copied: dict[str, Any] = batch
    return copied


def places(batch: dict[str, Any]) -> list[int]:
    """Numbers of the samples in the order of the batch."""
    return [int(index) for _, index in batch["sample_ids"]]


def test_qwen3_vl_gets_patches_of_16(host: Host, tmp_path: Path) -> None:
    tokenizer = data.tokenizer(tmp_path, "qwen3")
    batch = batch_of(tmp_path, "qwen3_vl", tokenizer, list(QWEN3))
    patches = [1200, 600, 1200]
    assert batch["pixel_values"].shape == (sum(patches), 1536)
    at = 0
    for row, number in enumerate(places(batch)):
        part = batch["pixel_values"][at : at + patches[number]]
        at += patches[number]
        valid = number < 2
        assert batch["sample_valid"][row] == valid
        assert not valid or sha256(part) == list(QWEN3.values())[number]
        assert valid or not part.any()
        _, height, width = batch["image_grid_thw"][row]
        assert height * width == patches[number]
        assert (batch["input_ids"][row] == 151655).sum() == patches[number] // 4
        assert (batch["labels"][row] != -100).any() == valid
    assert batch["position_ids"].shape == (3, *batch["input_ids"].shape)
    host.await_nothing_left()


@pytest.mark.parametrize("packed", [False, True])
def test_internvl_gets_tiles_and_the_whole_picture(
    host: Host, tmp_path: Path, packed: bool
) -> None:
    tokenizer = data.internvl_tokenizer(tmp_path)
    added = json.loads((tmp_path / tokenizer).read_text())["added_tokens"]
    start, end, context = (token["id"] for token in added[-3:])
    keys = {"batch": {"packs": 1, "length": 12_000}} if packed else {}
    batch = batch_of(tmp_path, "internvl", tokenizer, list(INTERN), **keys)
    tiles = [13, 7, 13]
    assert batch["pixel_values"].shape == (sum(tiles), 3, 448, 448)
    order = places(batch)
    assert batch["num_patches"].tolist() == [tiles[number] for number in order]
    at = 0
    for row, number in enumerate(order):
        part = batch["pixel_values"][at : at + tiles[number]]
        at += tiles[number]
        valid = number < 2
        assert batch["sample_valid"][row] == valid
        assert not valid or sha256(part) == list(INTERN.values())[number]
        assert valid or not part.any()
        pack, offset, length = batch["sample_places"][row]
        ids = batch["input_ids"][pack, offset : offset + length]
        assert (ids == context).sum() == 256 * tiles[number]
        first = int(np.argmax(ids == context))
        assert ids[first - 1] == start
        assert ids[first + 256 * tiles[number]] == end
        labels = batch["labels"][pack, offset : offset + length]
        assert (labels != -100).any() == valid
    assert ("position_ids" in batch) == packed
    host.await_nothing_left()

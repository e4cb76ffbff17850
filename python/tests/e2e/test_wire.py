"""The same pictures as float32, as levels that the rank normalises, and as bfloat16."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import headrace
from e2e import data
from e2e.hosts import Host

torch = pytest.importorskip("torch")

STEPS = 4
MODELS: dict[str, dict[str, Any]] = {
    "clip": {"model": "clip", "image": {"side": 64}},
    "siglip2": {"model": "siglip2", "image": {"patch": 16, "max_patches": 16}},
    "internvl": {"model": "internvl", "image": {"max_tiles": 4}},
    "llava_onevision": {"model": "llava_onevision"},
    "qwen2_5_vl": {"model": "qwen2_5_vl", "image": {"max_pixels": 12544}},
    "qwen3_vl": {"model": "qwen3_vl", "image": {"min_pixels": 4096, "max_pixels": 16384}},
}


def pixels(folder: Path, model: str, wire: str) -> list[Any]:
    """``pixel_values`` of the first steps on the CPU, copied; one picture is broken, so that a masked place is among them."""
    process = {**MODELS[model], "wire": wire}
    if model in ("qwen2_5_vl", "qwen3_vl"):
        process["tokenizer"] = data.tokenizer(folder, "qwen3")
    elif model == "internvl":
        process["tokenizer"] = data.internvl_tokenizer(folder)
    elif model == "llava_onevision":
        process["tokenizer"] = data.llava_tokenizer(folder)
    source = {"path": "pairs", "image": "jpg", "text": "txt"}
    recipe = data.write_recipe(
        folder, sources={"pairs": source}, batch={"samples": 4}, order="sequential", process=process
    )
    with headrace.open(str(recipe), 0, 1, job=f"{model}-{wire}", start_timeout=120) as loader:
        batches: list[dict[str, Any]] = []
        for _ in range(STEPS):
            batch = next(loader)
            batches.append({name: t.clone() for name, t in batch.torch("cpu").items()})
    assert sum(int((b["sample_valid"] == 0).sum()) for b in batches) == 1
    return [b["pixel_values"] for b in batches]


@pytest.mark.parametrize("model", sorted(MODELS))
def test_every_wire_gives_the_same_values(host: Host, tmp_path: Path, model: str) -> None:
    data.write_folder(tmp_path, "pairs", 4 * STEPS, side=96)
    bad = tmp_path / "pairs" / "00006.jpg"
    bad.write_bytes(bad.read_bytes()[:-300])
    floats = pixels(tmp_path, model, "float32")
    levels = pixels(tmp_path, model, "uint8")
    halves = pixels(tmp_path, model, "bfloat16")
    for plain, coded, half in zip(floats, levels, halves):
        assert plain.dtype == coded.dtype == torch.float32
        assert plain.shape == coded.shape == half.shape
        assert plain.abs().max() > 0.5
        assert torch.equal(plain.view(torch.int32), coded.view(torch.int32))
        assert half.dtype == torch.bfloat16
        rounded = plain.to(torch.bfloat16)
        assert torch.equal(half.view(torch.int16), rounded.view(torch.int16))

"""Videos from files to the tensors of ranks: the values of the Hugging Face processors, places in the text, masks."""

from __future__ import annotations

import hashlib
import io
import json
import math
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import headrace
from e2e import data
from e2e.hosts import Host

VIDEOS = data.REPOSITORY / "media/src/test/resources/videos"

# SHA-256 of the whole float32 tensor that Qwen2VLVideoProcessor, Qwen3VLVideoProcessor (both fps 1) and VideoMAEVideoProcessor (16
# frames) of transformers 5.24 give, with the frames of torchcodec 0.17.
QWEN_NASA = "5c802e565f74f4c73e3c88b22e7144ab84ce36a8b7fb6e294fc49c34e50154a6"
QWEN3_NASA = "f2083a67fad292edb8b93a164a3f5fb55a0ed4b50cd66dbec99d0e1fad503ffc"
MAE_NASA = "bbb4979bc9e6d2ad506db27def99e34d3b14324365d5d0b79b97bffdb4e070d6"
MAE_10_BITS = "968b8378be898c7e507cf34d1f3df1a23fde9caeffe40d2af22a8f573abefdc1"
# video_grid_thw of Qwen2VLVideoProcessor with cap_pixels_per_frame and max_video_tokens 1000 for 12 frames of 480 x 270.
CAPPED_GRID = [6, 18, 32]


def sha256(array: Any) -> str:
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()


def read(recipe: Path, job: str) -> list[dict[str, Any]]:
    """The batches of a pass, as arrays of their own."""
    with headrace.open(str(recipe), 0, 1, job=job, start_timeout=120) as loader:
        return [batch.microbatches[0].copy() for batch in loader]


def clips(folder: Path, *names: str) -> str:
    (folder / "clips").mkdir()
    for number, name in enumerate(names):
        target = folder / "clips" / f"{number:03d}{Path(name).suffix}"
        shutil.copyfile(VIDEOS / name, target)
    return "clips"


def test_videomae_gets_the_frames_of_the_reference(host: Host, tmp_path: Path) -> None:
    recipe = data.write_recipe(
        tmp_path,
        sources={
            "clips": {
                "path": clips(tmp_path, "torchcodec/nasa_13013.mp4", "torchcodec/h264_10bits.mp4")
            }
        },
        process={"model": "videomae"},
        order="sequential",
        epochs=1,
        batch={"samples": 2},
    )
    (batch,) = read(recipe, "mae")
    assert batch["pixel_values"].shape == (2, 16, 3, 224, 224)
    by_index = {int(index): row for row, (_, index) in enumerate(batch["sample_ids"])}
    assert sha256(batch["pixel_values"][by_index[0]]) == MAE_NASA
    assert sha256(batch["pixel_values"][by_index[1]]) == MAE_10_BITS
    host.await_nothing_left()


def conversation_recipe(folder: Path, wire: str, **process: Any) -> Path:
    """One conversation about a picture and a video, one about a broken video."""
    clips(folder, "torchcodec/nasa_13013.mp4", "made/bframes.avi")
    (folder / "clips" / "a.jpg").write_bytes(data.jpeg(3, 200))
    broken = (folder / "clips" / "000.mp4").read_bytes()
    (folder / "clips" / "cut.mp4").write_bytes(wiped(broken))
    turns = [
        {"from": "human", "value": "<image>Is it in this one? <video>"},
        {"from": "gpt", "value": "No."},
    ]
    lines = [
        {"id": "good", "image": "clips/a.jpg", "video": "clips/000.mp4", "conversations": turns},
        {
            "id": "bad",
            "video": "clips/cut.mp4",
            "conversations": [
                {"from": "human", "value": "<video>\nWhat?"},
                {"from": "gpt", "value": "Nothing."},
            ],
        },
        {
            "id": "plain",
            "conversations": [
                {"from": "human", "value": "Hello, <video> tag?"},
                {"from": "gpt", "value": "Text."},
            ],
        },
    ]
    (folder / "list.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return data.write_recipe(
        folder,
        sources={"talks": {"path": "list.jsonl", "text": "conversations"}},
        process={
            "model": "qwen2_5_vl",
            "tokenizer": data.tokenizer(folder, "qwen3"),
            "video": {"fps": 1},
            "max_tokens": 4096,
            "wire": wire,
            **process,
        },
        order="sequential",
        epochs=1,
        batch={"samples": 3},
    )


def wiped(video: bytes) -> bytes:
    """The same headers over media data of zeros."""
    at = video.index(b"mdat") + 4
    size = int.from_bytes(video[at - 8 : at - 4], "big") - 8
    return video[:at] + bytes(size) + video[at + size :]


def test_qwen_gets_pictures_and_videos_with_their_places(host: Host, tmp_path: Path) -> None:
    (batch,) = read(conversation_recipe(tmp_path, "float32"), "qwen")
    rows = {int(index): row for row, (_, index) in enumerate(batch["sample_ids"])}
    assert batch["sample_valid"][[rows[0], rows[1], rows[2]]].tolist() == [1, 0, 1]
    grids = batch["video_grid_thw"].tolist()
    assert sorted(grids) == [[6, 20, 34]] * 2
    assert batch["pixel_values_videos"].shape == (2 * 4080, 1176)
    first = 0 if rows[0] < rows[1] else 4080
    assert sha256(batch["pixel_values_videos"][first : first + 4080]) == QWEN_NASA
    assert not batch["pixel_values_videos"][4080 - first : 8160 - first].any()
    np.testing.assert_allclose(
        batch["second_per_grid_ts"], 2 / (12 / 390 * 30000 / 1001), rtol=1e-6
    )
    ids = batch["input_ids"]
    video_pad, image_pad = 151656, 151655
    assert (ids[rows[0]] == video_pad).sum() == 6 * 10 * 17 == (ids[rows[1]] == video_pad).sum()
    height, width = batch["image_grid_thw"][0, 1:]
    assert (ids[rows[0]] == image_pad).sum() == height * width // 4
    assert not (ids[rows[2]] == video_pad).any()
    assert (batch["labels"][rows[1]] == -100).all()
    assert (batch["labels"][rows[0]] != -100).any()
    positions(batch, rows[0])
    ledger = next((tmp_path / ".headrace" / "jobs").rglob("ledger.jsonl")).read_text()
    assert "clips/cut.mp4" in ledger
    host.await_nothing_left()


def positions(batch: dict[str, Any], row: int) -> None:
    """Positions are those of the model's own code."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    small = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1}
    small |= {"num_attention_heads": 2, "num_key_value_heads": 2, "vocab_size": 32}
    vision = {"depth": 1, "hidden_size": 16, "intermediate_size": 16, "num_heads": 2}
    vision |= {"out_hidden_size": 16, "spatial_merge_size": 2, "tokens_per_second": 2}
    model = transformers.Qwen2_5_VLModel(
        transformers.Qwen2_5_VLConfig(text_config=small, vision_config=vision)
    )
    kept = batch["attention_mask"][row] == 1
    ids = torch.from_numpy(batch["input_ids"][row][kept])[None]
    kinds = (ids == 151655).int() + 2 * (ids == 151656).int()
    want, _ = model.get_rope_index(
        ids,
        kinds,
        image_grid_thw=torch.from_numpy(batch["image_grid_thw"][:1]),
        video_grid_thw=torch.from_numpy(batch["video_grid_thw"][:1]),
        second_per_grid_ts=torch.from_numpy(batch["second_per_grid_ts"][:1]),
        attention_mask=torch.ones_like(ids),
    )
    assert batch["position_ids"][:, row][:, kept].tolist() == want[:, 0].tolist()


def test_qwen3_gets_videos_with_the_times_of_their_frames(host: Host, tmp_path: Path) -> None:
    (batch,) = read(conversation_recipe(tmp_path, "float32", model="qwen3_vl"), "qwen3")
    rows = {int(index): row for row, (_, index) in enumerate(batch["sample_ids"])}
    assert batch["sample_valid"][[rows[0], rows[1], rows[2]]].tolist() == [1, 0, 1]
    assert batch["video_grid_thw"].tolist() == [[7, 16, 30]] * 2
    assert "second_per_grid_ts" not in batch
    assert batch["pixel_values_videos"].shape == (2 * 3360, 1536)
    first = 0 if rows[0] < rows[1] else 3360
    assert sha256(batch["pixel_values_videos"][first : first + 3360]) == QWEN3_NASA
    assert not batch["pixel_values_videos"][3360 - first : 6720 - first].any()
    for number in (0, 1):
        assert (batch["input_ids"][rows[number]] == 151656).sum() == 7 * 8 * 15
    assert (batch["labels"][rows[1]] == -100).all()
    assert (batch["labels"][rows[0]] != -100).any()
    ids_and_positions_of_qwen3(batch, rows[0], tmp_path)
    host.await_nothing_left()


def ids_and_positions_of_qwen3(batch: dict[str, Any], row: int, folder: Path) -> None:
    """Ids are those of the model's processor, positions those of its own code."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("torchvision")
    from transformers.video_utils import VideoMetadata

    processor = transformers.Qwen3VLProcessor(
        transformers.Qwen2VLImageProcessor(
            size={"shortest_edge": 65536, "longest_edge": 16777216}, patch_size=16
        ),
        transformers.PreTrainedTokenizerFast(
            tokenizer_file=str(folder / "qwen3.json"), pad_token="<|endoftext|>"
        ),
        transformers.Qwen3VLVideoProcessor(
            size={"shortest_edge": 4096, "longest_edge": 25165824}, cap_pixels_per_frame=False
        ),
    )
    rate = 30000 / 1001
    image, video = (f"<|vision_start|><|{kind}_pad|><|vision_end|>" for kind in ("image", "video"))
    want = processor(
        text=[
            f"<|im_start|>user\n{image}Is it in this one? {video}<|im_end|>\n"
            "<|im_start|>assistant\nNo.<|im_end|>\n"
        ],
        images=[Image.open(folder / "clips" / "a.jpg")],
        videos=[torch.zeros((390, 3, 270, 480), dtype=torch.uint8)],
        video_metadata=[VideoMetadata(total_num_frames=390, fps=rate, duration=390 / rate)],
        do_sample_frames=True,
        fps=1,
        return_tensors="pt",
    )
    kept = batch["attention_mask"][row] == 1
    assert batch["input_ids"][row][kept].tolist() == want["input_ids"][0].tolist()
    small = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "head_dim": 8}
    small |= {"num_attention_heads": 2, "num_key_value_heads": 2, "vocab_size": 32}
    vision: dict[str, Any] = {
        "depth": 1,
        "hidden_size": 16,
        "intermediate_size": 16,
        "num_heads": 2,
    }
    vision |= {"out_hidden_size": 16, "spatial_merge_size": 2, "deepstack_visual_indexes": [0]}
    model = transformers.Qwen3VLModel(
        transformers.Qwen3VLConfig(text_config=small, vision_config=vision)
    )
    ids = want["input_ids"]
    positions, _ = model.get_rope_index(
        ids,
        (ids == 151655).int() + 2 * (ids == 151656).int(),
        image_grid_thw=want["image_grid_thw"],
        video_grid_thw=want["video_grid_thw"],
        attention_mask=torch.ones_like(ids),
    )
    assert batch["position_ids"][:, row][:, kept].tolist() == positions[:, 0].tolist()


def test_frames_of_qwen_share_a_context(host: Host, tmp_path: Path) -> None:
    video = {"fps": 1, "max_video_tokens": 1000}
    (batch,) = read(conversation_recipe(tmp_path, "float32", video=video), "capped")
    assert batch["video_grid_thw"].tolist() == [CAPPED_GRID] * 2
    patches = 2 * math.prod(CAPPED_GRID)
    assert batch["pixel_values_videos"].shape == (patches, 1176)
    assert (batch["input_ids"] == 151656).sum() == patches // 4
    host.await_nothing_left()


def test_levels_become_the_same_values(host: Host, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    recipe = conversation_recipe(tmp_path, "uint8")
    with headrace.open(str(recipe), 0, 1, job="levels", start_timeout=120) as loader:
        batch = next(iter(loader))
        tensors = {name: value.clone() for name, value in batch.microbatches[0].torch().items()}
    first = 0 if tensors["sample_ids"][0, 1] == 0 else 4080
    assert sha256(tensors["pixel_values_videos"][first : first + 4080].numpy()) == QWEN_NASA
    assert not tensors["pixel_values_videos"][4080 - first : 8160 - first].any()
    host.await_nothing_left()


def test_shares_of_a_video_make_the_same_bytes(host: Host, tmp_path: Path) -> None:
    found = []
    for threads in (1, 2):
        (tmp_path / f"{threads}").mkdir()
        recipe = conversation_recipe(tmp_path / f"{threads}", "float32")
        text = json.loads(recipe.read_text())
        recipe.write_text(json.dumps(text | {"delivery": {"decode_threads": threads}}))
        (batch,) = read(recipe, f"shares{threads}")
        found.append({name: sha256(array) for name, array in batch.items()})
    assert found[0] == found[1]
    host.await_nothing_left()


def diffusion_recipe(folder: Path, wire: str) -> Path:
    """A clip, a picture of a bucket's own size, a broken clip and a clip that is too short."""
    name = clips(folder, "torchcodec/nasa_13013.mp4", "made/bframes.avi")
    clip = (folder / "clips" / "000.mp4").read_bytes()
    picture = Image.open(io.BytesIO(data.jpeg(7, 400))).convert("RGB").resize((208, 112))
    picture.save(folder / "clips" / "002.png")
    (folder / "clips" / "003.mp4").write_bytes(wiped(clip))
    video = {"sizes": ["208x112", "112x208"], "fps": 8, "max_frames": 20}
    return data.write_recipe(
        folder,
        sources={"clips": {"path": name}},
        process={"model": "video_diffusion", "video": video, "wire": wire},
        order="sequential",
        epochs=1,
        batch={"samples": 4},
    )


def test_diffusion_gets_videos_and_pictures_in_buckets(host: Host, tmp_path: Path) -> None:
    recipe = diffusion_recipe(tmp_path, "float32")
    with headrace.open(str(recipe), 0, 1, job="buckets", start_timeout=120) as loader:
        microbatch = next(iter(loader)).microbatches[0]
        rows = {int(index): row for row, (_, index) in enumerate(microbatch["sample_ids"])}
        videos = [video.copy() for video in microbatch.videos()]
        batch = microbatch.copy()
    shapes = [[3, 17, 112, 208], [3, 5, 112, 208], [3, 1, 112, 208], [3, 17, 112, 208]]
    assert [batch["video_shapes"][rows[i]].tolist() for i in range(4)] == shapes
    grids = [[5, 7, 13], [2, 7, 13], [1, 7, 13], [5, 7, 13]]
    assert [batch["video_grid_thw"][rows[i]].tolist() for i in range(4)] == grids
    assert [batch["sample_valid"][rows[i]] for i in range(4)] == [1, 1, 1, 0]
    levels = np.asarray(Image.open(tmp_path / "clips" / "002.png"), dtype=np.float32)
    expected = (levels.transpose(2, 0, 1) - np.float32(127.5)) / np.float32(127.5)
    np.testing.assert_array_equal(videos[rows[2]][:, 0], expected)
    assert not videos[rows[3]].any()
    # Frames of a real clip follow each other slowly, and its first is not its last.
    moving = videos[rows[0]]
    assert np.abs(moving[:, 1:] - moving[:, :-1]).mean() < 0.2 * np.abs(moving).mean()
    assert (moving[:, 0] != moving[:, -1]).mean() > 0.1
    host.await_nothing_left()


def test_levels_of_buckets_become_the_same_values(host: Host, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from headrace import torch as headrace_torch

    found: list[list[Any]] = []
    for wire in ("float32", "uint8"):
        (tmp_path / wire).mkdir()
        recipe = diffusion_recipe(tmp_path / wire, wire)
        with headrace.open(str(recipe), 0, 1, job=wire, start_timeout=120) as loader:
            tensors = next(iter(loader)).microbatches[0].torch()
            found.append([v.clone().numpy() for v in headrace_torch.videos(tensors)])
            valid = tensors["sample_valid"].tolist()
    for values, levels, good in zip(*found, valid, strict=True):
        if good:
            np.testing.assert_array_equal(values, levels)
        else:
            assert np.abs(levels).max() < 0.005
    host.await_nothing_left()

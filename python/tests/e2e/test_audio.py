"""Recordings from files to the tensors of ranks: the features of WhisperFeatureExtractor, places in the text, masks."""

from __future__ import annotations

import base64
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np

import headrace
from e2e import data
from e2e.hosts import Host

RESOURCES = data.REPOSITORY / "media/src/test/resources"
AUDIO = RESOURCES / "audio"


def vector(name: str) -> dict[str, Any]:
    """What the reference gives for a recording: frames of its features, and samples at 16 kHz."""
    vectors = json.loads((RESOURCES / "vectors/whisper.json").read_text())
    found: dict[str, Any] = next(v for v in vectors if v["name"] == name)
    features = np.frombuffer(base64.b64decode(found["features"]), dtype="<f4")
    found["features"] = features.reshape(found["bands"], -1)
    return found


def read(recipe: Path, job: str) -> list[dict[str, Any]]:
    with headrace.open(str(recipe), 0, 1, job=job, start_timeout=120) as loader:
        return [batch.microbatches[0].copy() for batch in loader]


def rows(batch: dict[str, Any]) -> dict[int, int]:
    """Position in the batch by the sample's number in its source."""
    return {int(index): row for row, (_, index) in enumerate(batch["sample_ids"])}


def test_whisper_gets_the_features_of_the_reference(host: Host, tmp_path: Path) -> None:
    folder = tmp_path / "speech"
    folder.mkdir()
    names = ["libri-1088-134315-0000__16k", "common_voice_en_651325__torchcodec"]
    files = ["lhotse/libri-1088-134315-0000.wav", "lhotse/common_voice_en_651325.mp3"]
    for number, name in enumerate(files):
        shutil.copyfile(AUDIO / name, folder / f"{number}{Path(name).suffix}")
        (folder / f"{number}.txt").write_text("what was said")
    (folder / "2.flac").write_bytes((AUDIO / "lhotse/2412-153948-0000.flac").read_bytes()[:20000])
    (folder / "2.txt").write_text("cut")
    recipe = data.write_recipe(
        tmp_path,
        sources={"speech": {"path": "speech", "text": "txt"}},
        process={"model": "whisper", "tokenizer": data.tokenizer(tmp_path, "clip")},
        order="sequential",
        epochs=1,
        batch={"samples": 3},
    )
    (batch,) = read(recipe, "whisper")
    assert batch["input_features"].shape == (3, 80, 3000)
    place = rows(batch)
    for number, name in enumerate(names):
        want = vector(f"whisper80__{name}")
        got = batch["input_features"][place[number]][:, want["frames"]]
        assert np.abs(got - want["features"]).max() < 1e-4
        assert np.abs(got - want["features"]).mean() < 2e-6
        assert batch["feature_attention_mask"][place[number]].sum() == want["mask"]
    assert batch["sample_valid"][[place[0], place[1], place[2]]].tolist() == [1, 1, 0]
    assert not batch["input_features"][place[2]].any()
    assert not batch["feature_attention_mask"][place[2]].any()
    assert (batch["input_ids"][place[0]] != 49407).any()
    host.await_nothing_left()


def audio_tokenizer(folder: Path) -> str:
    """Qwen's vocabulary with the marks of Qwen2-Audio."""
    name = data.tokenizer(folder, "qwen3")
    vocabulary = json.loads((folder / name).read_text())
    first = 1 + max(token["id"] for token in vocabulary["added_tokens"])
    for number, mark in enumerate(["<|audio_bos|>", "<|AUDIO|>", "<|audio_eos|>"]):
        token = dict(vocabulary["added_tokens"][0], id=first + number, content=mark)
        vocabulary["added_tokens"].append(token)
    (folder / name).write_text(json.dumps(vocabulary))
    return name


def test_qwen2_audio_has_places_for_sound(host: Host, tmp_path: Path) -> None:
    shutil.copyfile(AUDIO / "lhotse/2412-153948-0000.flac", tmp_path / "a.flac")
    shutil.copyfile(AUDIO / "hf/test_audio_44100.mp3", tmp_path / "b.mp3")
    turns = [
        {"from": "human", "value": "<audio><audio>Which is longer?"},
        {"from": "gpt", "value": "The first."},
    ]
    lines = [
        {"audio": ["a.flac", "b.mp3"], "conversations": turns},
        {"conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Ho"}]},
    ]
    (tmp_path / "list.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    recipe = data.write_recipe(
        tmp_path,
        sources={"talks": {"path": "list.jsonl", "text": "conversations"}},
        process={"model": "qwen2_audio", "tokenizer": audio_tokenizer(tmp_path)},
        order="sequential",
        epochs=1,
        batch={"samples": 2},
    )
    (batch,) = read(recipe, "qwen2audio")
    assert batch["input_features"].shape == (2, 128, 3000)
    want = vector("whisper128__2412-153948-0000__16k")
    got = batch["input_features"][0][:, want["frames"]]
    assert np.abs(got - want["features"]).max() < 1e-4
    lengths = batch["feature_attention_mask"].sum(1)
    assert lengths.tolist() == [1166, 251]
    tokens = [((length - 1) // 2 + 1 - 2) // 2 + 1 for length in lengths]
    tokenizer = json.loads((tmp_path / "qwen3.json").read_text())
    marks = {t["content"]: t["id"] for t in tokenizer["added_tokens"]}
    ids = batch["input_ids"][rows(batch)[0]]
    assert (ids == marks["<|AUDIO|>"]).sum() == sum(tokens)
    begins = np.flatnonzero(ids == marks["<|audio_bos|>"])
    ends = np.flatnonzero(ids == marks["<|audio_eos|>"])
    assert (ends - begins - 1).tolist() == tokens
    assert (batch["labels"][rows(batch)[0]] != -100).sum() > 0
    assert not (batch["input_ids"][rows(batch)[1]] == marks["<|AUDIO|>"]).any()
    host.await_nothing_left()

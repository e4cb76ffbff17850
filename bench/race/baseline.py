"""What a good engineer's PyTorch loader does for each workload: decode, resize and arrange one sample, and collate a batch."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import decoders
import torch
from decoders import normalised, resized
from tokenizers import Tokenizer
from torchvision.transforms.v2 import functional as F
from workload import Workload

DATA = Path(__file__).resolve().parents[2] / "workloads" / "data"

Sample = dict[str, torch.Tensor]
Members = dict[str, bytes]

PADDING, UNTRAINED = 151_643, -100
SYSTEM = "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n"
PLACE = "<image>"
IMAGE = ("<|vision_start|>", "<|image_pad|>", "<|vision_end|>")
VIDEO = ("<|vision_start|>", "<|video_pad|>", "<|vision_end|>")
TILES = ("<img>", "<IMG_CONTEXT>", "</img>")


@cache
def tokenizer() -> Tokenizer:
    return Tokenizer.from_file(str(DATA / "tokenizer.json"))


def prompt(question: str, answer: str, marks: tuple[str, str, str], counts: list[int]) -> Sample:
    """Ids and labels of one turn each; every ``<image>`` of the question, or its start, takes so many places."""
    begin, place, end = marks
    if PLACE not in question:
        question = PLACE * len(counts) + question
    question = question.replace(PLACE, begin + place + end)
    head = f"{SYSTEM}<|im_start|>user\n{question}<|im_end|>\n<|im_start|>assistant\n"
    untrained = _places(tokenizer().encode(head).ids, place, counts)
    trained = tokenizer().encode(f"{answer}<|im_end|>").ids
    last = tokenizer().encode("\n").ids
    return _text(untrained, trained, last)


def _text(untrained: list[int], trained: list[int], last: list[int]) -> Sample:
    labels = [UNTRAINED] * len(untrained) + trained + [UNTRAINED] * len(last)
    # Nothing before it predicts the first token of a sample.
    labels[0] = UNTRAINED
    return {
        "input_ids": torch.tensor(untrained + trained + last),
        "labels": torch.tensor(labels),
    }


def _places(ids: list[int], place: str, counts: list[int]) -> list[int]:
    """One id of a medium becomes as many as it takes."""
    mark = tokenizer().token_to_id(place)
    left, wide = iter(counts), []
    for token in ids:
        wide += [token] * next(left) if token == mark else [token]
    return wide


def caption(members: Members) -> str:
    return members["txt"].decode()


def _qwen_picture(content: bytes, least: int, most: int) -> tuple[torch.Tensor, list[int]]:
    levels = decoders.picture(content)
    height, width = decoders.smart_resize(levels.shape[1], levels.shape[2], least, most)
    frame = normalised(resized(levels, height, width), decoders.CLIP_TABLE)
    patches = decoders.qwen_patches(torch.stack([frame, frame]))
    return patches, [1, height // 14, width // 14]


def w1(members: Members) -> Sample:
    patches, grid = _qwen_picture(members["jpg"], 3136, 1_003_520)
    text = prompt("", caption(members), IMAGE, [len(patches) // 4])
    return {"pixel_values": patches, "image_grid_thw": torch.tensor([grid])} | text


def w2(members: Members) -> Sample:
    def choose(total: int, _: float) -> list[int]:
        count = min(max(4, total / 30 * 2), 64, total)
        count = max(2, int(count) // 2 * 2)
        return [int(k * total / count) for k in range(count)]

    frames = torch.stack(decoders.frames_of(members["mp4"], choose))
    height, width = decoders.smart_resize(frames.shape[2], frames.shape[3], 50_176, 50_176)
    values = normalised(resized(frames, height, width), decoders.CLIP_TABLE)
    grid = [len(frames) // 2, height // 14, width // 14]
    patches = decoders.qwen_patches(values)
    text = prompt("", caption(members), VIDEO, [len(patches) // 4])
    return {"pixel_values_videos": patches, "video_grid_thw": torch.tensor([grid])} | text


def w3(members: Members) -> Sample:
    if "mp4" in members:
        chosen = decoders.frames_of(members["mp4"], lambda n, _: [k * n // 32 for k in range(32)])
        side = decoders.SQUARE
        values = normalised(resized(torch.stack(chosen), side, side), decoders.HALF_TABLE)
        text = prompt(PLACE, caption(members), ("", "<video>", ""), [32 * 196 + 1])
        return {"pixel_values_videos": values[None]} | text
    names = sorted(name for name in members if name.endswith("jpg"))
    pictures = [decoders.picture(members[name]) for name in names]
    if len(pictures) == 1:
        parts, tokens = decoders.squares(pictures[0])
        counts = [tokens]
    else:
        parts = torch.cat([decoders.padded_square(picture) for picture in pictures])
        counts = [decoders.SQUARE_TOKENS + 1] * len(pictures)
    whole = len(parts) // len(pictures)
    return {
        "pixel_values": parts,
        "image_sizes": torch.tensor([picture.shape[1:] for picture in pictures]),
        "num_patches": torch.tensor([whole] * len(pictures)),
    } | prompt("", caption(members), ("", PLACE, ""), counts)


def w4(members: Members) -> Sample:
    parts = decoders.tiles(decoders.picture(members["jpg"]))
    text = prompt("", caption(members), TILES, [256 * len(parts)])
    return {"pixel_values": parts, "num_patches": torch.tensor([len(parts)])} | text


def w5(members: Members) -> Sample:
    levels = decoders.picture(members["jpg"])
    height, width = decoders.naflex(levels.shape[1], levels.shape[2])
    values = normalised(resized(levels, height, width, bilinear=True), decoders.HALF_TABLE)
    down, across = height // 16, width // 16
    patches = values.reshape(3, down, 16, across, 16).permute(1, 3, 2, 4, 0).reshape(-1, 768)
    padded = torch.zeros(1, 256, 768)
    padded[0, : len(patches)] = patches
    return {"pixel_values": padded, "spatial_shapes": torch.tensor([[down, across]])}


def w6(members: Members) -> Sample:
    features, mask = decoders.log_mel(members["audio"])
    tokens = ((int(mask.sum()) - 1) // 2 + 1 - 2) // 2 + 1
    marks = ("Audio 1: <|audio_bos|>", "<|AUDIO|>", "<|audio_eos|>\n")
    text = prompt("", caption(members), marks, [tokens])
    return {"input_features": features[None], "feature_attention_mask": mask[None]} | text


def _diffusion(members: Members, buckets: decoders.Buckets) -> Sample:
    if "mp4" in members:
        frames = torch.stack(decoders.frames_of(members["mp4"], buckets.frames))
    else:
        frames = decoders.picture(members["jpg"])[None]
    values = buckets.values(frames)
    _, times, height, width = values.shape
    return {
        "pixel_values": values.flatten(),
        "video_shapes": torch.tensor([values.shape]),
        "video_grid_thw": torch.tensor([[(times - 1) // 4 + 1, height // 16, width // 16]]),
    }


WAN = decoders.Buckets(((416, 240), (208, 112)), 16, 81)
WIDE = ((400, 160), (368, 176), (336, 192), (320, 208), (288, 224))
OPEN_SORA = decoders.Buckets((*WIDE, (256, 256), *((h, w) for w, h in WIDE)), 24, 65)


def w7(members: Members) -> Sample:
    return _diffusion(members, WAN)


def w8(members: Members) -> Sample:
    return _diffusion(members, OPEN_SORA)


def w9(members: Members) -> Sample:
    chosen = decoders.frames_of(members["mp4"], lambda n, _: [k * n // 16 for k in range(16)])
    frames = torch.stack(chosen)
    height, width = frames.shape[2:]
    short = min(height, width)
    size = (224 * height // short, 224 * width // short)
    values = F.center_crop(resized(frames, *size, bilinear=True), [224, 224])
    return {"pixel_values": normalised(values, decoders.IMAGENET_TABLE)[None]}


def w10(members: Members) -> Sample:
    turns = json.loads(members["conversations"])
    pictures = [
        _qwen_picture((DATA / "w10" / name).read_bytes(), 802_816, 802_816)
        for name in json.loads(members["image"])
    ]
    counts = [len(patches) // 4 for patches, _ in pictures]
    text = prompt(turns[0]["value"], turns[1]["value"], IMAGE, counts)
    return {
        "pixel_values": torch.cat([patches for patches, _ in pictures]),
        "image_grid_thw": torch.tensor([grid for _, grid in pictures]),
    } | text


def w11(members: Members) -> Sample:
    trained = tokenizer().encode(json.loads(members["text"])).ids
    return _text([], trained, [])


SAMPLES: dict[str, Callable[[Members], Sample]] = {
    "w1": w1,
    "w2": w2,
    "w3": w3,
    "w4": w4,
    "w5": w5,
    "w6": w6,
    "w7": w7,
    "w8": w8,
    "w9": w9,
    "w10": w10,
    "w11": w11,
}


class Files:
    """Rows of a workload: samples by number, read from its tars by offset or from its list."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._places: list[dict[str, tuple[Path, int, int]]] = []
        for shard in sorted((DATA / name).glob("*.tar")):
            self._add_tar(shard)
        listed = DATA / name / "list.jsonl"
        self._lines = listed.read_bytes().splitlines() if listed.exists() else []

    def _add_tar(self, shard: Path) -> None:
        last = ""
        with tarfile.open(shard) as tar:
            for member in tar:
                key, suffix = member.name.split(".", 1)
                if key != last:
                    self._places.append({})
                    last = key
                self._places[-1][suffix] = (shard, member.offset_data, member.size)

    def __len__(self) -> int:
        return len(self._places) or len(self._lines)

    def __getitem__(self, row: Sequence[int]) -> list[Sample]:
        return [self.sample(number) for number in row]

    def sample(self, number: int) -> Sample:
        return SAMPLES[self.name](self._members(number % len(self)))

    def _members(self, number: int) -> Members:
        if self._lines:
            line = json.loads(self._lines[number])
            return {key: json.dumps(value).encode() for key, value in line.items()}
        members = {}
        for suffix, (shard, offset, size) in self._places[number].items():
            with open(shard, "rb") as file:
                file.seek(offset)
                members[suffix] = file.read(size)
        return members


class Collate:
    """Makes a batch of rows: media one after the other; text padded, or laid end to end in packs."""

    def __init__(self, workload: Workload, shared: bool) -> None:
        """``shared``: into shared memory at once, as torch's own collate function does in a worker."""
        self._length = workload.length
        self._shared = shared

    def __call__(self, rows: list[list[Sample]]) -> Sample:
        samples = [sample for row in rows for sample in row]
        names = {name for sample in samples for name in sample} - {"input_ids", "labels"}
        batch = {
            name: self._joined([s[name] for s in samples if name in s]) for name in sorted(names)
        }
        if "input_ids" in samples[0]:
            batch |= self._packs(rows) if self._length else _padded(samples)
        return batch

    def _joined(self, parts: list[torch.Tensor]) -> torch.Tensor:
        if not self._shared:
            return torch.cat(parts)
        first = parts[0]
        values = sum(part.numel() for part in parts)
        storage = first._typed_storage()._new_shared(values)
        out = first.new(storage).resize_(sum(len(part) for part in parts), *first.shape[1:])
        return torch.cat(parts, out=out)

    def _packs(self, rows: list[list[Sample]]) -> Sample:
        ids = torch.full((len(rows), self._length), PADDING)
        labels = torch.full((len(rows), self._length), UNTRAINED)
        ends = [0]
        for k, row in enumerate(rows):
            at = 0
            for sample in row:
                count = len(sample["input_ids"])
                ids[k, at : at + count] = sample["input_ids"]
                labels[k, at : at + count] = sample["labels"]
                at += count
                ends.append(k * self._length + at)
            if at < self._length:
                ends.append((k + 1) * self._length)
        cuts = torch.tensor(ends, dtype=torch.int32)
        return {"input_ids": ids, "labels": labels, "cu_seqlens": cuts}


def _padded(samples: list[Sample]) -> Sample:
    def pad(name: str, value: int) -> torch.Tensor:
        rows: Any = [sample[name] for sample in samples]
        return torch.nn.utils.rnn.pad_sequence(rows, True, value)

    mask = [torch.ones(len(sample["input_ids"]), dtype=torch.int64) for sample in samples]
    return {
        "input_ids": pad("input_ids", PADDING),
        "labels": pad("labels", UNTRAINED),
        "attention_mask": torch.nn.utils.rnn.pad_sequence(mask, True, 0),
    }

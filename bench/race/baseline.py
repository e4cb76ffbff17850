"""What a good engineer's PyTorch loader does for each workload: decode, resize and arrange one sample, and collate a batch."""

from __future__ import annotations

import io
import math
import tarfile
from pathlib import Path
from typing import Any

import av
import numpy as np
import soundfile
import soxr
import torch
from PIL import Image
from torchvision.transforms.v2 import functional as F

DATA = Path(__file__).resolve().parents[2] / "workloads" / "data"

CLIP_MEAN, CLIP_STD = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)
HALF, IMAGENET_MEAN, IMAGENET_STD = (0.5,) * 3, (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)

Sample = dict[str, torch.Tensor]


def tables(mean: tuple[float, ...], std: tuple[float, ...]) -> tuple[torch.Tensor, torch.Tensor]:
    """Scale and shift that rescale and normalise levels in one pass."""
    scale = 1 / (255 * torch.tensor(std))
    return scale.view(-1, 1, 1), (-torch.tensor(mean) / torch.tensor(std)).view(-1, 1, 1)


CLIP_TABLE, HALF_TABLE, IMAGENET_TABLE = (
    tables(CLIP_MEAN, CLIP_STD),
    tables(HALF, HALF),
    tables(IMAGENET_MEAN, IMAGENET_STD),
)


def smart_resize(height: int, width: int, least: int, most: int) -> tuple[int, int]:
    """Sizes of the Qwen2-VL processors: multiples of 28 within the pixel bounds."""
    h, w = round(height / 28) * 28, round(width / 28) * 28
    if h * w > most:
        b = math.sqrt(height * width / most)
        return max(28, math.floor(height / b / 28) * 28), max(28, math.floor(width / b / 28) * 28)
    if h * w < least:
        b = math.sqrt(least / (height * width))
        return math.ceil(height * b / 28) * 28, math.ceil(width * b / 28) * 28
    return h, w


def qwen_patches(frames: torch.Tensor) -> torch.Tensor:
    """[times, 3, H, W] with an even number of times to [patches, 1176]."""
    times, _, height, width = frames.shape
    gt, gh, gw = times // 2, height // 14, width // 14
    x = frames.reshape(gt, 2, 3, gh // 2, 2, 14, gw // 2, 2, 14)
    return x.permute(0, 3, 6, 4, 7, 2, 1, 5, 8).reshape(gt * gh * gw, 1176)


def picture(content: bytes) -> torch.Tensor:
    return F.pil_to_tensor(Image.open(io.BytesIO(content)).convert("RGB"))


def resized(levels: torch.Tensor, height: int, width: int, bilinear: bool = False) -> torch.Tensor:
    mode = F.InterpolationMode.BILINEAR if bilinear else F.InterpolationMode.BICUBIC
    return F.resize(levels, [height, width], interpolation=mode, antialias=True)


def normalised(levels: torch.Tensor, table: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    return levels.float().mul_(table[0]).add_(table[1])


def w1(members: dict[str, bytes]) -> Sample:
    levels = picture(members["jpg"])
    height, width = smart_resize(levels.shape[1], levels.shape[2], 3136, 1_003_520)
    frame = normalised(resized(levels, height, width), CLIP_TABLE)
    return {
        "pixel_values": qwen_patches(torch.stack([frame, frame])),
        "image_grid_thw": torch.tensor([[1, height // 14, width // 14]]),
    }


def frames_of(content: bytes, choose: Any) -> list[torch.Tensor]:
    """The chosen frames, decoded in one pass over the clip, as a loader that reads forward does."""
    with av.open(io.BytesIO(content)) as box:
        stream = box.streams.video[0]
        total = stream.frames or round(
            float((box.duration or 0) / 1e6 * (stream.average_rate or 30))
        )
        wanted = choose(total)
        last, kept = max(wanted), {}
        for place, frame in enumerate(box.decode(stream)):
            if place in wanted:
                kept[place] = torch.from_numpy(frame.to_ndarray(format="rgb24")).permute(2, 0, 1)
            if place >= last:
                break
    known = max(kept)
    return [kept[min(place, known)] for place in wanted]


def w2(members: dict[str, bytes]) -> Sample:
    def choose(total: int) -> list[int]:
        count = min(max(4, total / 30 * 2), 64, total)
        count = max(2, int(count) // 2 * 2)
        return [int(k * total / count) for k in range(count)]

    frames = torch.stack(frames_of(members["mp4"], choose))
    height, width = smart_resize(frames.shape[2], frames.shape[3], 50_176, 50_176)
    values = normalised(resized(frames, height, width), CLIP_TABLE)
    grid = [[len(frames) // 2, height // 14, width // 14]]
    return {"pixel_values_videos": qwen_patches(values), "video_grid_thw": torch.tensor(grid)}


def w5(members: dict[str, bytes]) -> Sample:
    levels = picture(members["jpg"])
    height, width = naflex(levels.shape[1], levels.shape[2])
    values = normalised(resized(levels, height, width, bilinear=True), HALF_TABLE)
    down, across = height // 16, width // 16
    patches = values.reshape(3, down, 16, across, 16).permute(1, 3, 2, 4, 0).reshape(-1, 768)
    padded = torch.zeros(1, 256, 768)
    padded[0, : len(patches)] = patches
    return {"pixel_values": padded, "spatial_shapes": torch.tensor([[down, across]])}


def naflex(height: int, width: int) -> tuple[int, int]:
    """The largest scale at which a picture has at most 256 patches of 16."""
    low, high = 1e-6, 100.0
    while high - low >= 1e-5:
        scale = (low + high) / 2
        h, w = (max(16, math.ceil(n * scale / 16) * 16) for n in (height, width))
        low, high = (scale, high) if h * w // 256 <= 256 else (low, scale)
    h, w = (max(16, math.ceil(n * low / 16) * 16) for n in (height, width))
    return h, w


def mel_bank(bands: int) -> torch.Tensor:
    """Slaney's filters: [bands, 201]."""

    def mel(f: float) -> float:
        return 15 + math.log(f / 1000) * 27 / math.log(6.4) if f >= 1000 else 3 * f / 200

    m = np.linspace(mel(0.0), mel(8000.0), bands + 2)
    edge = np.where(m >= 15, 1000 * np.exp((m - 15) * math.log(6.4) / 27), 200 * m / 3)
    hertz = np.linspace(0, 8000, 201)
    rising = (hertz[:, None] - edge[:-2]) / np.diff(edge)[:-1]
    falling = (edge[2:] - hertz[:, None]) / np.diff(edge)[1:]
    bank = np.maximum(0, np.minimum(rising, falling)) * (2 / (edge[2:] - edge[:-2]))
    return torch.from_numpy(bank.T.astype(np.float32))


BANK, WINDOW = mel_bank(128), torch.hann_window(400)


def w6(members: dict[str, bytes]) -> Sample:
    sound, rate = soundfile.read(io.BytesIO(members["audio"]), dtype="float32", always_2d=True)
    mono = sound.mean(axis=1)
    if rate != 16_000:
        mono = soxr.resample(mono, rate, 16_000, quality="HQ")
    wave = torch.zeros(480_000)
    used = min(len(mono), 480_000)
    wave[:used] = torch.from_numpy(np.ascontiguousarray(mono[:used]))
    power = torch.stft(wave, 400, 160, window=WINDOW, return_complex=True)[:, :-1].abs() ** 2
    logs = torch.clamp(BANK @ power, min=1e-10).log10()
    features = (torch.maximum(logs, logs.max() - 8) + 4) / 4
    mask = torch.zeros(1, 3000, dtype=torch.int32)
    mask[0, : math.ceil(used / 160)] = 1
    return {"input_features": features[None], "feature_attention_mask": mask}


def w9(members: dict[str, bytes]) -> Sample:
    frames = torch.stack(frames_of(members["mp4"], lambda n: [k * n // 16 for k in range(16)]))
    height, width = frames.shape[2:]
    short = min(height, width)
    size = (224 * height // short, 224 * width // short)
    values = F.center_crop(resized(frames, *size, bilinear=True), [224, 224])
    return {"pixel_values": normalised(values, IMAGENET_TABLE)[None]}


SAMPLES = {"w1": w1, "w2": w2, "w5": w5, "w6": w6, "w9": w9}


class Files:
    """Samples of a workload by number, read from its tars by offset."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._places: list[list[tuple[str, str, int, int]]] = []
        for shard in sorted((DATA / name).glob("*.tar")):
            with tarfile.open(shard) as tar:
                for member in tar:
                    key, suffix = member.name.split(".", 1)
                    if not self._places or self._places[-1][0][0] != key:
                        self._places.append([])
                    place = (key, f"{shard}\0{suffix}", member.offset_data, member.size)
                    self._places[-1].append(place)

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, number: int) -> Sample:
        members = {}
        for _, where, offset, size in self._places[number % len(self._places)]:
            shard, suffix = where.split("\0")
            with open(shard, "rb") as file:
                file.seek(offset)
                members[suffix] = file.read(size)
        return SAMPLES[self.name](members)


def collate(samples: list[Sample]) -> Sample:
    """A batch: tensors of all samples one after the other."""
    return {name: torch.cat([sample[name] for sample in samples]) for name in samples[0]}

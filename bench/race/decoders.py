"""From bytes to normalised pixels and features with Pillow, PyAV, soundfile and torchvision, as the processors of the models do it."""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from dataclasses import dataclass

import av
import numpy as np
import soundfile
import soxr
import torch
from PIL import Image
from torchvision.transforms.v2 import functional as F

CLIP_MEAN, CLIP_STD = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)
HALF, IMAGENET_MEAN, IMAGENET_STD = (0.5,) * 3, (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


def _tables(mean: tuple[float, ...], std: tuple[float, ...]) -> tuple[torch.Tensor, torch.Tensor]:
    """Scale and shift that rescale and normalise levels in one pass."""
    scale = 1 / (255 * torch.tensor(std))
    return scale.view(-1, 1, 1), (-torch.tensor(mean) / torch.tensor(std)).view(-1, 1, 1)


CLIP_TABLE, HALF_TABLE, IMAGENET_TABLE = (
    _tables(CLIP_MEAN, CLIP_STD),
    _tables(HALF, HALF),
    _tables(IMAGENET_MEAN, IMAGENET_STD),
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


def frames_of(content: bytes, choose: Callable[[int, float], list[int]]) -> list[torch.Tensor]:
    """The chosen frames, decoded in one pass over the clip, as a loader that reads forward does."""
    with av.open(io.BytesIO(content)) as box:
        stream = box.streams.video[0]
        total = stream.frames or round(
            float((box.duration or 0) / 1e6 * (stream.average_rate or 30))
        )
        wanted = choose(total, float(stream.average_rate or 30))
        last, kept = max(wanted), {}
        for place, frame in enumerate(box.decode(stream)):
            if place in wanted:
                kept[place] = torch.from_numpy(frame.to_ndarray(format="rgb24")).permute(2, 0, 1)
            if place >= last:
                break
    known = max(kept)
    return [kept[min(place, known)] for place in wanted]


def naflex(height: int, width: int) -> tuple[int, int]:
    """The largest scale at which a picture has at most 256 patches of 16."""
    low, high = 1e-6, 100.0
    while high - low >= 1e-5:
        scale = (low + high) / 2
        h, w = (max(16, math.ceil(n * scale / 16) * 16) for n in (height, width))
        low, high = (scale, high) if h * w // 256 <= 256 else (low, scale)
    h, w = (max(16, math.ceil(n * low / 16) * 16) for n in (height, width))
    return h, w


def _mel_bank(bands: int) -> torch.Tensor:
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


BANK, WINDOW = _mel_bank(128), torch.hann_window(400)


SOUND_HERTZ, SOUND_SAMPLES = 16_000, 480_000


def log_mel(content: bytes) -> tuple[torch.Tensor, torch.Tensor]:
    """A recording as Whisper's features of 30 s, float32 [128, 3000], and the mask of its frames, int32 [3000]."""
    sound, rate = soundfile.read(io.BytesIO(content), dtype="float32", always_2d=True)
    mono = sound.mean(axis=1)
    if rate != SOUND_HERTZ:
        mono = soxr.resample(mono, rate, SOUND_HERTZ, quality="HQ")
    wave = torch.zeros(SOUND_SAMPLES)
    used = min(len(mono), SOUND_SAMPLES)
    wave[:used] = torch.from_numpy(np.ascontiguousarray(mono[:used]))
    power = torch.stft(wave, 400, 160, window=WINDOW, return_complex=True)[:, :-1].abs() ** 2
    logs = torch.clamp(BANK @ power, min=1e-10).log10()
    mask = torch.zeros(3000, dtype=torch.int32)
    mask[: math.ceil(used / 160)] = 1
    return (torch.maximum(logs, logs.max() - 8) + 4) / 4, mask


@dataclass(frozen=True)
class Buckets:
    """Sizes (width, height) of a video diffusion model, the rate at which frames are taken, and how many at most."""

    sizes: tuple[tuple[int, int], ...]
    rate: float
    most: int

    def frames(self, total: int, rate: float) -> list[int]:
        """The frames that are taken: a multiple of 4 and one."""
        step = rate / self.rate
        there = int((total - 1) / step + 1e-6) + 1
        count = (min(there, self.most) - 1) // 4 * 4 + 1
        return [min(total - 1, int(k * step + 1e-6)) for k in range(count)]

    def nearest(self, width: int, height: int) -> tuple[int, int]:
        """The size nearest in aspect; of several alike the largest that is filled, else the smallest."""
        off = {size: abs(math.log(size[0] * height / (size[1] * width))) for size in self.sizes}
        alike = [size for size in self.sizes if off[size] <= min(off.values()) + 0.03]
        filled = [size for size in alike if size[0] * size[1] <= width * height]
        return max(filled, key=math.prod) if filled else min(alike, key=math.prod)

    def values(self, frames: torch.Tensor) -> torch.Tensor:
        """uint8 [frames, 3, h, w] to float32 [3, frames, H, W], resized to cover the bucket and cropped."""
        height, width = frames.shape[2:]
        across, down = self.nearest(width, height)
        scale = max(across / width, down / height)
        size = (max(down, round(height * scale)), max(across, round(width * scale)))
        top, left = (size[0] - down) // 2, (size[1] - across) // 2
        cropped = resized(frames, *size)[:, :, top : top + down, left : left + across]
        return normalised(cropped, HALF_TABLE).transpose(0, 1).contiguous()


SQUARE, SQUARE_TOKENS, FEATURES = 384, 729, 27


def canvas(height: int, width: int) -> tuple[int, int]:
    """Height and width, 384 times 1 to 6, of the canvas that shows most of a picture's pixels; LLaVA's rule."""

    def shown(size: tuple[int, int]) -> tuple[int, int]:
        scale = min(size[1] / width, size[0] / height)
        pixels = min(int(width * scale) * int(height * scale), width * height)
        return pixels, pixels - size[0] * size[1]

    sides = range(SQUARE, 6 * SQUARE + 1, SQUARE)
    return max(((h, w) for h in sides for w in sides), key=shown)


def squares(levels: torch.Tensor) -> tuple[torch.Tensor, int]:
    """A picture alone: the whole and the squares of its canvas, float32 [squares, 3, 384, 384], and its tokens."""
    height, width = levels.shape[1:]
    down, across = canvas(height, width)
    if across / width < down / height:
        size = (min(math.ceil(height * (across / width)), down), across)
    else:
        size = (down, min(math.ceil(width * (down / height)), across))
    large = torch.zeros(3, down, across, dtype=torch.uint8)
    top, left = (down - size[0]) // 2, (across - size[1]) // 2
    large[:, top : top + size[0], left : left + size[1]] = resized(levels, *size)
    rows, columns = down // SQUARE, across // SQUARE
    cut = large.reshape(3, rows, SQUARE, columns, SQUARE).permute(1, 3, 0, 2, 4)
    parts = [resized(levels, SQUARE, SQUARE)[None], cut.reshape(-1, 3, SQUARE, SQUARE)]
    tokens = SQUARE_TOKENS + _canvas_tokens(height, width, rows, columns)
    return normalised(torch.cat(parts), HALF_TABLE), tokens


def _canvas_tokens(height: int, width: int, rows: int, columns: int) -> int:
    """Features of the canvas without its padding, at most about 9 squares of them, and a newline behind each row."""
    h, w = FEATURES * rows, FEATURES * columns
    if width / height > w / h:
        h -= (h - int(round(height * (w / width), 7))) // 2 * 2
    else:
        w -= (w - int(round(width * (h / height), 7))) // 2 * 2
    ratio = math.sqrt(h * w / (9 * SQUARE_TOKENS))
    if ratio > 1.1:
        h, w = int(h // ratio), int(w // ratio)
    return h * w + h


def padded_square(levels: torch.Tensor) -> torch.Tensor:
    """One of several pictures: padded to a square with level 127, float32 [1, 3, 384, 384]."""
    height, width = levels.shape[1:]
    side = max(height, width)
    square = torch.full((3, side, side), 127, dtype=torch.uint8)
    top, left = (side - height) // 2, (side - width) // 2
    square[:, top : top + height, left : left + width] = levels
    return normalised(resized(square, SQUARE, SQUARE)[None], HALF_TABLE)


TILE, MOST_TILES = 448, 12


def tile_grid(height: int, width: int) -> tuple[int, int]:
    """Columns and rows of tiles, at most 12, whose aspect is nearest to the picture's; InternVL's rule."""
    grids = {
        (columns, rows)
        for n in range(1, MOST_TILES + 1)
        for columns in range(1, n + 1)
        for rows in range(1, n + 1)
        if columns * rows <= MOST_TILES
    }
    best, least = (1, 1), math.inf
    for columns, rows in sorted(grids, key=lambda g: (g[0] * g[1], g[0])):
        off = abs(width / height - columns / rows)
        larger = height * width > 0.5 * TILE * TILE * columns * rows
        if off < least or (off == least and larger):
            best, least = (columns, rows), off
    return best


def tiles(levels: torch.Tensor) -> torch.Tensor:
    """Tiles of 448 in reading order and, if there are several, the whole picture: float32 [tiles, 3, 448, 448]."""
    columns, rows = tile_grid(levels.shape[1], levels.shape[2])
    large = resized(levels, rows * TILE, columns * TILE)
    cut = large.reshape(3, rows, TILE, columns, TILE).permute(1, 3, 0, 2, 4)
    parts = cut.reshape(rows * columns, 3, TILE, TILE)
    if len(parts) > 1:
        parts = torch.cat([parts, resized(levels, TILE, TILE)[None]])
    return normalised(parts, IMAGENET_TABLE)

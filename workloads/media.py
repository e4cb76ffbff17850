"""Media of the workloads: real photographs, clips and recordings, re-cropped, re-scaled and re-encoded. The same seed gives the same bytes."""

from __future__ import annotations

import io
import math
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

REPOSITORY = Path(__file__).resolve().parents[1]
PHOTOS = REPOSITORY / "examples" / "media"
RESOURCES = REPOSITORY / "media" / "src" / "test" / "resources"
CLIP = RESOURCES / "videos" / "torchcodec" / "nasa_13013.mp4"
SPEECH = RESOURCES / "audio" / "lhotse" / "libri-1088-134315-0000.wav"
SPEECH_HERTZ = 16_000

Frames = npt.NDArray[np.uint8]


@cache
def photographs() -> tuple[Image.Image, ...]:
    """All photographs of the demo, upright and opaque."""
    return tuple(Image.open(file).convert("RGB") for file in sorted(PHOTOS.glob("*.jpg")))


def area_log_normal(random: np.random.Generator, median: float, sigma: float) -> float:
    """An area in megapixels, or a duration in seconds: log-normal."""
    return float(median * math.exp(sigma * random.standard_normal()))


def sides(random: np.random.Generator, megapixels: float) -> tuple[int, int]:
    """Width and height of an area; aspects from 1:2 to 2:1."""
    aspect = 2.0 ** random.uniform(-1, 1)
    width = math.sqrt(megapixels * 1e6 * aspect)
    return max(32, round(width)), max(32, round(width / aspect))


def photograph(random: np.random.Generator, width: int, height: int) -> bytes:
    """A JPEG of another part of a photograph."""
    source = photographs()[int(random.integers(len(photographs())))]
    share = random.uniform(0.5, 1.0)
    across, down = int(source.width * share), int(source.height * share)
    left = int(random.integers(source.width - across + 1))
    top = int(random.integers(source.height - down + 1))
    box = (left, top, left + across, top + down)
    out = io.BytesIO()
    source.resize((width, height), Image.Resampling.BILINEAR, box).save(out, "JPEG", quality=87)
    return out.getvalue()


def document(random: np.random.Generator, width: int, height: int) -> bytes:
    """A JPEG of lines of text on paper."""
    page = Image.new("RGB", (width, height), (250, 248, 240))
    draw = ImageDraw.Draw(page)
    for top in range(20, height - 20, 14):
        letters = random.integers(97, 123, int(random.integers(20, max(21, width // 7))))
        draw.text((20, top), bytes(letters.astype(np.uint8)).decode(), fill=(20, 20, 30))
    out = io.BytesIO()
    page.save(out, "JPEG", quality=87)
    return out.getvalue()


@cache
def clip_frames() -> Frames:
    """Frames of the real clip: [frames, 270, 480, 3], 30 a second."""
    import av

    with av.open(str(CLIP)) as box:
        stream = max(box.streams.video, key=lambda s: s.width or 0)
        return np.stack([f.to_ndarray(format="rgb24") for f in box.decode(stream)])


def video(
    random: np.random.Generator, seconds: float, width: int, height: int, codec: str, container: str
) -> bytes:
    """Another stretch of the real clip, to and fro, scaled and encoded at 30 frames a second."""
    import av

    frames = clip_frames()
    begin = int(random.integers(len(frames)))
    out = io.BytesIO()
    with av.open(out, "w", format=container) as box:
        options = {"g": "60", "threads": "1"}
        if codec in ("libx264", "libx265"):
            options |= {"preset": "veryfast", "x265-params": "log-level=none:pools=none"}
        if codec == "libvpx-vp9":
            options |= {"cpu-used": "8", "deadline": "realtime"}
        stream = box.add_stream(codec, rate=30, options=options)
        pixels = "yuvj420p" if codec == "mjpeg" else "yuv420p"
        stream.width, stream.height, stream.pix_fmt = width, height, pixels
        stream.bit_rate = 3 * width * height
        for k in range(max(1, round(30 * seconds))):
            place = (begin + k) % (2 * len(frames) - 1)
            picture = frames[place if place < len(frames) else 2 * len(frames) - 2 - place]
            frame = av.VideoFrame.from_ndarray(picture, "rgb24").reformat(width, height, pixels)
            frame.pts = k
            for packet in stream.encode(frame):
                box.mux(packet)
        for packet in stream.encode(None):
            box.mux(packet)
    return out.getvalue()


@cache
def _speech() -> npt.NDArray[np.int16]:
    import av

    with av.open(str(SPEECH)) as box:
        return np.concatenate([f.to_ndarray().ravel() for f in box.decode(audio=0)])


def recording(random: np.random.Generator, seconds: float, codec: str, container: str) -> bytes:
    """A stretch of real speech, repeated if it is long, encoded."""
    import av

    speech = _speech()
    begin = int(random.integers(len(speech)))
    samples = np.roll(np.tile(speech, 3), -begin)[: round(seconds * SPEECH_HERTZ)]
    out = io.BytesIO()
    rate = 48_000 if codec == "libopus" else SPEECH_HERTZ
    formats = {"libopus": "flt", "libmp3lame": "fltp", "flac": "s16", "pcm_s16le": "s16"}
    with av.open(out, "w", format=container) as box:
        stream = box.add_stream(codec, rate=rate)
        stream.layout = "mono"
        frame = av.AudioFrame.from_ndarray(samples.reshape(1, -1), "s16", "mono")
        frame.sample_rate, frame.pts = SPEECH_HERTZ, 0
        resampler = av.AudioResampler(format=formats[codec], layout="mono", rate=rate)
        for part in resampler.resample(frame) + resampler.resample(None):
            for packet in stream.encode(part):
                box.mux(packet)
        for packet in stream.encode(None):
            box.mux(packet)
    return out.getvalue()

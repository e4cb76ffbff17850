#!/usr/bin/env python3
"""Measures videos, from their bytes in memory to the chosen frames in RGB, beside PyAV on one core.

Run:   python3 bench/python/video_bench.py [--rounds N] [--core N] [--quick]

Makes its own virtual environment and clips under .cache: real clips of the tests, panned over by a seeded window, scaled and encoded again to longer ones.
Checks that Headrace's frames are those of PyAV with FFmpeg's filters, to the bit. Then in each round PyAV runs in this process and
Headrace as a JMH benchmark (VideoBenchmark), all on one pinned core and with one thread for each decoder. Every time is the CPU time of the one thread
that does the work. Two choices: two frames a second, which PyAV decodes from end to end, and 8 frames at even distances, for which PyAV
seeks to the key before each and decodes up to it, and goes on decoding where no key lies between. Writes docs/benchmarks/video.json and
video.md; with --quick, in one round, and says so in them.
"""

from __future__ import annotations

import argparse
import io
import itertools
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from image_bench import JAVA_FLAGS, ROOT, classpath, java, machine

CACHE = ROOT / ".cache" / "video-bench"
VIDEOS = ROOT / "media" / "src" / "test" / "resources" / "videos"
PINNED = ["av==18.1.0", "numpy==2.4.6"]
SOURCES = [
    "decord/flipping_a_pancake.mkv",
    "lhotse/big_buck_bunny_small.mp4",
    "torchcodec/nasa_13013.mp4",
]
CHOICES = {"rate:2": "2 frames a second", "count:8": "8 frames of the clip"}
RATE = 30


@dataclass(frozen=True)
class Clip:
    """How a clip is encoded: libx264's and libx265's own defaults but for what is named."""

    codec: str
    width: int
    height: int
    seconds: int
    keys: int
    suffix: str = "mp4"

    @property
    def name(self) -> str:
        return f"{self.codec} {self.width}x{self.height}, {self.seconds} s, key every {self.keys}"

    @property
    def path(self) -> Path:
        return CACHE / f"{self.codec}-{self.height}-{self.seconds}-{self.keys}.{self.suffix}"


CLIPS = [
    Clip("h264", 640, 360, 20, 250),
    Clip("h264", 1280, 720, 60, 60),
    Clip("h264", 1280, 720, 60, 250),
    Clip("hevc", 640, 360, 60, 250),
    Clip("vp9", 640, 360, 20, 128, "webm"),
    Clip("av1", 640, 360, 20, 150),
]
ENCODERS = {
    "h264": ("libx264", {"preset": "medium", "crf": "23"}),
    "hevc": ("libx265", {"preset": "fast", "crf": "28", "x265-params": "log-level=none"}),
    "av1": ("libsvtav1", {"preset": "8", "crf": "38"}),
    "vp9": ("libvpx-vp9", {"deadline": "realtime", "cpu-used": "7", "crf": "34", "b": "0"}),
}


@dataclass(frozen=True)
class Settings:
    """How long is measured, and where."""

    core: int
    rounds: int = 4
    warm_ups: int = 3
    iterations: int = 4
    repeats: int = 3


def environment() -> Path:
    """The benchmark's own Python, with pinned packages."""
    python = CACHE / "venv" / "bin" / "python"
    done = CACHE / "venv" / ".done"
    if not done.exists() or done.read_text() != repr(PINNED):
        subprocess.run([sys.executable, "-m", "venv", str(CACHE / "venv")], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *PINNED], check=True)
        done.write_text(repr(PINNED))
    return python


def pictures():
    """Frames of the real clips one after another, over and over, forwards and backwards."""
    import av

    frames = []
    for source in SOURCES:
        with av.open(str(VIDEOS / source)) as box:
            frames += [f.to_ndarray(format="rgb24") for f in box.decode(box.streams.best("video"))]
    while True:
        yield from frames
        yield from reversed(frames)


def make(clip: Clip) -> Path:
    """A window over the pictures that wanders by a seeded walk, scaled to the clip's size."""
    import av

    if clip.path.exists():
        return clip.path
    rng = random.Random(clip.name)
    encoder, options = ENCODERS[clip.codec]
    partial = clip.path.with_name(f"partial-{clip.path.name}")
    left, top = 0.1, 0.1
    with av.open(str(partial), "w") as out:
        stream = out.add_stream(encoder, rate=RATE, options={**options, "g": str(clip.keys)})
        stream.width, stream.height, stream.pix_fmt = clip.width, clip.height, "yuv420p"
        for number, picture in zip(range(clip.seconds * RATE), pictures()):
            left = min(max(left + rng.uniform(-0.004, 0.004), 0), 0.2)
            top = min(max(top + rng.uniform(-0.004, 0.004), 0), 0.2)
            height, width = picture.shape[:2]
            y, x = int(top * height), int(left * width)
            window = picture[y : y + int(0.8 * height), x : x + int(0.8 * width)].copy()
            frame = av.VideoFrame.from_ndarray(window, format="rgb24").reformat(
                clip.width, clip.height, "yuv420p", interpolation="BICUBIC"
            )
            frame.pts, frame.time_base = number, Fraction(1, RATE)
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    partial.rename(clip.path)
    return clip.path


class Headrace:
    """The Java side: a JMH benchmark for the times, a small program for the frames."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.java = [str(java() / "bin" / "java"), *JAVA_FLAGS, "-cp", classpath()]

    def frames(self, choice: str, file: Path) -> dict[int, int]:
        """Place and CRC-32 of the chosen frames."""
        command = [*self.java, "io.headrace.bench.VideoFrames", choice, str(file)]
        text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        return {int(place): int(crc) for place, crc in (line.split() for line in text.splitlines())}

    def run(self, choice: str, file: Path) -> list[float]:
        """CPU milliseconds of each iteration of one fork."""
        with tempfile.TemporaryDirectory(prefix="video-bench-") as folder:
            result = Path(folder) / "result.json"
            command = [*self.java[:1], "-Djmh.ignoreLock=true", *self.java[1:]]
            command += ["org.openjdk.jmh.Main", "VideoBenchmark", "-rf", "json"]
            command += ["-rff", str(result), "-p", f"choice={choice}", "-p", f"file={file}"]
            command += ["-foe", "true", "-v", "SILENT", "-f", "1"]
            command += ["-wi", str(self.settings.warm_ups), "-i", str(self.settings.iterations)]
            subprocess.run(
                ["taskset", "-c", str(self.settings.core), *command],
                check=True,
                stdout=subprocess.DEVNULL,
                timeout=600,
            )
            counts = json.loads(result.read_text())[0]["secondaryMetrics"]
            nanos = counts["cpuNanos"]["rawData"][0]
            videos = counts["videos"]["rawData"][0]
            return [n / v / 1e6 for n, v in zip(nanos, videos)]


def opened(encoded: bytes):
    import av

    box = av.open(io.BytesIO(encoded))
    stream = box.streams.video[0]
    stream.thread_count = 1
    return box, stream


def sequential(encoded: bytes, wanted: list[int]) -> list:
    """Decodes from the start to the last wanted frame and converts those that are wanted."""
    box, stream = opened(encoded)
    asked, out = set(wanted), []
    with box:
        for number, frame in enumerate(box.decode(stream)):
            if number in asked:
                out.append(frame.to_ndarray(format="rgb24"))
            if number == wanted[-1]:
                break
    return out


def seeking(encoded: bytes, wanted: list[int]) -> list:
    """Seeks to the key before each wanted frame, unless decoding has passed that key already, and decodes up to the frame."""
    box, stream = opened(encoded)
    out, at, frames = [], -1, None
    with box:
        ticks = {place: round(place / RATE / stream.time_base) for place in wanted}
        for place in wanted:
            if frames is None or not same_group(stream, at, ticks[place]):
                box.seek(ticks[place], stream=stream, backward=True, any_frame=False)
                frames = box.decode(stream)
            for frame in frames:
                if frame.pts >= ticks[place] - 1:
                    out.append(frame.to_ndarray(format="rgb24"))
                    at = frame.pts
                    break
    return out


def same_group(stream, at: int, wanted: int) -> bool:
    """Whether no key lies between two times, by the container's index."""
    entry = stream.index_entries.search_timestamp(wanted, backward=True)
    return entry >= 0 and stream.index_entries[entry].timestamp <= at


def exact(encoded: bytes, wanted: list[int]) -> dict[int, int]:
    """CRC-32 of the frames that FFmpeg's filters make, as torchcodec does."""
    import av

    box, stream = opened(encoded)
    asked, sums, graph = set(wanted), {}, None
    with box:
        for number, frame in enumerate(box.decode(stream)):
            if number not in asked:
                continue
            if graph is None:
                graph = av.filter.Graph()
                chain = [graph.add_buffer(template=stream), graph.add("scale")]
                chain += [graph.add("format", "pix_fmts=rgb24"), graph.add("buffersink")]
                for one, two in itertools.pairwise(chain):
                    one.link_to(two)
                graph.configure()
            graph.push(frame)
            sums[number] = zlib.crc32(graph.pull().to_ndarray().tobytes())
    return sums


def timed(work, encoded: bytes, wanted: list[int], repeats: int) -> list[float]:
    times = []
    for _ in range(repeats):
        start = time.thread_time_ns()
        frames = work(encoded, wanted)
        times.append((time.thread_time_ns() - start) / 1e6)
        if len(frames) != len(wanted):
            sys.exit(f"PyAV gave {len(frames)} of {len(wanted)} frames")
    return times


def references(choice: str) -> dict:
    named = {"PyAV from end to end": sequential}
    if choice.startswith("count"):
        named["PyAV with seeks"] = seeking
    return named


def measure(settings: Settings) -> dict[str, list[float]]:
    CACHE.mkdir(parents=True, exist_ok=True)
    files = {clip: make(clip) for clip in CLIPS}
    os.sched_setaffinity(0, {settings.core})
    headrace = Headrace(settings)
    encoded = {clip: file.read_bytes() for clip, file in files.items()}
    wanted = {}
    for clip, file in files.items():
        for choice in CHOICES:
            made = headrace.frames(choice, file)
            wanted[clip, choice] = sorted(made)
            if made != exact(encoded[clip], wanted[clip, choice]):
                sys.exit(f"{clip.name}: frames differ from those of FFmpeg's filters")
    times: dict[str, list[float]] = {}
    for number in range(settings.rounds):
        for (clip, choice), places in wanted.items():
            turn = {
                name: timed(work, encoded[clip], places, settings.repeats)
                for name, work in references(choice).items()
            }
            turn["Headrace"] = headrace.run(choice, files[clip])
            for name, values in turn.items():
                times.setdefault(f"{clip.name}|{choice}|{name}", []).extend(values)
        print(f"round {number + 1} of {settings.rounds}", file=sys.stderr)
    return times


def cell(values: list[float]) -> str:
    return f"{statistics.median(values):.1f} ({min(values):.1f}, {max(values):.1f})"


def markdown(result: dict) -> str:
    times = result["times_ms"]
    lines = [
        "# Videos: from bytes to frames in RGB",
        "",
        "Written by `python3 bench/python/video_bench.py`; `video.json` beside it holds every time.",
        "",
        f"{result['machine']}; load average at the end {result['load_average']}. {result['versions']}.",
    ]
    if result["quick"]:
        lines += ["**One short round on a busy machine: to be repeated.**"]
    lines += [
        "Clips are real ones, panned over and encoded again by the script. CPU milliseconds a clip of the one thread: median (least, most).",
        "Both sides open the clip from memory each time, decode with one thread and end with copies of the frames in RGB. Headrace's frames",
        "were compared with those of FFmpeg's filters: equal to the bit.",
    ]
    for choice, title in CHOICES.items():
        names = [*references(choice), "Headrace"]
        lines += ["", f"## {title}", ""]
        lines += ["| clip | " + " | ".join(names) + " | times as fast |"]
        lines += ["|---|" + "---|" * (len(names) + 1)]
        logs = []
        for clip in CLIPS:
            row = {name: times[f"{clip.name}|{choice}|{name}"] for name in names}
            medians = {name: statistics.median(values) for name, values in row.items()}
            best = min(value for name, value in medians.items() if name != "Headrace")
            ratio = best / medians["Headrace"]
            logs.append(math.log(ratio))
            cells = " | ".join(cell(row[name]) for name in names)
            lines.append(f"| {clip.name} | {cells} | {ratio:.2f} |")
        lines += [
            "",
            f"Geometric mean over the clips, against the faster way of PyAV: {math.exp(statistics.fmean(logs)):.2f}.",
        ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=Settings.rounds)
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--quick", action="store_true", help="one short round, marked as such")
    arguments = parser.parse_args()
    python = environment()
    if Path(sys.prefix).resolve() != (CACHE / "venv").resolve():
        os.execv(python, [str(python), *sys.argv])
    settings = Settings(arguments.core, arguments.rounds)
    if arguments.quick:
        settings = Settings(arguments.core, rounds=1, warm_ups=2, iterations=3, repeats=2)
    import av

    times = measure(settings)
    result = {
        "machine": machine(),
        "load_average": [round(x, 1) for x in os.getloadavg()],
        "versions": f"PyAV {av.__version__} (FFmpeg {av.ffmpeg_version_info}), Headrace with FFmpeg 8.0.1",
        "quick": arguments.quick,
        "times_ms": {k: [round(x, 3) for x in v] for k, v in times.items()},
    }
    out = ROOT / "docs" / "benchmarks"
    (out / "video.json").write_text(json.dumps(result, indent=1) + "\n")
    (out / "video.md").write_text(markdown(result))
    print(markdown(result))


if __name__ == "__main__":
    main()

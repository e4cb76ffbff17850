#!/usr/bin/env python3
"""Measures pictures, the whole way from JPEG bytes to the model's tensor, beside Pillow and torchvision with the Hugging Face processor.

Run:   python3 bench/python/image_bench.py [--rounds N] [--core N]

Makes its own virtual environment and pictures under .cache (about 1.5 GB the first time), compiles the Java side, then runs all
contenders in turns on one pinned core, in this process and in one warm Java process on the same core. Every contender's time is the CPU
time of its one thread, so that other processes on the machine count little, from encoded bytes in memory to the final tensor; Headrace's tensor is in a slot in shared memory that is reused, the others' is what the
processor returns. Checks that Headrace's float32 tensor equals the processor's. Writes docs/benchmarks/images.json and images.md.
"""

from __future__ import annotations

import argparse
import io
import json
import math
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache" / "image-bench"
PHOTOS = ROOT / "media" / "src" / "test" / "resources" / "pictures" / "exif" / "photos"
PINNED = ["numpy==2.4.6", "pillow==13.0.0", "transformers==5.24.0", "safetensors==0.8.0"]
MAX_PIXELS = 1280 * 784
MODELS = {"qwen2_5_vl": f"qwen2_5_vl:3136:{MAX_PIXELS}", "clip": "clip:224"}
HEADRACE = {
    "headrace float32": ("float32", "exact"),
    "headrace bfloat16": ("bfloat16", "exact"),
    "headrace uint8": ("uint8", "exact"),
    "headrace float32 fast": ("float32", "fast"),
    "headrace uint8 fast": ("uint8", "fast"),
}
REFERENCES = ["pillow + processor", "torchvision + processor"]
REPEATS = {"640x480": 12, "1280x853": 5, "4000x3000": 2}


def environment() -> Path:
    """The benchmark's own Python, with pinned packages."""
    python = CACHE / "venv" / "bin" / "python"
    done = CACHE / "venv" / ".done"
    if not done.exists() or done.read_text() != repr(PINNED):
        subprocess.run([sys.executable, "-m", "venv", str(CACHE / "venv")], check=True)
        subprocess.run([str(python), str(Path(__file__).with_name("cpu_torch.py"))], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *PINNED], check=True)
        done.write_text(repr(PINNED))
    return python


def java() -> Path:
    """A JDK 25: JAVA_HOME, else one under /usr/lib/jvm."""
    homes = (
        [Path(os.environ["JAVA_HOME"])]
        if "JAVA_HOME" in os.environ
        else sorted(Path("/usr/lib/jvm").glob("*25*"))
    )
    for home in homes:
        if (home / "bin" / "java").exists():
            return home
    sys.exit("a JDK 25 is needed: set JAVA_HOME")


def classpath() -> str:
    """Class path of the bench module; compiled with Maven. HEADRACE_BENCH_CLASSPATH replaces both."""
    given = os.environ.get("HEADRACE_BENCH_CLASSPATH")
    if given:
        return given
    written = ROOT / "bench" / "target" / "classpath.txt"
    command = [
        "mvn",
        "-q",
        "-B",
        "-pl",
        "bench",
        "-am",
        "-Dspotless.check.skip=true",
        "test-compile",
    ]
    command += ["dependency:build-classpath", f"-Dmdep.outputFile={written}"]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "JAVA_HOME": str(java())}, check=True)
    return f"{ROOT / 'bench' / 'target' / 'classes'}{os.pathsep}{written.read_text().strip()}"


def pictures() -> dict[str, Path]:
    """Three JPEG files of camera pixels, none of them enlarged: a photo as it is, a cut of one, and a collage of several."""
    from PIL import Image

    CACHE.mkdir(parents=True, exist_ok=True)
    files = {size: CACHE / f"{size}.jpg" for size in REPEATS}
    files["640x480"].write_bytes((PHOTOS / "DSCN0010.jpg").read_bytes())

    def photo(name: str) -> Image.Image:
        return Image.open(PHOTOS / name).convert("RGB")

    photo("22-canon_tags.jpg").crop((160, 173, 1440, 1026)).save(files["1280x853"], quality=90)
    collage = Image.new("RGB", (4000, 3000))
    collage.paste(photo("jolla.jpg"), (0, 0))
    collage.paste(photo("canon_hdr_YES.jpg").crop((0, 0, 736, 1536)), (3264, 0))
    collage.paste(photo("Reconyx_HC500_Hyperfire.jpg").crop((0, 0, 736, 1464)), (3264, 1536))
    collage.paste(photo("Reconyx_HC500_Hyperfire.jpg").crop((0, 500, 2048, 1052)), (0, 2448))
    collage.paste(photo("36-memory_error.jpg").crop((0, 300, 1216, 852)), (2048, 2448))
    collage.save(files["4000x3000"], quality=90)
    return files


class Headrace:
    """The warm Java process."""

    def __init__(self, core: int) -> None:
        self.slot = Path(tempfile.mkdtemp(prefix="image-bench-", dir="/dev/shm")) / "slot"
        flags = ["--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"]
        flags += ["--add-modules", "jdk.incubator.vector", "-XX:+UseParallelGC", "-Xmx1g"]
        command = [
            "taskset",
            "-c",
            str(core),
            str(java() / "bin" / "java"),
            *flags,
            "-cp",
            classpath(),
        ]
        self.process = subprocess.Popen(
            [*command, "io.headrace.bench.ImageBench", str(self.slot)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def run(self, model: str, variant: str, file: Path, repeats: int) -> list[float]:
        wire, quality = HEADRACE[variant]
        self.process.stdin.write(f"{MODELS[model]} {wire} {quality} {repeats} {file}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().split()
        if len(answer) != repeats:
            sys.exit("the Java process ended: run it by hand to see why")
        return [int(nanos) / 1e6 for nanos in answer]

    def tensor(self, dtype, count: int):
        import numpy

        return numpy.fromfile(self.slot, dtype=dtype, count=count)

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()
        self.slot.unlink(missing_ok=True)
        self.slot.parent.rmdir()


class References:
    """Pillow and torchvision decoders in front of the processor of transformers, on its default backend."""

    def __init__(self) -> None:
        import torch
        import transformers

        torch.set_num_threads(1)
        transformers.logging.set_verbosity_error()
        qwen = transformers.Qwen2VLImageProcessor(
            size={"shortest_edge": 3136, "longest_edge": MAX_PIXELS}
        )
        self.processors = {"qwen2_5_vl": qwen, "clip": transformers.CLIPImageProcessor()}

    def tensor(self, model: str, contender: str, encoded: bytes):
        import torch
        from PIL import Image
        from torchvision.io import decode_jpeg

        if contender.startswith("pillow"):
            picture = Image.open(io.BytesIO(encoded)).convert("RGB")
        else:
            picture = decode_jpeg(torch.frombuffer(bytearray(encoded), dtype=torch.uint8))
        return self.processors[model](picture, return_tensors="pt")["pixel_values"]

    def run(self, model: str, contender: str, encoded: bytes, repeats: int) -> list[float]:
        times = []
        for _ in range(repeats):
            start = time.thread_time_ns()
            self.tensor(model, contender, encoded)
            times.append((time.thread_time_ns() - start) / 1e6)
        return times


def check(
    headrace: Headrace, references: References, files: dict[str, Path]
) -> dict[str, dict[str, float]]:
    """Equality of float32, and how far `fast` is from `exact` in levels; also the first warm-up."""
    import numpy

    deviation = {}
    for model in MODELS:
        for size, file in files.items():
            want = references.tensor(model, "pillow + processor", file.read_bytes()).numpy().ravel()
            headrace.run(model, "headrace float32", file, 1)
            if not numpy.array_equal(
                headrace.tensor("<f4", want.size).view("<u4"), want.view("<u4")
            ):
                sys.exit(f"{model} {size}: the float32 tensor differs from the processor's")
            tensors = []
            for variant in ("headrace uint8", "headrace uint8 fast"):
                headrace.run(model, variant, file, 1)
                tensors.append(headrace.tensor("u1", want.size).astype(int))
            levels = numpy.abs(tensors[1] - tensors[0])
            deviation[f"{model} {size}"] = {
                "mean_levels": round(float(levels.mean()), 4),
                "max_levels": int(levels.max()),
            }
    return deviation


def measure(rounds: int, core: int) -> dict:
    files = pictures()
    references = References()
    headrace = Headrace(core)
    os.sched_setaffinity(0, {core})
    times: dict[str, list[float]] = {}
    try:
        deviation = check(headrace, references, files)
        encoded = {size: file.read_bytes() for size, file in files.items()}
        for _ in range(2):  # until the Java side is compiled
            for model in MODELS:
                for size, file in files.items():
                    for variant in HEADRACE:
                        headrace.run(model, variant, file, 25 * REPEATS[size])
        for number in range(rounds):
            for model in MODELS:
                for size, file in files.items():
                    for contender in REFERENCES:
                        times.setdefault(f"{model}|{size}|{contender}", []).extend(
                            references.run(model, contender, encoded[size], REPEATS[size])
                        )
                    for variant in HEADRACE:
                        times.setdefault(f"{model}|{size}|{variant}", []).extend(
                            headrace.run(model, variant, file, REPEATS[size])
                        )
            print(f"round {number + 1} of {rounds}", file=sys.stderr)
    finally:
        headrace.close()
    return {"times_ms": times, "fast_deviation": deviation}


def summary(times: dict[str, list[float]]) -> list[dict]:
    rows = []
    for key, values in times.items():
        model, size, contender = key.split("|")
        rows.append(
            {
                "model": model,
                "size": size,
                "contender": contender,
                "median_ms": statistics.median(values),
                "min_ms": min(values),
                "max_ms": max(values),
                "runs": len(values),
            }
        )
    return rows


def ratios(rows: list[dict]) -> dict[str, dict[str, float]]:
    """How many times as fast each way of Headrace is, over medians: geometric means over sizes, and over models too."""
    median = {(r["model"], r["size"], r["contender"]): r["median_ms"] for r in rows}
    out: dict[str, dict[str, float]] = {}
    for variant in HEADRACE:
        for reference in REFERENCES:
            logs = {
                m: [math.log(median[m, s, reference] / median[m, s, variant]) for s in REPEATS]
                for m in MODELS
            }
            means = {m: math.exp(statistics.fmean(v)) for m, v in logs.items()}
            means["all"] = math.exp(statistics.fmean(x for v in logs.values() for x in v))
            for model in MODELS:
                means[f"{model} 4000x3000"] = (
                    median[model, "4000x3000", reference] / median[model, "4000x3000", variant]
                )
            out[f"{variant} / {reference}"] = {k: round(v, 3) for k, v in means.items()}
    return out


def machine() -> str:
    info = Path("/proc/cpuinfo").read_text()
    names = [
        line.split(":", 1)[1].strip() for line in info.splitlines() if line.startswith("model name")
    ]
    return f"{names[0] if names else platform.processor()}, {len(names)} cores, one used"


def markdown(result: dict) -> str:
    lines = [
        "# Pictures: from JPEG bytes to the tensor",
        "",
        "Written by `python3 bench/python/image_bench.py`; `images.json` beside it holds every time.",
        "",
        f"{result['machine']}; load average at the end {result['load_average']}. Versions: {result['versions']}.",
        "640x480 is a camera's photo as it is, 1280x853 a cut of one, 4000x3000 a collage of camera photos at their own",
        "resolution (quality 90); none is enlarged. All contenders take turns in one run on one pinned core. CPU milliseconds of",
        "the one thread: median (least, most). The float32 tensors were compared: equal to the bit.",
        "",
    ]
    for model in MODELS:
        lines += [
            f"## {model}",
            "",
            "| contender | " + " | ".join(REPEATS) + " |",
            "|---|" + "---|" * len(REPEATS),
        ]
        for contender in REFERENCES + list(HEADRACE):
            cells = []
            for size in REPEATS:
                r = next(
                    r
                    for r in result["summary"]
                    if (r["model"], r["size"], r["contender"]) == (model, size, contender)
                )
                cells.append(f"{r['median_ms']:.2f} ({r['min_ms']:.2f}, {r['max_ms']:.2f})")
            lines.append(f"| {contender} | " + " | ".join(cells) + " |")
        lines.append("")
    keys = list(next(iter(result["ratios"].values())))
    lines += [
        "## How many times as fast",
        "",
        "Ratios of medians, geometric means over the three sizes; the last columns are one size.",
        "",
        "| | " + " | ".join(keys) + " |",
        "|---|" + "---|" * len(keys),
    ]
    for name, means in result["ratios"].items():
        lines.append(f"| {name} | " + " | ".join(f"{means[k]:.2f}" for k in keys) + " |")
    lines += [
        "",
        "## How far `fast` is from `exact`",
        "",
        "| | mean levels | most levels |",
        "|---|---|---|",
    ]
    for name, d in result["fast_deviation"].items():
        lines.append(f"| {name} | {d['mean_levels']:.3f} | {d['max_levels']:.0f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    arguments = parser.parse_args()
    python = environment()
    if Path(sys.prefix).resolve() != (CACHE / "venv").resolve():
        os.execv(python, [str(python), *sys.argv])
    import torch
    import torchvision
    import transformers
    from PIL import __version__ as pillow

    result = measure(arguments.rounds, arguments.core)
    rows = summary(result["times_ms"])
    versions = {
        "torch": torch.__version__,
        "torchvision": torchvision.__version__,
        "transformers": transformers.__version__,
        "pillow": pillow,
    }
    result = {
        "machine": machine(),
        "load_average": [round(x, 1) for x in os.getloadavg()],
        "versions": ", ".join(f"{k} {v}" for k, v in versions.items()),
        "summary": rows,
        "ratios": ratios(rows),
        **result,
    }
    out = ROOT / "docs" / "benchmarks"
    out.mkdir(parents=True, exist_ok=True)
    result["times_ms"] = {k: [round(x, 4) for x in v] for k, v in result["times_ms"].items()}
    (out / "images.json").write_text(json.dumps(result, indent=1) + "\n")
    (out / "images.md").write_text(markdown(result))
    print(markdown(result))


if __name__ == "__main__":
    main()

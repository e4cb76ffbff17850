#!/usr/bin/env python3
"""Measures pictures, the whole way from JPEG bytes to the model's tensor, beside Pillow and torchvision with the Hugging Face processor.

Run:   python3 bench/python/image_bench.py [--rounds N] [--core N] [--quick] [--deviation M]

Makes its own virtual environment and pictures under .cache (about 1.5 GB the first time), compiles the Java side, and checks that
Headrace's float32 tensors equal the processor's. Then in each round, for each model and size, the references run in this process and
Headrace as a JMH benchmark (ImageBenchmark: one fork for each way, with its own warm-up), all on one pinned core. Every time is the CPU
time of the one thread that does the work, so that other processes on the machine count little, from encoded bytes in memory to the final
tensor; Headrace's tensor is in a slot in shared memory that is reused, the others' is what the processor returns. Writes
docs/benchmarks/images.json and images.md in about ten minutes; with --quick, in a tenth of the time and too short to tell much, .cache/image-bench/quick.
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
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Settings:
    """How long is measured, and where."""

    core: int
    rounds: int = 4
    warm_ups: int = 4
    iterations: int = 5


REFERENCES = ["pillow + processor", "torchvision + processor"]
REPEATS = {"640x480": 16, "1280x853": 8, "4000x3000": 4}


def environment() -> Path:
    """The benchmark's own Python, with pinned packages."""
    python = CACHE / "venv" / "bin" / "python"
    done = CACHE / "venv" / ".done"
    if not done.exists() or done.read_text() != repr(PINNED):
        subprocess.run([sys.executable, "-m", "venv", str(CACHE / "venv")], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *PINNED], check=True)
        subprocess.run([str(python), str(Path(__file__).with_name("cpu_torch.py"))], check=True)
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


JAVA_FLAGS = ["--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"]
JAVA_FLAGS += ["--add-modules", "jdk.incubator.vector", "-XX:+UseParallelGC", "-Xmx1g"]


class Headrace:
    """The Java side: a JMH benchmark for the times, a small program for the tensors."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.java = [str(java() / "bin" / "java"), *JAVA_FLAGS, "-cp", classpath()]

    def run(self, model: str, file: Path) -> dict[str, list[float]]:
        """One JMH fork for each way: CPU milliseconds a picture, of each iteration."""
        with tempfile.TemporaryDirectory(prefix="image-bench-") as folder:
            result = Path(folder) / "result.json"
            ways = {f"{wire}-{quality}": name for name, (wire, quality) in HEADRACE.items()}
            command = [*self.java[:1], "-Djmh.ignoreLock=true", *self.java[1:]]
            command += [
                "org.openjdk.jmh.Main",
                "ImageBenchmark",
                "-rf",
                "json",
                "-rff",
                str(result),
            ]
            command += ["-p", f"model={MODELS[model]}", "-p", f"file={file}"]
            command += ["-p", f"way={','.join(ways)}", "-foe", "true", "-v", "SILENT"]
            command += ["-wi", str(self.settings.warm_ups), "-w", "500ms"]
            command += ["-i", str(self.settings.iterations), "-r", "300ms", "-f", "1"]
            subprocess.run(
                ["taskset", "-c", str(self.settings.core), *command],
                check=True,
                stdout=subprocess.DEVNULL,
                timeout=600,
            )
            times = {}
            for benchmark in json.loads(result.read_text()):
                counts = benchmark["secondaryMetrics"]
                nanos = counts["cpuNanos"]["rawData"][0]
                pictures = counts["pictures"]["rawData"][0]
                name = ways[benchmark["params"]["way"]]
                times[name] = [n / c / 1e6 for n, c in zip(nanos, pictures)]
            return times

    def tensors(self, lines: list[str]) -> list:
        """The tensor of each line ``MODEL WIRE QUALITY ALPHA FILE``, flat."""
        from safetensors.numpy import load_file

        with tempfile.TemporaryDirectory(prefix="image-bench-") as folder:
            out = Path(folder) / "out.safetensors"
            command = [*self.java, "io.headrace.bench.ProcessPictures", str(out)]
            done = subprocess.run(
                command, input="\n".join(lines), text=True, check=True, stdout=subprocess.PIPE
            )
            if done.stdout:
                sys.exit(f"pictures that cannot be used: {done.stdout}")
            tensors = load_file(out)
        return [tensors[str(i)].ravel() for i in range(len(lines))]


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


def check(headrace: Headrace, references: References, files: dict[str, Path]) -> None:
    """Headrace's float32 tensors are those of Pillow and the processor, to the bit."""
    import numpy

    for model, spec in MODELS.items():
        made = headrace.tensors([f"{spec} float32 exact white {file}" for file in files.values()])
        for tensor, (size, file) in zip(made, files.items()):
            want = references.tensor(model, "pillow + processor", file.read_bytes()).numpy().ravel()
            if not numpy.array_equal(tensor.view("<u4"), want.view("<u4")):
                sys.exit(f"{model} {size}: the float32 tensor differs from the processor's")


def deviations(headrace: Headrace, files: dict[str, Path], quality: str) -> dict[str, dict]:
    """How far `fast` is from `exact` in levels: for each size, and over the example pictures."""
    import numpy

    examples = sorted((ROOT / "examples" / "media").glob("*.jpg"))
    named = {**files, **{file.name: file for file in examples}}
    out = {}
    for model, spec in MODELS.items():
        lines = [f"{spec} uint8 {q} white {f}" for q in ("exact", quality) for f in named.values()]
        tensors = [tensor.astype(int) for tensor in headrace.tensors(lines)]
        levels = {
            name: numpy.abs(tensors[i] - tensors[i + len(named)]) for i, name in enumerate(named)
        }
        for size in files:
            out[f"{model} {size}"] = {
                "mean_levels": round(float(levels[size].mean()), 4),
                "max_levels": int(levels[size].max()),
            }
        means = [float(levels[file.name].mean()) for file in examples]
        most = [int(levels[file.name].max()) for file in examples]
        reduced = sum(value > 0 for value in most)
        out[f"{model}, {len(examples)} of examples/media, {reduced} of them reduced"] = {
            "mean_levels": round(statistics.fmean(means), 4),
            "max_levels": max(most),
        }
    return out


def measure(settings: Settings) -> dict:
    files = pictures()
    os.sched_setaffinity(0, {settings.core})
    references = References()
    headrace = Headrace(settings)
    check(headrace, references, files)
    times: dict[str, list[float]] = {}
    encoded = {size: file.read_bytes() for size, file in files.items()}
    for model in MODELS:
        for size in files:
            for contender in REFERENCES:
                references.run(model, contender, encoded[size], 2)
    for number in range(settings.rounds):
        for model in MODELS:
            for size, file in files.items():
                turn = {
                    contender: references.run(model, contender, encoded[size], REPEATS[size])
                    for contender in REFERENCES
                }
                turn.update(headrace.run(model, file))
                for contender, values in turn.items():
                    times.setdefault(f"{model}|{size}|{contender}", []).extend(values)
        print(f"round {number + 1} of {settings.rounds}", file=sys.stderr)
    return {"times_ms": times, "fast_deviation": deviations(headrace, files, "fast")}


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
        "resolution (quality 90); none is enlarged. All contenders take turns in one run on one pinned core: the references in Python,",
        "Headrace as a JMH benchmark, `ImageBenchmark`, a fork for each way in each round. CPU milliseconds of the one thread: median",
        "(least, most) of single runs of the references, and of the means of JMH's iterations. The float32 tensors were compared:",
        "equal to the bit.",
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
    parser.add_argument("--rounds", type=int, default=Settings.rounds)
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--quick", action="store_true", help="one short round, written to .cache")
    parser.add_argument(
        "--deviation",
        metavar="M",
        help="only print how far fast is from exact, reduced to M times the resized size",
    )
    arguments = parser.parse_args()
    python = environment()
    if Path(sys.prefix).resolve() != (CACHE / "venv").resolve():
        os.execv(python, [str(python), *sys.argv])
    settings = Settings(arguments.core, arguments.rounds)
    if arguments.quick:
        settings = Settings(arguments.core, rounds=1, warm_ups=2, iterations=1)
    if arguments.deviation:
        fast = f"fast:{arguments.deviation}"
        for name, levels in deviations(Headrace(settings), pictures(), fast).items():
            print(f"{name}: mean {levels['mean_levels']}, most {levels['max_levels']} levels")
        return
    import torch
    import torchvision
    import transformers
    from PIL import __version__ as pillow

    result = measure(settings)
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
    out = CACHE / "quick" if arguments.quick else ROOT / "docs" / "benchmarks"
    out.mkdir(parents=True, exist_ok=True)
    result["times_ms"] = {k: [round(x, 4) for x in v] for k, v in result["times_ms"].items()}
    (out / "images.json").write_text(json.dumps(result, indent=1) + "\n")
    (out / "images.md").write_text(markdown(result))
    print(markdown(result))


if __name__ == "__main__":
    main()

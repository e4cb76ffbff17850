#!/usr/bin/env python3
"""Time from asking for a ready batch to usable tensors, of Headrace and of torch's DataLoader.

Run:   JAVA_HOME=... VENV/bin/python bench/python/handover_bench.py [--rounds 300]

The engine is the real delivery server over slots that are ready; the DataLoader has one worker that
sends a batch of the same tensors, copied afresh as a collate function leaves them, and has them in
its queue before they are asked for (an idle pause before each request, the same on both sides).
Requests of both are interleaved. Every batch is touched: one value of every page of its largest
tensor is summed, outside the time of the request and in a second figure with it.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

import numpy as np  # noqa: E402
import torch  # noqa: E402

import headrace  # noqa: E402

SIZES = {"1 MB": 1_000_000, "28 MB": 28_000_000, "256 MB": 256_000_000}
SLOTS = 4
PATCH_ELEMENTS = 1176
# The engine's code is compiled while it runs, after some thousand requests.
WARM_ROUNDS = 4000
BACK_TO_BACK_ROUNDS = 1000
PAUSE_SECONDS = {"1 MB": 0.01, "28 MB": 0.1, "256 MB": 0.6}
FLAGS = ["--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"]
FLAGS += [f"-Dlogback.configurationFile={ROOT / 'app/src/main/resources/logback.xml'}"]


def java_home() -> Path:
    given = os.environ.get("JAVA_HOME")
    homes = [Path(given)] if given else sorted(Path("/usr/lib/jvm").glob("*25*"))
    for home in homes:
        if (home / "bin" / "java").exists():
            return home
    raise SystemExit("set JAVA_HOME to a JDK 25")


def classpath() -> str:
    """Compiles the bench module and asks Maven for its class path."""
    target = ROOT / "bench" / "target"
    written = target / "handover-classpath.txt"
    command = ["mvn", "-q", "-B", "-pl", "bench", "-am", "-Dspotless.check.skip", "compile"]
    command += ["dependency:build-classpath", f"-Dmdep.outputFile={written}"]
    environment = {**os.environ, "JAVA_HOME": str(java_home())}
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    return f"{target / 'classes'}:{written.read_text().strip()}"


def launch(path: str, socket: str, size: int) -> subprocess.Popen[str]:
    command = [str(java_home() / "bin" / "java"), *FLAGS, "-Xmx512m", "-cp", path]
    command += ["io.headrace.bench.deliver.HandoverServer", socket, str(size), str(SLOTS)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    while line := process.stdout.readline():
        if line.startswith("ready"):
            return process
    raise SystemExit("the server did not start")


class Copies(torch.utils.data.Dataset):  # type: ignore[misc]
    """The same tensors as the slot's, in fresh memory each time, as a collate function leaves them."""

    def __init__(self, size: int) -> None:
        self.pixels = torch.zeros(max(1, size // (PATCH_ELEMENTS * 4)), PATCH_ELEMENTS)

    def __len__(self) -> int:
        return 1 << 30

    def __getitem__(self, index: int) -> dict[str, torch.Tensor]:
        return {
            "pixel_values": self.pixels.clone(),
            "image_grid_thw": torch.zeros(8, 3, dtype=torch.int64),
            "input_ids": torch.zeros(1, 2048, dtype=torch.int64),
            "labels": torch.zeros(1, 2048, dtype=torch.int64),
            "position_ids": torch.zeros(3, 1, 2048, dtype=torch.int64),
            "sample_valid": torch.ones(8, dtype=torch.uint8),
        }


def touch(tensors: dict[str, torch.Tensor]) -> float:
    return float(tensors["pixel_values"].view(-1)[::1024].sum())


def once(ask: Any) -> tuple[float, float]:
    """Seconds until the tensors are there, and until each of their pages has been read."""
    began = time.perf_counter()
    tensors = ask()
    there = time.perf_counter()
    touch(tensors)
    return there - began, time.perf_counter() - began


def measure(path: str, name: str, size: int, rounds: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="hr") as folder:
        process = launch(path, f"{folder}/s", size)
        try:
            with headrace.open("none", 0, 1, socket=f"{folder}/s") as loader:
                return interleaved(loader, name, size, rounds)
        finally:
            process.kill()
            process.wait()


def interleaved(loader: headrace.Loader, name: str, size: int, rounds: int) -> dict[str, Any]:
    workers = torch.utils.data.DataLoader(
        Copies(size), batch_size=None, num_workers=1, prefetch_factor=2
    )
    batches = iter(workers)
    asks = {"headrace": lambda: next(loader).torch(), "dataloader": lambda: next(batches)}
    warm = [once(asks["headrace"])[0] for _ in range(WARM_ROUNDS)][-BACK_TO_BACK_ROUNDS:]
    for _ in range(10):
        once(asks["dataloader"])
    times: dict[str, list[tuple[float, float]]] = {key: [] for key in asks}
    for _ in range(rounds):
        for key, ask in asks.items():
            time.sleep(PAUSE_SECONDS[name])
            times[key].append(once(ask))
    report = {key: figures(values) for key, values in times.items()}
    report["headrace, no pause"] = figures([(value, value) for value in warm])
    return report


def figures(values: list[tuple[float, float]]) -> dict[str, float]:
    there, read = (np.array(column) * 1000 for column in zip(*values, strict=True))
    return {
        "p50_ms": round(float(np.percentile(there, 50)), 4),
        "p99_ms": round(float(np.percentile(there, 99)), 4),
        "read_p50_ms": round(float(np.percentile(read, 50)), 4),
        "read_p99_ms": round(float(np.percentile(read, 99)), 4),
    }


def priority() -> str:
    """Tells a run whose processes, of both loaders, go before others of a machine with other work."""
    return "" if os.sched_getscheduler(0) == os.SCHED_OTHER else ", all at real-time priority"


def markdown(report: dict[str, Any]) -> str:
    lines = [
        "# Hand-over of a ready batch",
        "",
        "Milliseconds from asking for a batch that is ready to torch tensors of it, and (read) until "
        "one value of each page of it has been read. Headrace and a torch DataLoader with one worker, "
        "whose batch waits in its queue, are asked in turn in one run, each after a pause as long as "
        "the DataLoader's worker needs. The rows without a pause are requests right after each other.",
        "",
        f"Command: `{report['command']}`",
        "",
        f"Machine: {report['machine']}. Rounds: "
        + ", ".join(f"{n} at {size}" for size, n in report["rounds"].items())
        + ".",
        "",
        "| batch | loader | p50 | p99 | read p50 | read p99 |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for size, loaders in report["sizes"].items():
        for loader, f in loaders.items():
            values = [f["p50_ms"], f["p99_ms"], f["read_p50_ms"], f["read_p99_ms"]]
            if loader.endswith("no pause"):
                values = values[:2]
            cells = " | ".join([f"{value:.3f}" for value in values] + [""] * (4 - len(values)))
            lines.append(f"| {size} | {loader} | {cells} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "benchmarks")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    path = classpath()
    rounds = {"1 MB": arguments.rounds, "28 MB": arguments.rounds}
    rounds["256 MB"] = max(20, arguments.rounds // 5)
    report = {
        "command": "python bench/python/handover_bench.py",
        "machine": f"{os.cpu_count()} cores, Linux {platform.release().split('-')[0]}, "
        f"torch {torch.__version__}, Python {platform.python_version()}{priority()}, "
        f"load average {os.getloadavg()[0]:.0f} at the start",
        "rounds": rounds,
        "sizes": {n: measure(path, n, s, rounds[n]) for n, s in SIZES.items()},
    }
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "handover.json").write_text(json.dumps(report, indent=1) + "\n")
    text = markdown(report)
    (arguments.out / "handover.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()

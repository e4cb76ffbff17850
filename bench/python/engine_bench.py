#!/usr/bin/env python3
"""How long an engine's start, an index and a plan take.

Run:   JAVA_HOME=... ./headrace python bench/python/engine_bench.py [start] [prepare] [plan]

start    processes of `examples/qwen2_5_vl.yaml` for one rank, from `headrace.open` until the engine answers, and until the first batch.
prepare  100,000 samples of about 10 KB in 16 tars: the index, beside reading the same files from end to end.
plan     one step of membership and one plan, by JMH, up to 512 ranks x 16 packs of 8,192 tokens.

Each writes its section of docs/benchmarks/engine.json; engine.md is made of all of them.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "docs" / "benchmarks"
STARTS = 10
SAMPLES = 100_000
PICTURE_BYTES = 10_000
REPEATS = 7
FLAGS = ["--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"]
FLAGS += ["--add-modules", "jdk.incubator.vector"]
START_ONCE = """
import sys, time
sys.path.insert(0, sys.argv[1])
import headrace
began = time.monotonic()
with headrace.open(sys.argv[2], 0, 1) as loader:
    opened = time.monotonic()
    next(loader)
    print(opened - began, time.monotonic() - began)
"""

Section = dict[str, Any]


def machine() -> str:
    """What the figures were measured on."""
    release = platform.release().split("-")[0]
    load = os.getloadavg()[0]
    return f"{os.cpu_count()} cores, Linux {release}, load average {load:.1f} at the start"


def class_path() -> str:
    """Compiles the bench module and asks Maven for its class path."""
    target = ROOT / "bench" / "target"
    written = target / "engine-classpath.txt"
    command = ["mvn", "-q", "-B", "-pl", "bench", "-am", "-Dspotless.check.skip", "compile"]
    command += ["dependency:build-classpath", f"-Dmdep.outputFile={written}"]
    subprocess.run(command, cwd=ROOT, check=True)
    return f"{target / 'classes'}:{written.read_text().strip()}"


def java(*arguments: str) -> str:
    """What a class of the bench module prints."""
    command = [f"{os.environ['JAVA_HOME']}/bin/java", *FLAGS, "-cp", class_path(), *arguments]
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout


def start() -> Section:
    """Every engine is a new process; the first, which may build, is not counted."""
    launcher = str(ROOT / "headrace")
    subprocess.run([launcher, "build"], check=True)
    recipe = str(ROOT / "examples" / "qwen2_5_vl.yaml")
    subprocess.run([launcher, "prepare", recipe], check=True, stdout=subprocess.DEVNULL)
    environment = {**os.environ, "HEADRACE_HOME": str(ROOT)}
    command = [sys.executable, "-c", START_ONCE, str(ROOT / "python"), recipe]
    answers, batches = [], []
    for _ in range(STARTS + 1):
        # The engine before has its grace time and a moment to end.
        time.sleep(4)
        printed = subprocess.run(
            command, env=environment, check=True, text=True, stdout=subprocess.PIPE
        ).stdout.split()
        answers.append(float(printed[0]))
        batches.append(float(printed[1]))
    return {"answers_s": answers[1:], "first_batch_s": batches[1:]}


def prepare() -> Section:
    """The same files from memory, and dropped from it before each run."""
    arguments = [str(SAMPLES), str(PICTURE_BYTES), str(REPEATS)]
    name = "io.headrace.bench.prepare.PrepareBenchmark"
    with tempfile.TemporaryDirectory(dir=ROOT / "bench" / "target") as folder:
        return {
            "in memory": java(name, folder, *arguments).strip().splitlines(),
            "cold": java(name, folder, *arguments, "cold").strip().splitlines(),
        }


def plan() -> Section:
    """JMH's own JSON, cut to what is told."""
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "jmh.json"
        arguments = ["org.openjdk.jmh.Main", "PlanBenchmark", "-rf", "json", "-rff", str(result)]
        printed = java(*arguments)
        runs = json.loads(result.read_text())
    rows = [
        {
            "what": run["benchmark"].rsplit(".", 1)[1],
            **run["params"],
            "percentiles_ms": run["primaryMetric"]["scorePercentiles"],
        }
        for run in runs
    ]
    even = sorted({line for line in printed.splitlines() if "max/mean" in line})
    return {"rows": rows, "imbalance": even}


def of_start(section: Section) -> list[str]:
    lines = ["## Start", "", "Seconds from `headrace.open` in a new process.", ""]
    lines += ["| until | median | least | most |", "| --- | ---: | ---: | ---: |"]
    for key, words in (("answers_s", "the engine answers"), ("first_batch_s", "the first batch")):
        v = section[key]
        lines.append(f"| {words} | {statistics.median(v):.2f} | {min(v):.2f} | {max(v):.2f} |")
    return lines


def of_prepare(section: Section) -> list[str]:
    lines = ["## Prepare", ""]
    for printed in section.values():
        lines += ["```", *printed, "```"]
    return lines


def of_plan(section: Section) -> list[str]:
    lines = ["## Plan", "", "Milliseconds.", "", "| what | step | balance | p50 | p95 |"]
    lines += ["| --- | --- | --- | ---: | ---: |"]
    for row in section["rows"]:
        p50, p95 = row["percentiles_ms"]["50.0"], row["percentiles_ms"]["95.0"]
        cells = f"{row['what']} | {row['shape']} | {row['method'].lower()}"
        lines.append(f"| {cells} | {p50:.3f} | {p95:.3f} |")
    return [*lines, "", "```", *section["imbalance"], "```"]


SECTIONS: dict[str, tuple[Callable[[], Section], Callable[[Section], list[str]]]] = {
    "start": (start, of_start),
    "prepare": (prepare, of_prepare),
    "plan": (plan, of_plan),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sections", nargs="*", default=list(SECTIONS), choices=list(SECTIONS))
    file = OUT / "engine.json"
    report = json.loads(file.read_text()) if file.exists() else {}
    for name in parser.parse_args().sections:
        host = machine()
        report[name] = {"machine": host, **SECTIONS[name][0]()}
    file.write_text(json.dumps(report, indent=1) + "\n")
    lines = [
        "# Start, index and plan",
        "",
        "Written by `./headrace python bench/python/engine_bench.py`.",
    ]
    for name, (_, words) in SECTIONS.items():
        if name in report:
            section = dict(report[name])
            host = section.pop("machine")
            lines += ["", *words(section), "", f"Measured on {host}."]
    text = "\n".join(lines) + "\n"
    (OUT / "engine.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()

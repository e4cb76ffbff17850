"""``./headrace bench [W1 W2 ...]``: Headrace beside PyTorch's DataLoader, a Ray actor pool and ready input, in one rank loop."""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "workloads")]

import ray_cluster  # noqa: E402
import tables  # noqa: E402
import yaml  # noqa: E402
from calibrate import Calibration, calibrate  # noqa: E402
from measures import RANKS, WARM_UP, summary  # noqa: E402
from rank_loop import CellFailure, run  # noqa: E402
from systems import Job  # noqa: E402

from generate import generate  # noqa: E402

RESULTS = ROOT / "docs" / "benchmarks" / "workloads.json"
CACHE = ROOT / "workloads" / "data"
QUICK_SAMPLES = 96
WORKLOADS = ("w1", "w2", "w5", "w6", "w9")

# Rank-local settings that were tried; the best of a workload at rho 1 is taken for all of its cells.
DATALOADERS: tuple[dict[str, Any], ...] = (
    {"workers": 1, "prefetch": 2},
    {"workers": 1, "prefetch": 4},
    {"workers": 2, "prefetch": 2},
)
HEADRACE: dict[str, dict[str, Any]] = {
    "headrace": {},
    "headrace rank-local": {"open": {"options": ("--rank-local",)}},
    "headrace fifo": {"recipe": {"delivery": {"schedule": "fifo"}}},
    "headrace unbalanced": {"recipe": {"plan": {"balance": {"method": "round_robin"}}}},
}


@dataclass(frozen=True)
class Plan:
    """What is run."""

    workloads: list[str]
    rhos: list[float]
    systems: list[str]
    repeats: int
    steps: int
    quick: bool
    fresh: bool


def arguments() -> Plan:
    parser = argparse.ArgumentParser(prog="headrace bench", description=__doc__)
    parser.add_argument("workloads", nargs="*", default=list(WORKLOADS), type=str.lower)
    parser.add_argument("--rho", default="1,2", help="CPU need over CPU given, e.g. 0.5,1,2,4")
    parser.add_argument("--systems", default="ready,ready balanced,dataloader,ray,headrace")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--steps", type=int, default=100, help="measured steps of a cell")
    parser.add_argument("--quick", action="store_true", help="one repeat, 40 steps, little data")
    parser.add_argument("--fresh", action="store_true", help="forget earlier cells")
    given = parser.parse_args()
    wrong = [w for w in given.workloads if w not in WORKLOADS]
    if wrong:
        parser.error(f"no workload {', '.join(wrong)}; there are {', '.join(WORKLOADS)}")
    return Plan(
        given.workloads,
        [float(rho) for rho in given.rho.split(",")],
        [system.strip() for system in given.systems.split(",")],
        1 if given.quick else given.repeats,
        40 if given.quick else given.steps,
        given.quick,
        given.fresh,
    )


class Race:
    """Runs cells that the results lack, in turns, and appends each as it ends."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._cores = len(os.sched_getaffinity(0))
        self._cells: list[dict[str, Any]] = []
        if RESULTS.exists() and not plan.fresh:
            self._cells = json.loads(RESULTS.read_text())["cells"]

    def run(self) -> None:
        for name in self._plan.workloads:
            recipe = yaml.safe_load((ROOT / "workloads" / f"{name}.yaml").read_text())
            batch = recipe["batch"]["samples"]
            samples = max(QUICK_SAMPLES, 2 * batch) if self._plan.quick else None
            generate(name, samples)
            calibration = calibrate(name, self._cores, CACHE / f"calibrated-{samples}")
            self._workload(name, recipe, batch, calibration)
        tables.write(RESULTS.parent)

    def _workload(
        self, name: str, recipe: dict[str, Any], batch: int, calibration: Calibration
    ) -> None:
        for repeat in range(self._plan.repeats):
            for rho in self._plan.rhos:
                for system in self._plan.systems:
                    key = {"workload": name, "system": system, "rho": rho, "repeat": repeat}
                    if not any(all(c[k] == v for k, v in key.items()) for c in self._cells):
                        self._cell(key, recipe, batch, calibration)

    def _cell(
        self, key: dict[str, Any], recipe: dict[str, Any], batch: int, calibration: Calibration
    ) -> None:
        cpu = calibration.cpu_seconds * batch
        window = cpu / (self._cores * key["rho"])
        scale = window / calibration.largest_cost(batch, RANKS, balanced=False)
        cell = dict(key) | {
            "batch": batch,
            "ranks": RANKS,
            "cores": self._cores,
            "scale": scale,
            "cpu_seconds_a_step_of_the_baseline": cpu,
            "bound_steps_per_second": 1 / (scale * calibration.largest_cost(batch, RANKS, True)),
        }
        settings = self._settings(key["system"], key["workload"])
        job = Job(
            workload=key["workload"],
            system=key["system"].split()[0],
            settings=settings,
            recipe=str(_recipe(key, recipe, settings)),
            batch=batch,
            ranks=RANKS,
            steps=WARM_UP + self._plan.steps,
            scale=scale,
            name=f"bench-{os.getpid()}-{len(self._cells)}",
        )
        print(f"{time.strftime('%H:%M:%S')} {key}", flush=True)
        try:
            ready = None
            if job.system == "ready":
                ready = calibration.ready(batch, RANKS, key["system"].endswith("balanced"))
            with ray_cluster.running(job):
                outcome = run(job, ready)
            cell |= summary(outcome.records, outcome.seconds)
            steps = outcome.seconds * cell["steps_per_second"]
            cell["cpu_seconds_a_step"] = outcome.cpu_seconds / steps
            cell["peak_pss_bytes"] = outcome.peak_bytes
            cell["settings"] = {k: v for k, v in settings.items() if k != "address"}
            print(
                f"         {cell['steps_per_second']:.2f} steps/s, misses {cell['miss_rate']:.0%},"
                f" wait p95 {cell['wait_p95_ms']:.0f} ms, CPU {cell['cpu_seconds_a_step']:.2f} s a step",
                flush=True,
            )
        except CellFailure as failure:
            cell["failure"] = str(failure)
            print(f"         failed: {failure}", flush=True)
        self._cells.append(cell)
        self._keep()

    def _settings(self, system: str, workload: str) -> dict[str, Any]:
        if system.startswith("headrace"):
            return HEADRACE[system]
        if system == "ray":
            return {"actors": self._cores, "ahead": 2}
        return DATALOADERS[0] if system == "dataloader" else {}

    def _keep(self) -> None:
        RESULTS.parent.mkdir(parents=True, exist_ok=True)
        machine = {
            "cores": self._cores,
            "cpu": platform.processor() or platform.machine(),
            "python": platform.python_version(),
        }
        text = json.dumps({"machine": machine, "cells": self._cells}, indent=1)
        part = RESULTS.with_suffix(".part")
        part.write_text(text + "\n")
        part.replace(RESULTS)


def _recipe(key: dict[str, Any], recipe: dict[str, Any], settings: dict[str, Any]) -> Path:
    """The workload's recipe, beside it, with the changes of an ablation."""
    changed = json.loads(json.dumps(recipe))
    for costs in changed["plan"]["cost"].values():
        # YAML 1.1, which PyYAML reads, takes 2e-5 for a text.
        costs |= {module: float(value) for module, value in costs.items()}
    _merge(changed, settings.get("recipe", {}))
    file = ROOT / "workloads" / "data" / f"{key['workload']}-{key['system'].replace(' ', '-')}.yaml"
    for source in changed["sources"].values():
        source["path"] = source["path"].removeprefix("data/")
    process = changed["process"]
    if "tokenizer" in process:
        process["tokenizer"] = "../" + process["tokenizer"]
    file.write_text(json.dumps(changed, indent=1))
    return file


def _merge(recipe: dict[str, Any], changes: dict[str, Any]) -> None:
    for key, value in changes.items():
        if isinstance(value, dict):
            _merge(recipe.setdefault(key, {}), value)
        else:
            recipe[key] = value


def main() -> None:
    os.environ.setdefault("HEADRACE_PROGRAM", str(ROOT / "headrace"))
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    Race(arguments()).run()
    for folder in (CACHE / ".headrace" / "jobs").glob("bench-*"):
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()

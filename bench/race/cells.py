"""One workload of the race: its data, its calibration, and a cell for each system that is raced."""

from __future__ import annotations

import json
import os
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import quota
import ray_cluster
from account import MOST_OTHERS
from assign import balanced, charge_of, rank_local
from calibrate import calibrate
from measures import RANKS, summary
from rank_loop import CellFailure, Outcome, run
from results import Key, Results
from systems import Job
from workload import ROOT, Workload

from generate import generate, making

DATA = ROOT / "workloads" / "data"
QUICK_SAMPLES = 96
WARM_UP, QUICK_WARM_UP = 20, 8
TUNING_STEPS = 20

DATALOADERS: tuple[dict[str, Any], ...] = (
    {"workers": 1, "prefetch": 2},
    {"workers": 1, "prefetch": 4},
    {"workers": 2, "prefetch": 2},
)
RAY_POOLS: tuple[dict[str, Any], ...] = (
    {"unit": "batch", "ahead": 2},
    {"unit": "batch", "ahead": 4},
    {"unit": "row", "ahead": 2},
)
HEADRACE: dict[str, dict[str, Any]] = {
    "headrace": {},
    "headrace uint8": {"recipe": {"process": {"wire": "uint8"}}},
    "headrace rank-local": {"open": {"options": ("--rank-local",)}},
    "headrace fifo": {"recipe": {"delivery": {"schedule": "fifo"}}},
    "headrace unbalanced": {"recipe": {"plan": {"balance": {"method": "round_robin"}}}},
    "headrace whole samples": {"open": {"options": ("--whole-samples",)}},
    "headrace slow": {},
}
SYSTEMS_OF_CELLS = ("ready", "ready balanced", "dataloader", "ray", *HEADRACE)


class Race:
    """Runs the cells of a workload that the results lack."""

    def __init__(
        self, name: str, results: Results, steps: int, quick: bool, group: str = ""
    ) -> None:
        self._workload = Workload.read(name)
        self._results = results
        self._group = group
        self._measured = steps
        self._warm_up = QUICK_WARM_UP if quick else WARM_UP
        self._cores = len(os.sched_getaffinity(0))
        samples = max(QUICK_SAMPLES, 2 * self._workload.rows) if quick else None
        generate(name, samples)
        self._calibration = calibrate(
            name, self._cores, DATA / f"calibrated-{making(name)}-{samples or 'all'}"
        )
        steps = WARM_UP + max(steps, TUNING_STEPS)
        lengths = self._calibration.lengths
        self._rows = rank_local(self._workload, lengths, RANKS, steps)
        charges = self._calibration.charges
        length = self._workload.length
        self._balanced = balanced(
            self._rows, lambda row: self._workload.costs.of(charge_of([row], charges, length))
        )
        self._uneven = _largest(self._calibration.costs(self._workload, self._rows))
        self._even = _largest(self._calibration.costs(self._workload, self._balanced))

    def tune(self) -> None:
        """Tries the settings of the other loaders at rho 1, where the results do not know them."""
        name = self._workload.name
        for system, candidates in (("dataloader", DATALOADERS), ("ray", RAY_POOLS)):
            if system in self._results.tuned.get(name, {}):
                continue
            tried = []
            for settings in candidates:
                key = Key(name, system, 1.0, "shared", 0)
                print(f"{time.strftime('%H:%M:%S')} tunes {name} {system} {settings}", flush=True)
                try:
                    outcome = self._run(key, settings, TUNING_STEPS)
                except CellFailure as failure:
                    print(f"         failed: {failure}", flush=True)
                    continue
                speed = summary(outcome.records, outcome.seconds)["steps_per_second"]
                print(f"         {speed:.2f} steps/s", flush=True)
                tried.append({"settings": settings, "steps_per_second": speed})
            if tried:
                self._results.tune(name, system, tried)

    def cell(self, key: Key) -> None:
        """Runs a cell unless the results have it."""
        # A loader of the others runs again when better settings have been found for it.
        theirs = self._settings(key) if key.system in ("dataloader", "ray") else None
        if self._results.has(key, theirs):
            return
        print(f"{time.strftime('%H:%M:%S')} {key}", flush=True)
        cell: dict[str, Any] = {}
        try:
            settings = self._settings(key)
            cell["settings"] = settings
            outcome = self._run(key, settings, self._measured)
            cell |= self._figures(key, outcome)
            print(
                f"         {cell['steps_per_second']:.2f} steps/s, {cell['steps_per_second'] / cell['bound']:.2f} of the bound,"
                f" misses {cell['miss_rate']:.0%}, wait p95 {cell['wait_p95_ms']:.1f} ms,"
                f" CPU {cell['cpu_seconds_a_step']:.2f} s a step",
                flush=True,
            )
            if cell["others"] > MOST_OTHERS:
                print(
                    f"         other processes took {cell['others']:.0%} of the cores: it is run again next time",
                    flush=True,
                )
        except (CellFailure, quota.NoQuota) as failure:
            cell["failure"] = str(failure)
            print(f"         failed: {failure}", flush=True)
        self._results.add(key, cell)

    def _settings(self, key: Key) -> dict[str, Any]:
        if key.system == "dataloader":
            return self._results.settings(key.workload, key.system, DATALOADERS[0])
        if key.system == "ray":
            return self._results.settings(key.workload, key.system, RAY_POOLS[0])
        if key.system == "headrace slow":
            return {"open": {"options": ("--decode-factor", f"{self._slower(key):.3f}")}}
        return HEADRACE.get(key.system, {})

    def _slower(self, key: Key) -> float:
        """How many times Headrace's own CPU time the baseline's decoder takes, from a cell of Headrace."""
        for cell in self._results.cells:
            if (
                cell["workload"] == key.workload
                and cell["system"] == "headrace"
                and "steps" in cell
            ):
                own = cell["decode_cpu_seconds_a_step"]
                return max(1.0, float(cell["baseline_cpu_seconds_a_step"] / own))
        raise CellFailure(
            "run the system headrace first: its decode time tells how much to slow down"
        )

    def _scale(self, rho: float) -> float:
        """Seconds for a unit of cost, so that decoding takes rho times what the cores give in the mean longest window."""
        cpu = self._calibration.cpu_of(self._rows)
        return cpu / (self._cores * rho) / float(np.mean(self._uneven))

    def _run(self, key: Key, settings: dict[str, Any], steps: int) -> Outcome:
        system = key.system.split()[0]
        charges: tuple[Any, ...] = ()
        if system == "ready":
            rows = self._balanced if key.system.endswith("balanced") else self._rows
            known, length = self._calibration.charges, self._workload.length
            charges = tuple([charge_of(of, known, length) for of in step] for step in rows)
        file = DATA / f"{key.workload}-{key.system.replace(' ', '-')}.yaml"
        with ExitStack() as stack:
            limits = ""
            if key.budget == "quota" and system == "dataloader":
                limits = stack.enter_context(quota.of_ranks(RANKS, self._cores))
            job = Job(
                workload=key.workload,
                system=system,
                settings=dict(settings) | ({"actors": self._cores} if system == "ray" else {}),
                recipe=str(write_recipe(self._workload, settings, file)),
                ranks=RANKS,
                warm_up=self._warm_up,
                steps=steps,
                scale=self._scale(key.rho),
                name=f"bench-{os.getpid()}-{time.monotonic_ns()}",
                rows=tuple(self._rows) if system in ("dataloader", "ray") else (),
                charges=charges,
                quota=limits,
                account=self._group,
            )
            stack.enter_context(ray_cluster.running(job))
            return run(job)

    def _figures(self, key: Key, outcome: Outcome) -> dict[str, Any]:
        found = summary(outcome.records, outcome.seconds)
        steps = found["steps"]
        scale = self._scale(key.rho)
        pure = self._calibration.cpu_of(self._rows)
        if outcome.figures:
            pure = outcome.figures["decode_cpu_seconds"] / steps
        found |= {
            "rows": self._workload.rows,
            "baseline_cpu_seconds_a_step": self._calibration.cpu_of(self._rows),
            "cpu_seconds_a_step": outcome.cpu_seconds / steps,
            "others": outcome.other_cpu_seconds / (outcome.seconds * self._cores),
            "decode_cpu_seconds_a_step": pure,
            "bound_ready": 1 / (scale * float(np.mean(self._even))),
            "bound_ready_uneven": 1 / (scale * float(np.mean(self._uneven))),
            "bound_cpu": self._cores / pure,
            "peak_pss_bytes": outcome.peak_bytes,
        }
        found["bound"] = found["bound_ready"]
        if not key.system.startswith("ready"):
            found["bound"] = min(found["bound_ready"], found["bound_cpu"])
        return found


def _largest(costs: list[list[float]]) -> list[float]:
    return [max(of_ranks) for of_ranks in costs]


def write_recipe(workload: Workload, settings: dict[str, Any], file: Path) -> Path:
    """The workload's recipe, beside its data, with the changes of an ablation."""
    changed = json.loads(json.dumps(workload.recipe))
    _merge(changed, settings.get("recipe", {}))
    for source in changed["sources"].values():
        source["path"] = source["path"].removeprefix("data/")
    if "tokenizer" in changed["process"]:
        changed["process"]["tokenizer"] = changed["process"]["tokenizer"].removeprefix("data/")
    file.write_text(json.dumps(changed, indent=1))
    return file


def _merge(recipe: dict[str, Any], changes: dict[str, Any]) -> None:
    for key, value in changes.items():
        if isinstance(value, dict):
            _merge(recipe.setdefault(key, {}), value)
        else:
            recipe[key] = value

"""What a workload costs: CPU-seconds of the baseline's decoder for each sample, and what each sample is charged for."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from assign import Step, charge_of
from workload import Charge, Workload, charge


@dataclass(frozen=True)
class Calibration:
    """A pass over the data with all cores busy.

    ``cpu_seconds`` is the mean for a sample; ``charges`` holds what each sample is charged for, by number.
    """

    cpu_seconds: float
    charges: list[Charge]

    @property
    def lengths(self) -> list[float]:
        """Tokens of each sample."""
        return [float(one.tokens.sum()) for one in self.charges]

    def costs(self, workload: Workload, steps: list[Step]) -> list[list[float]]:
        """Cost of each rank's rows, step by step."""
        return [
            [workload.cost(charge_of(rows, self.charges, workload.length)) for rows in step]
            for step in steps
        ]

    def cpu_of(self, steps: list[Step]) -> float:
        """Mean CPU-seconds of a step with the baseline's decoder."""
        samples = [sum(len(row) for rows in step for row in rows) for step in steps]
        return self.cpu_seconds * float(np.mean(samples))


def _share(task: tuple[str, int, int]) -> tuple[float, dict[int, tuple[list[float], list[float]]]]:
    """CPU time of every ``parts``-th sample in this process."""
    import baseline
    import torch

    torch.set_num_threads(1)
    name, part, parts = task
    files = baseline.Files(name)
    collate = baseline.Collate(Workload.read(name), shared=False)
    found: dict[int, tuple[list[float], list[float]]] = {}
    seconds = 0.0
    # Vocabularies and filters are loaded with the first sample.
    files.sample(part)
    for number in range(part, len(files), parts):
        begun = time.process_time()
        sample = files.sample(number)
        seconds += time.process_time() - begun
        batch: dict[str, Any] = collate([[sample]])
        tokens = [float(len(sample["input_ids"]))] if "input_ids" in sample else []
        found[number] = (charge(batch).patches.tolist(), tokens)
    return seconds, found


def calibrate(name: str, cores: int, keep: Path) -> Calibration:
    """Measures, or reads what was measured for the same data."""
    file = keep / f"calibration-{name}.json"
    if not file.exists():
        keep.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(_measured(name, cores)))
    kept = json.loads(file.read_text())
    return Calibration(kept["cpu_seconds"], [Charge.of(*one) for one in kept["charges"]])


def _measured(name: str, cores: int) -> dict[str, Any]:
    with get_context("spawn").Pool(cores) as pool:
        shares = pool.map(_share, [(name, part, cores) for part in range(cores)])
    of_samples: dict[int, tuple[list[float], list[float]]] = {}
    for _, found in shares:
        of_samples |= found
    cpu = sum(seconds for seconds, _ in shares) / len(of_samples)
    return {"cpu_seconds": cpu, "charges": [of_samples[n] for n in sorted(of_samples)]}

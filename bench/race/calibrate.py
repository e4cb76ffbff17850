"""What a workload costs: CPU-seconds of the baseline's decoder for each sample, and the accelerator cost of each sample."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from measures import LEAST_COST, cost, patches


@dataclass(frozen=True)
class Calibration:
    """A pass over the data with all cores busy.

    ``cpu_seconds`` is the mean for a sample; ``patches`` holds those of each sample's media, by number.
    """

    cpu_seconds: float
    patches: list[list[float]]

    def ready(self, batch: int, ranks: int, balanced: bool) -> list[list[list[float]]]:
        """For each step of a pass and each rank, the patches of its media: dealt out in turn, or to the lightest rank first."""
        steps = []
        for first in range(0, len(self.patches) - batch + 1, batch):
            samples = self.patches[first : first + batch]
            of_ranks: list[list[float]] = [[] for _ in range(ranks)]
            if balanced:
                room = [batch // ranks] * ranks
                loads = [0.0] * ranks
                for sample in sorted(samples, key=lambda s: -cost(np.array(s))):
                    rank = min((r for r in range(ranks) if room[r]), key=lambda r: loads[r])
                    room[rank] -= 1
                    loads[rank] += cost(np.array(sample)) - LEAST_COST
                    of_ranks[rank] += sample
            else:
                for place, sample in enumerate(samples):
                    of_ranks[place % ranks] += sample
            steps.append(of_ranks)
        return steps

    def largest_cost(self, batch: int, ranks: int, balanced: bool) -> float:
        """Mean over steps of the heaviest rank's cost."""
        steps = self.ready(batch, ranks, balanced)
        return float(np.mean([max(cost(np.array(r)) for r in step) for step in steps]))


def _share(task: tuple[str, int, int]) -> tuple[float, dict[int, list[float]]]:
    """CPU time of every ``parts``-th sample in this process."""
    import baseline
    import torch

    torch.set_num_threads(1)
    name, part, parts = task
    files = baseline.Files(name)
    found, begun = {}, time.process_time()
    for number in range(part, len(files), parts):
        found[number] = patches({k: v.numpy() for k, v in files[number].items()}).tolist()
    return time.process_time() - begun, found


def calibrate(name: str, cores: int, keep: Path) -> Calibration:
    """Measures, or reads what was measured for the same data."""
    file = keep / f"calibration-{name}.json"
    if file.exists():
        return Calibration(**json.loads(file.read_text()))
    with get_context("spawn").Pool(cores) as pool:
        shares = pool.map(_share, [(name, part, cores) for part in range(cores)])
    of_samples: dict[int, list[float]] = {}
    for _, found in shares:
        of_samples |= found
    cpu = sum(seconds for seconds, _ in shares) / len(of_samples)
    calibration = Calibration(cpu, [of_samples[n] for n in sorted(of_samples)])
    keep.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(asdict(calibration)))
    return calibration

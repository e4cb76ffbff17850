"""The figures of a run, and how each is defined."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from statistics import fmean

import numpy as np
from loop import MISS_SECONDS, StepRecord


@dataclass(frozen=True)
class Run:
    """What was seen of a job: a record a rank and step, and the engine's CPU time over the measured steps, in seconds."""

    name: str
    records: tuple[StepRecord, ...]
    cpu_seconds: float

    def steps(self) -> int:
        """Number of steps, warm-up included."""
        return 1 + max(record.step for record in self.records)


@dataclass(frozen=True)
class StepFigures:
    """One step over all ranks: the largest wait and window in seconds, and the largest window over the mean one."""

    step: int
    wait_seconds: float
    window_seconds: float
    imbalance: float


@dataclass(frozen=True)
class Figures:
    """The figures of a run over steps ``first`` to ``last``, both included.

    ``miss_share`` is the share of (rank, step) whose batch came more than 2 ms after the deadline; the percentiles are over the waits of
    all (rank, step); ``imbalance`` is the mean over steps of the largest compute window over the mean one.
    """

    name: str
    first: int
    last: int
    seconds: float
    samples_per_second: float
    tokens_per_second: float
    miss_share: float
    wait_p50_ms: float
    wait_p95_ms: float
    wait_p99_ms: float
    largest_waits_seconds: float
    imbalance: float
    window_seconds: float
    cpu_seconds: float

    def as_dict(self) -> dict[str, object]:
        """All of it, for JSON."""
        return asdict(self)


def by_step(records: Iterable[StepRecord]) -> dict[int, list[StepRecord]]:
    """Records of each step, steps in order."""
    steps: dict[int, list[StepRecord]] = defaultdict(list)
    for record in records:
        steps[record.step].append(record)
    return dict(sorted(steps.items()))


def step_figures(records: Iterable[StepRecord]) -> list[StepFigures]:
    """The figures of each step, in order."""
    figures = []
    for step, ranks in by_step(records).items():
        windows = [rank.load.window_seconds for rank in ranks]
        wait = max(rank.wait_seconds for rank in ranks)
        figures.append(StepFigures(step, wait, max(windows), max(windows) / fmean(windows)))
    return figures


def figures(run: Run, first: int, last: int) -> Figures:
    """The figures of steps ``first`` to ``last`` of a run."""
    records = [record for record in run.records if first <= record.step <= last]
    steps = step_figures(records)
    seconds = max(record.ended for record in records) - min(record.begun for record in records)
    waits = np.array([record.wait_seconds for record in records])
    p50, p95, p99 = np.percentile(waits, [50, 95, 99]) * 1000
    return Figures(
        name=run.name,
        first=first,
        last=last,
        seconds=seconds,
        samples_per_second=sum(record.load.samples for record in records) / seconds,
        tokens_per_second=sum(record.load.tokens for record in records) / seconds,
        miss_share=float((waits > MISS_SECONDS).mean()),
        wait_p50_ms=float(p50),
        wait_p95_ms=float(p95),
        wait_p99_ms=float(p99),
        largest_waits_seconds=sum(step.wait_seconds for step in steps),
        imbalance=fmean(step.imbalance for step in steps),
        window_seconds=fmean(step.window_seconds for step in steps),
        cpu_seconds=run.cpu_seconds,
    )

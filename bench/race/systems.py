"""The loaders that race: each gives a rank its batches, step by step, on the same samples."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assign import Row, Step
from workload import Charge, Workload, charge

import headrace

Batch = Mapping[str, Any]


@dataclass(frozen=True)
class Job:
    """What a rank needs to know of its cell.

    ``steps`` come after ``warm_up`` others, which are not measured; once they have taken ``enough_seconds``, no more follow. ``rows`` are those of each rank, step by step, for the loaders that do not plan; ``charges`` what each rank's part of a step is charged
    for, for ready input. ``quota`` is the folder of the ranks' control groups where each has a limit of its own;
    ``account`` the control group that counts the CPU time of the cell, the machine if there is none.
    """

    workload: str
    system: str
    settings: dict[str, Any]
    recipe: str
    ranks: int
    warm_up: int
    steps: int
    scale: float
    name: str
    enough_seconds: float = 60.0
    rows: tuple[Step, ...] = ()
    charges: tuple[list[Charge], ...] = ()
    quota: str = ""
    account: str = ""


class Source:
    """Batches of one rank. ``take`` gives what the next one is charged for, once it is there."""

    def __init__(self, batches: Iterator[Any], count: Callable[[Any], Charge]) -> None:
        self._batches, self._count = batches, count

    def take(self) -> Callable[[], Charge]:
        """Waits for the next batch; it is looked into by the result, outside of the wait."""
        batch = next(self._batches)
        return lambda: self._count(batch)

    def figures(self) -> dict[str, float]:
        """What the loader itself has counted so far."""
        return {}

    def close(self) -> None:
        """Gives everything back."""


def ready(job: Job, rank: int) -> Source:
    """Batches that are there."""
    return Source(iter(job.charges), lambda step: step[rank])


def dataloader(job: Job, rank: int) -> Source:
    """torch's DataLoader, one a rank, with its own workers."""
    import baseline
    import torch

    torch.set_num_threads(1)
    group = Path(job.quota) / f"rank-{rank}" if job.quota else None

    def begin(_: int) -> None:
        torch.set_num_threads(1)
        if group is not None:
            (group / "cgroup.procs").write_text(str(os.getpid()))

    loader: Any = torch.utils.data.DataLoader(
        baseline.Files(job.workload),
        batch_sampler=[step[rank] for step in job.rows],
        collate_fn=baseline.Collate(Workload.read(job.workload), shared=True),
        num_workers=job.settings["workers"],
        prefetch_factor=job.settings["prefetch"],
        worker_init_fn=begin,
        # As under torchrun: a process started by spawn, as the ranks here, would spawn its own too.
        multiprocessing_context="fork",
    )
    return Source(iter(loader), charge)


def ray_pool(job: Job, rank: int) -> Source:
    """A pool of Ray actors shared by the ranks; a task is a row or a rank's whole batch, fetched some steps ahead."""
    import baseline
    import ray
    import torch

    torch.set_num_threads(1)
    warnings.filterwarnings("ignore", message="The given NumPy array is not writable")
    ray.init(address=job.settings["address"], log_to_driver=False, namespace="race")
    actors = [ray.get_actor(f"worker-{i}") for i in range(job.settings["actors"])]
    collate = baseline.Collate(Workload.read(job.workload), shared=False)

    def tasks() -> Iterator[list[list[Row]]]:
        whole = job.settings["unit"] == "batch"
        for step in job.rows:
            yield [step[rank]] if whole else [[row] for row in step[rank]]

    def batches() -> Iterator[Batch]:
        pending: list[list[Any]] = []
        for step, parts in enumerate(tasks()):
            chosen = (actors[(rank + step + k) % len(actors)] for k in range(len(parts)))
            pending.append([a.get.remote(rows) for a, rows in zip(chosen, parts, strict=True)])
            if len(pending) > job.settings["ahead"]:
                yield got(pending.pop(0))
        for futures in pending:
            yield got(futures)

    def got(futures: list[Any]) -> Batch:
        parts = ray.get(futures)
        if job.settings["unit"] == "batch":
            return dict(parts[0])
        # Arrays of Ray's store are for reading alone, and nobody here writes.
        rows = [
            [{name: torch.from_numpy(a) for name, a in sample.items()} for sample in row]
            for part in parts
            for row in part
        ]
        return collate(rows)

    return Source(batches(), charge)


class Engine(Source):
    """Headrace."""

    def __init__(self, job: Job, rank: int) -> None:
        options = job.settings.get("open", {})
        self._loader = headrace.open(
            job.recipe, rank, job.ranks, job=job.name, start_timeout=300, **options
        )
        super().__init__(iter(self._loader), lambda batch: charge(batch.microbatches[0]))

    def figures(self) -> dict[str, float]:
        counters: dict[str, float] = self._loader.status()["counters"]
        return counters

    def close(self) -> None:
        with suppress(headrace.HeadraceError):
            self._loader.close()


SYSTEMS: dict[str, Callable[[Job, int], Source]] = {
    "ready": ready,
    "dataloader": dataloader,
    "ray": ray_pool,
    "headrace": Engine,
}

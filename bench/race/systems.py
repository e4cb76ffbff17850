"""The loaders that race: each gives a rank its batches, step by step, on the same samples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import headrace

Batch = Mapping[str, Any]


@dataclass(frozen=True)
class Job:
    """What a rank needs to know of its cell.

    ``assignment`` is for ready input: for each step of a pass, the patches of every rank's media.
    """

    workload: str
    system: str
    settings: dict[str, Any]
    recipe: str
    batch: int
    ranks: int
    steps: int
    scale: float
    name: str


class RankSampler:
    """Numbers of a rank's samples: step k is the batch's next samples, dealt out in turn."""

    def __init__(self, job: Job, rank: int) -> None:
        self._job, self._rank = job, rank

    def __iter__(self) -> Iterator[list[int]]:
        for step in range(self._job.steps):
            first = step * self._job.batch
            yield list(range(first + self._rank, first + self._job.batch, self._job.ranks))

    def __len__(self) -> int:
        return self._job.steps


def dataloader(job: Job, rank: int) -> Iterator[Batch]:
    """torch's DataLoader, one a rank, with its own workers."""
    import baseline
    import torch

    torch.set_num_threads(1)
    loader: Any = torch.utils.data.DataLoader(
        baseline.Files(job.workload),
        batch_sampler=RankSampler(job, rank),
        collate_fn=baseline.collate,
        num_workers=job.settings["workers"],
        prefetch_factor=job.settings["prefetch"],
        worker_init_fn=_one_thread,
    )
    return iter(loader)


def _one_thread(_: int) -> None:
    import torch

    torch.set_num_threads(1)


def ray_pool(job: Job, rank: int) -> Iterator[Batch]:
    """A pool of Ray actors shared by the ranks: each sample is a task, batches are fetched some steps ahead."""
    import baseline
    import ray
    import torch

    torch.set_num_threads(1)
    ray.init(address=job.settings["address"], log_to_driver=False, namespace="race")
    actors = [ray.get_actor(f"worker-{i}") for i in range(job.settings["actors"])]
    pending: list[list[Any]] = []
    numbers = iter(RankSampler(job, rank))
    sent = 0
    while True:
        while len(pending) <= job.settings["ahead"]:
            step = next(numbers, None)
            if step is None:
                break
            futures = []
            for number in step:
                futures.append(actors[(sent * job.ranks + rank) % len(actors)].get.remote(number))
                sent += 1
            pending.append(futures)
        if not pending:
            return
        samples = ray.get(pending.pop(0))
        yield baseline.collate([{n: torch.from_numpy(a) for n, a in s.items()} for s in samples])


def engine(job: Job, rank: int) -> Iterator[Batch]:
    """Headrace."""
    loader = headrace.open(
        job.recipe, rank, job.ranks, job=job.name, start_timeout=300, **job.settings.get("open", {})
    )
    try:
        for batch in loader:
            yield batch.microbatches[0]
    finally:
        with suppress(headrace.HeadraceError):
            loader.close()


SYSTEMS = {"dataloader": dataloader, "ray": ray_pool, "headrace": engine}

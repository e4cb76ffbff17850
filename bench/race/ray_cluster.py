"""A Ray cluster on this host for one cell: as many worker actors as cores, shared by all ranks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assign import Row
from systems import Job
from workload import Workload


@contextmanager
def running(job: Job) -> Iterator[None]:
    """Starts the cluster if the cell needs one, and ends it."""
    if job.system != "ray":
        yield
        return
    # Actors import this folder's modules; without a token no file is left in the user's home.
    os.environ |= {"PYTHONPATH": str(Path(__file__).parent), "RAY_AUTH_MODE": "disabled"}
    import ray

    context = ray.init(
        num_cpus=job.settings["actors"],
        include_dashboard=False,
        log_to_driver=False,
        namespace="race",
        _system_config={"prestart_worker_first_driver": False},
    )
    job.settings["address"] = context.address_info["address"]
    try:
        worker: Any = ray.remote(num_cpus=1)(Worker)
        actors = [
            worker.options(name=f"worker-{i}").remote(job.workload, job.settings["unit"])
            for i in range(job.settings["actors"])
        ]
        ray.get([actor.ready.remote() for actor in actors])
        yield
    finally:
        ray.shutdown()


class Worker:
    """Decodes samples for any rank."""

    def __init__(self, workload: str, unit: str) -> None:
        import baseline
        import torch

        torch.set_num_threads(1)
        self._files = baseline.Files(workload)
        self._collate = baseline.Collate(Workload.read(workload), shared=False)
        self._unit = unit

    def ready(self) -> bool:
        """Whether it has started."""
        return True

    def get(self, rows: list[Row]) -> Any:
        """Rows of samples, or the batch of them, as arrays, which Ray keeps in shared memory."""
        found = [self._files[row] for row in rows]
        if self._unit == "batch":
            return _arrays(self._collate(found))
        return [[_arrays(sample) for sample in row] for row in found]


def _arrays(tensors: dict[str, Any]) -> dict[str, Any]:
    return {name: tensor.numpy() for name, tensor in tensors.items()}

"""The rank loop: eight processes take their batches, sleep for the compute window of what they got, and meet at a barrier."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import connection, get_context, parent_process
from pathlib import Path
from typing import Any

import numpy as np
from measures import WARM_UP, StepRecord, cost, patches
from systems import SYSTEMS, Job

BARRIER_SECONDS = 300.0


class CellFailure(Exception):
    """Why a cell gave no figures."""


@dataclass(frozen=True)
class Outcome:
    """What the ranks of a cell measured: seconds and CPU-seconds of the measured steps, and the most memory (PSS) in between."""

    records: list[StepRecord]
    seconds: float
    cpu_seconds: float
    peak_bytes: int


def run(job: Job, ready: list[list[Any]] | None = None) -> Outcome:
    """Runs a cell.

    Args:
        ready: ready input instead of a loader: for each step of a pass and each rank, the patches of its media.

    Raises:
        CellFailure: a rank ended early.
    """
    spawn = get_context("spawn")
    barrier = spawn.Barrier(job.ranks)
    before = set(_processes())
    pipes, ranks = [], []
    for rank in range(job.ranks):
        ours, theirs = spawn.Pipe(duplex=False)
        ranks.append(
            spawn.Process(target=_rank, args=(job, rank, theirs, barrier, ready), daemon=False)
        )
        ranks[-1].start()
        theirs.close()
        pipes.append(ours)
    try:
        return _gather(pipes, before)
    finally:
        for process in ranks:
            process.join(20)
            if process.is_alive():
                process.kill()
                process.join()


def _gather(pipes: list[connection.Connection], before: set[int]) -> Outcome:
    records: list[StepRecord] = []
    seconds = cpu = 0.0
    peak, looked = 0, 0.0
    open_pipes = list(pipes)
    while open_pipes:
        for pipe in connection.wait(open_pipes, timeout=2):
            assert isinstance(pipe, connection.Connection)
            try:
                message = pipe.recv()
            except EOFError:
                open_pipes.remove(pipe)
                continue
            if isinstance(message, str):
                raise CellFailure(message)
            found, its_seconds, its_cpu = message
            records += found
            seconds, cpu = max(seconds, its_seconds), max(cpu, its_cpu)
        if time.monotonic() - looked > 10 and not records:
            looked = time.monotonic()
            peak = max(peak, sum(_pss(pid) for pid in set(_processes()) - before))
    if not records:
        raise CellFailure("the ranks ended without a figure")
    return Outcome(records, seconds, cpu, peak)


def _processes() -> Iterator[int]:
    return (int(p.name) for p in Path("/proc").iterdir() if p.name.isdigit())


def _pss(pid: int) -> int:
    """Proportional set size: shared memory counts once over all processes."""
    with suppress(OSError, ValueError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0


def _machine_cpu_seconds() -> float:
    """CPU time of the whole machine, which has nothing else to do: loaders and engines are in it, however they were started."""
    user, nice, system, _, _, irq, softirq = map(
        int, Path("/proc/stat").read_text().split("\n")[0].split()[1:8]
    )
    return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")


def _rank(
    job: Job, rank: int, pipe: connection.Connection, barrier: Any, ready: list[list[Any]] | None
) -> None:
    _end_with_the_parent()
    try:
        pipe.send(_loop(job, rank, barrier, ready))
    except threading.BrokenBarrierError:
        pass
    except BaseException as error:
        barrier.abort()
        pipe.send(f"rank {rank}: {type(error).__name__}: {error}")
    finally:
        pipe.close()


def _loop(
    job: Job, rank: int, barrier: Any, ready: list[list[Any]] | None
) -> tuple[list[StepRecord], float, float]:
    batches: Iterator[Any]
    if ready is None:
        batches = SYSTEMS[job.system](job, rank)
    else:
        batches = (ready[step % len(ready)][rank] for step in range(job.steps))
    records = []
    started = cpu = 0.0
    barrier.wait(BARRIER_SECONDS)
    begun = time.monotonic()
    for step in range(job.steps):
        batch = next(batches)
        wait = time.monotonic() - begun
        media = np.asarray(batch) if ready is not None else patches(batch)
        window = job.scale * cost(media)
        time.sleep(window)
        if step == WARM_UP:
            started, cpu = begun, _machine_cpu_seconds()
        if step >= WARM_UP:
            samples = job.batch // job.ranks
            records.append(StepRecord(rank, step, wait, window, samples, float(media.sum() / 4)))
        barrier.wait(BARRIER_SECONDS)
        begun = time.monotonic()
    result = records, begun - started, _machine_cpu_seconds() - cpu
    barrier.wait(BARRIER_SECONDS)
    if isinstance(batches, Generator):
        batches.close()
    return result


def _end_with_the_parent() -> None:
    """Ends this process when the one that started it is gone, however that ended."""
    parent = parent_process()
    assert parent is not None
    sys.stdout.flush()

    def watch(sentinel: int) -> None:
        connection.wait([sentinel])
        os._exit(3)

    threading.Thread(target=watch, args=(parent.sentinel,), daemon=True).start()

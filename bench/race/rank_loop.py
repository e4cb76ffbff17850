"""The rank loop: eight processes take their batches, sleep for the compute window of what they got, and meet at a barrier."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import connection, get_context, parent_process
from pathlib import Path
from typing import Any

import account
from measures import StepRecord
from systems import SYSTEMS, Job
from workload import Workload

BARRIER_SECONDS = 300.0
# So many steps are measured, however long they take.
LEAST_STEPS = 30


class CellFailure(Exception):
    """Why a cell gave no figures."""


@dataclass(frozen=True)
class Outcome:
    """What the ranks of a cell measured: seconds and CPU-seconds of the measured steps, CPU-seconds of what else ran meanwhile, the
    most memory (PSS) before them, and what the loader counted meanwhile."""

    records: list[StepRecord]
    seconds: float
    cpu_seconds: float
    other_cpu_seconds: float
    peak_bytes: int
    figures: dict[str, float]


@dataclass(frozen=True)
class _OfRank:
    records: list[StepRecord]
    seconds: float
    cpu_seconds: float
    other_cpu_seconds: float
    figures: dict[str, float]


def run(job: Job) -> Outcome:
    """Runs a cell.

    Raises:
        CellFailure: a rank ended early.
    """
    spawn = get_context("spawn")
    barrier = spawn.Barrier(job.ranks)
    last = spawn.Value("q", job.warm_up + job.steps - 1)
    before = set(_processes())
    pipes, ranks = [], []
    for rank in range(job.ranks):
        ours, theirs = spawn.Pipe(duplex=False)
        ranks.append(
            spawn.Process(target=_rank, args=(job, rank, theirs, barrier, last), daemon=False)
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
    of_ranks: list[_OfRank] = []
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
            of_ranks.append(message)
        if time.monotonic() - looked > 10 and not of_ranks:
            looked = time.monotonic()
            peak = max(peak, sum(_pss(pid) for pid in set(_processes()) - before))
    if not of_ranks:
        raise CellFailure("the ranks ended without a figure")
    return Outcome(
        [record for of_rank in of_ranks for record in of_rank.records],
        max(of_rank.seconds for of_rank in of_ranks),
        max(of_rank.cpu_seconds for of_rank in of_ranks),
        min(of_rank.other_cpu_seconds for of_rank in of_ranks),
        peak,
        next((of_rank.figures for of_rank in of_ranks if of_rank.figures), {}),
    )


def _processes() -> Iterator[int]:
    return (int(p.name) for p in Path("/proc").iterdir() if p.name.isdigit())


def _pss(pid: int) -> int:
    """Proportional set size: shared memory counts once over all processes."""
    with suppress(OSError, ValueError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0


def _rank(job: Job, rank: int, pipe: connection.Connection, barrier: Any, last: Any) -> None:
    _end_with_the_parent()
    try:
        pipe.send(_loop(job, rank, barrier, last))
    except threading.BrokenBarrierError:
        pass
    except BaseException as error:
        barrier.abort()
        pipe.send(f"rank {rank}: {type(error).__name__}: {error}")
    finally:
        pipe.close()


def _loop(job: Job, rank: int, barrier: Any, last: Any) -> _OfRank:
    """The steps of a rank. ``last`` is the number of the last one, which rank 0 brings forward when the time is enough."""
    workload = Workload.read(job.workload)
    source = SYSTEMS[job.system](job, rank)
    records = []
    started = cpu = machine = 0.0
    figures: dict[str, float] = {}
    barrier.wait(BARRIER_SECONDS)
    begun = time.monotonic()
    for step in range(job.warm_up + job.steps):
        look = source.take()
        wait = time.monotonic() - begun
        charged = look()
        window = job.scale * workload.cost(charged)
        time.sleep(window)
        if step == job.warm_up:
            started, cpu, machine = begun, account.seconds(job.account), account.machine_seconds()
            figures = source.figures() if rank == 0 else {}
        if step >= job.warm_up:
            tokens = float(charged.tokens.sum())
            records.append(StepRecord(rank, step, wait, window, tokens))
        long = time.monotonic() - started > job.enough_seconds
        if rank == 0 and step + 1 >= job.warm_up + LEAST_STEPS and long:
            last.value = step
        barrier.wait(BARRIER_SECONDS)
        begun = time.monotonic()
        # A rank that looks late sees a later step's number at most.
        if step >= last.value:
            break
    cpu = account.seconds(job.account) - cpu
    others = max(0.0, account.machine_seconds() - machine - cpu)
    if rank == 0:
        figures = {k: v - figures.get(k, 0.0) for k, v in source.figures().items()}
    barrier.wait(BARRIER_SECONDS)
    source.close()
    return _OfRank(records, begun - started, cpu, others, figures)


def _end_with_the_parent() -> None:
    """Ends this process when the one that started it is gone, however that ended."""
    parent = parent_process()
    assert parent is not None
    sys.stdout.flush()

    def watch(sentinel: int) -> None:
        connection.wait([sentinel])
        os._exit(3)

    threading.Thread(target=watch, args=(parent.sentinel,), daemon=True).start()

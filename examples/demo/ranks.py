"""The rank processes: each opens its loader, sleeps for the compute window of every batch, and meets the others at a barrier."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import connection, get_context, parent_process
from multiprocessing.context import SpawnProcess
from multiprocessing.sharedctypes import Synchronized
from multiprocessing.synchronize import Barrier
from signal import SIG_IGN, SIGINT, signal
from threading import BrokenBarrierError

from cells import Cell, cells
from loop import StepRecord, load_of

import headrace

BARRIER_SECONDS = 180.0
KILL_SECONDS = 3.0
EXIT_OF_AN_ORPHAN = 3


@dataclass(frozen=True)
class RankJob:
    """What a rank needs to know. ``steps`` includes the warm-up; the run ends sooner ``most_seconds`` after it.

    ``log`` is where the client's warnings go, after the lines of the engine.
    """

    recipe: str
    job: str
    socket: str
    ranks: int
    steps: int
    warm_up: int
    most_seconds: float
    log: str


@dataclass(frozen=True)
class RankFailure:
    """Why a rank ended early; ``alone`` is False if it only saw that another one did."""

    rank: int
    message: str
    alone: bool


Message = StepRecord | RankFailure | tuple[Cell, ...]


class Ranks:
    """The processes of a run, and what they tell. Leaving the context ends them all."""

    def __init__(self, job: RankJob) -> None:
        spawn = get_context("spawn")
        barrier = spawn.Barrier(job.ranks)
        last = spawn.Value("q", job.steps - 1)
        # Their semaphores live as long as these do.
        self._shared = (barrier, last)
        self._processes: dict[connection.Connection, SpawnProcess] = {}
        with _interrupt_ignored():
            for rank in range(job.ranks):
                ours, theirs = spawn.Pipe(duplex=False)
                arguments = (job, rank, theirs, barrier, last)
                process = spawn.Process(
                    target=run_rank, args=arguments, name=f"rank {rank}", daemon=True
                )
                process.start()
                theirs.close()
                self._processes[ours] = process

    def messages(self, timeout_seconds: float) -> Iterator[Message]:
        """What has been told by now, waiting so long for the first."""
        for pipe in connection.wait(list(self._processes), timeout_seconds):
            assert isinstance(pipe, connection.Connection)
            try:
                yield pipe.recv()
            except EOFError:
                yield from self._ended(pipe)

    def _ended(self, pipe: connection.Connection) -> Iterator[Message]:
        process = self._processes.pop(pipe)
        pipe.close()
        process.join(KILL_SECONDS)
        if process.exitcode != 0:
            rank = int(process.name.split()[1])
            yield RankFailure(rank, f"the process ended with code {process.exitcode}", alone=True)

    @property
    def running(self) -> bool:
        """Whether any rank has not ended."""
        return bool(self._processes)

    def __enter__(self) -> Ranks:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes.values():
            process.terminate()
        for process in self._processes.values():
            process.join(KILL_SECONDS)
            if process.is_alive():
                process.kill()
                process.join()


@contextmanager
def _interrupt_ignored() -> Iterator[None]:
    """Processes started inside ignore Ctrl-C from their first instruction on: the one that started them ends them."""
    before = signal(SIGINT, SIG_IGN)
    try:
        yield
    finally:
        signal(SIGINT, before)


def run_rank(
    job: RankJob, rank: int, pipe: connection.Connection, barrier: Barrier, last: Synchronized[int]
) -> None:
    """The main function of a rank process."""
    _end_with_the_parent()
    logging.basicConfig(
        filename=job.log, format=f"%(asctime)s %(levelname)s rank {rank}: %(message)s"
    )
    try:
        with headrace.open(job.recipe, rank, job.ranks, job=job.job, socket=job.socket) as loader:
            _loop(job, loader, pipe, barrier, last)
            pipe.send(tuple(cells(next(loader))))
            # Nobody leaves before all have what they need: the engine ends with its last rank.
            barrier.wait(BARRIER_SECONDS)
    except BrokenBarrierError:
        pipe.send(
            RankFailure(
                rank, "another rank ended early, or none came to the barrier in time", alone=False
            )
        )
    except Exception as error:
        barrier.abort()
        pipe.send(RankFailure(rank, f"{type(error).__name__}: {error}", alone=True))
    finally:
        pipe.close()


def _loop(
    job: RankJob,
    loader: headrace.Loader,
    pipe: connection.Connection,
    barrier: Barrier,
    last: Synchronized[int],
) -> None:
    """Synchronous data-parallel steps: the slowest rank sets the pace.

    Rank 0 decides before the barrier which step is the last, so all ranks read the same decision after it.
    """
    barrier.wait(BARRIER_SECONDS)
    measured = begun = time.monotonic()
    for batch in loader:
        measured = begun if batch.step <= job.warm_up else measured
        waited = time.monotonic() - begun
        load = load_of(batch.microbatches)
        time.sleep(load.window_seconds)
        ended = time.monotonic()
        pipe.send(StepRecord(loader.rank, batch.step, begun, waited, ended, load))
        if loader.rank == 0 and ended - measured > job.most_seconds:
            last.value = min(last.value, batch.step)
        barrier.wait(BARRIER_SECONDS)
        begun = time.monotonic()
        if batch.step >= last.value:
            return


def _end_with_the_parent() -> None:
    """Ends this process when the one that started it is gone, however that ended."""
    parent = parent_process()
    assert parent is not None

    def watch(sentinel: int) -> None:
        connection.wait([sentinel])
        os._exit(EXIT_OF_AN_ORPHAN)

    threading.Thread(target=watch, args=(parent.sentinel,), daemon=True).start()

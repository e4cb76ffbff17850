"""The loader of one rank."""

from __future__ import annotations

import json
import logging
import time
import weakref
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import numpy as np

from headrace import _ranks
from headrace._batch import Batch, Life, Microbatch, WireTable
from headrace._engine import Engine, client_id, job_id
from headrace._errors import EngineLost, HeadraceError, HeadraceTimeout
from headrace._http import Connection, Response, Room
from headrace._slots import HeaderCache, SlotMaps

_LOG = logging.getLogger("headrace")
_LONGEST_POLL_SECONDS = 5.0
_SHORTEST_POLL_SECONDS = 0.02
_ANSWER_MARGIN_SECONDS = 30.0
_CONNECT_SECONDS = 30.0


@dataclass(slots=True)
class _Held:
    """A batch whose memory is still this rank's, and the time until the next was asked for."""

    lease: int
    life: Life
    root: weakref.ReferenceType[Any]
    compute_nanos: int = 0
    own_nanos: int = 0


class Loader:
    """Iterates the batches of one rank. Made by :func:`headrace.open`; used by one thread.

    A batch is valid until ``hold`` later batches have been asked for (1: until the next).
    """

    def __init__(
        self,
        connection: Connection,
        engine: Engine | None,
        rank: int,
        *,
        hold: int,
        timeout: float,
        bodies: bool,
    ) -> None:
        self.rank = rank
        self._connection = connection
        self._engine = engine
        self._hold = hold
        self._timeout = timeout
        self._bodies = bodies
        self._accept = f"Accept: application/{'octet-stream' if bodies else 'json'}\r\n"
        self._held: deque[_Held] = deque()
        self._gone: _Held | None = None
        self._warned_of_views = False
        self._maps = SlotMaps()
        self._rooms: deque[Room] = deque(Room() for _ in range(hold))
        self._headers = HeaderCache()
        self._handed_out_nanos = 0
        self._ended = False
        # Whether the next step has been asked for ahead, so that the connection owes an answer.
        self._asked_ahead = False
        # What else is asked while it does goes here.
        self._aside: Connection | None = None
        self.job: dict[str, Any] = self._json("GET", "/v1/job")
        self._tables = tuple(WireTable(table) for table in self.job.get("wire_tables", []))
        self.world_size: int = self.job["ranks"]
        self._step: int = self.job["next_step"]

    @property
    def step(self) -> int:
        """The step that the next batch will be of."""
        return self._step

    def __iter__(self) -> Iterator[Batch]:
        """Goes on where the loader stands; after the end of a pass, begins it anew."""
        if self._ended:
            self._ended = False
            self._step = 0
        return self

    def __len__(self) -> int:
        """Steps of a whole pass, where the engine tells them."""
        if self.job["steps"] < 0:
            raise TypeError("the number of steps is not known before the pass ends")
        return int(self.job["steps"])

    def __next__(self) -> Batch:
        now = time.perf_counter_ns()
        if self._held and self._handed_out_nanos:
            self._held[-1].compute_nanos = now - self._handed_out_nanos
            self._handed_out_nanos = 0
        response = self._answer_ahead()
        taken = ""
        if response is not None:
            waited = time.perf_counter_ns() - now
            taken = f"Headrace-Taken: {self._step}\r\nHeadrace-Waited-Nanos: {waited}\r\n"
        else:
            response = self._await_step(now)
        if response.status == 410:
            self._release_all()
            self._ended = True
            raise StopIteration
        batch = self._received(response)
        self._step += 1
        if not self._bodies:
            self._ask_ahead(taken)
        self._handed_out_nanos = time.perf_counter_ns()
        return batch

    def _ask_ahead(self, headers: str) -> None:
        """Asks for the next step while this one is computed, so that its answer lies there in time."""
        limit = min(_LONGEST_POLL_SECONDS, self._warning_seconds(), self._timeout)
        if len(self._held) > self._hold:
            lease, told = self._end_oldest()
            headers += f"Headrace-Release: {lease}\r\n{told}"
        self._connection.send(
            "GET",
            self._step_path(),
            headers=f"{self._accept}{headers}Headrace-Ahead: 1\r\nHeadrace-Wait-Millis: {int(limit * 1000)}\r\n",
            timeout=_LONGEST_POLL_SECONDS + _ANSWER_MARGIN_SECONDS,
        )
        self._asked_ahead = True

    def _answer_ahead(self) -> Response | None:
        """The step that was asked for ahead, if it was and is there or comes soon."""
        if not self._asked_ahead:
            return None
        if not self._connection.has_answer() and len(self._held) >= self._hold:
            # The step may need the memory of the one that ends now.
            lease, told = self._end_oldest()
            self._request("DELETE", f"/v1/ranks/{self.rank}/leases/{lease}", headers=told)
        self._asked_ahead = False
        with self._last_words():
            response = self._connection.receive()
        return response if response.status in (200, 410) else None

    def _step_path(self) -> str:
        return f"/v1/ranks/{self.rank}/steps/{self._step}"

    def _warning_seconds(self) -> float:
        return float(self.job["wait_warning_millis"]) / 1000

    def _await_step(self, since_nanos: int) -> Response:
        """Asks until the step is there; the rank has waited since a time of ``perf_counter_ns``."""
        warning = self._warning_seconds()
        warn_at = warning
        headers = ""
        if len(self._held) >= self._hold:
            lease, told = self._end_oldest()
            headers = f"Headrace-Release: {lease}\r\n{told}"
        while True:
            waited_nanos = time.perf_counter_ns() - since_nanos
            waited = waited_nanos / 1e9
            until_told = max(_SHORTEST_POLL_SECONDS, min(self._timeout, warn_at) - waited)
            left = min(_LONGEST_POLL_SECONDS, until_told)
            headers += f"Headrace-Wait-Millis: {int(left * 1000)}\r\n"
            response = self._ask_step(f"{headers}Headrace-Waited-Nanos: {waited_nanos}\r\n")
            headers = ""
            if response.status in (200, 410):
                return response
            if response.status != 503:
                raise self._error(response)
            waited = (time.perf_counter_ns() - since_nanos) / 1e9
            reason = describe(json.loads(bytes(response.body))["waiting"])
            if waited >= self._timeout:
                raise HeadraceTimeout(
                    f"rank {self.rank} waited {waited:.1f} s for step {self._step}: {reason}"
                )
            if waited >= warn_at:
                _LOG.warning(
                    "rank %d waits %.1f s for step %d: %s", self.rank, waited, self._step, reason
                )
                warn_at = max(warn_at * 2, warning)

    def _ask_step(self, headers: str) -> Response:
        room = self._rooms[0] if self._bodies else None
        return self._request("GET", self._step_path(), headers=self._accept + headers, into=room)

    def _end_oldest(self) -> tuple[int, str]:
        """Ends the oldest batch; its lease, and what its release tells the engine."""
        oldest = self._held.popleft()
        self._end(oldest)
        self._rooms.rotate(-1)
        own = f"Headrace-Own-Nanos: {oldest.own_nanos}\r\n" if oldest.own_nanos else ""
        return oldest.lease, f"Headrace-Compute-Nanos: {oldest.compute_nanos}\r\n{own}"

    def _end(self, held: _Held) -> None:
        """Marks a batch as gone. Views of the one that ended before it are looked for now: the
        loop variables of a training loop still hold the last batch while the next is asked for."""
        before = self._gone
        if before is not None and before.root() is not None and not self._warned_of_views:
            self._warned_of_views = True
            _LOG.warning(
                "a view of step %d is still held although its memory belongs to a later step: "
                "use batch.copy(), or open the loader with a larger hold",
                before.life.step,
            )
        held.life.released = True
        self._gone = held

    def _received(self, response: Response) -> Batch:
        memory: Any
        if self._bodies:
            ranges = [
                tuple(map(int, part.split("+")))
                for part in response.header("Headrace-Microbatches").split(",")
            ]
            lease = int(response.header("Headrace-Lease"))
            memory = response.body
        else:
            handle = json.loads(bytes(response.body))
            ranges = handle["microbatches"]
            lease = handle["lease"]
            memory = self._maps.open(handle)
        root = np.frombuffer(memory, dtype=np.uint8)
        view = memoryview(memory)
        life = Life(self._step)
        microbatches = tuple(
            Microbatch(
                root, offset, self._headers.tensors(view, offset, length), self._tables, life
            )
            for offset, length in ranges
        )
        self._held.append(_Held(lease, life, weakref.ref(root)))
        return Batch(self.rank, self._step, microbatches, life)

    def compute_done(self) -> None:
        """Says that this rank has computed its part of the last batch.

        Optional. In synchronous training all ranks ask for the next batch when the slowest is
        done. A loop that calls this before it waits for the others (for the gradients to be
        reduced) tells its own time, and the engine learns what a batch costs from every rank and
        not from the slowest alone. On an accelerator, synchronise with it first.
        """
        if self._held and self._handed_out_nanos:
            self._held[-1].own_nanos = time.perf_counter_ns() - self._handed_out_nanos

    def state_dict(self) -> dict[str, Any]:
        """State from which a job goes on after the batches that were handed out.

        A small dictionary that JSON can hold, the same on every rank at the same step.
        """
        state: dict[str, Any] = self._json("GET", f"/v1/state?step={self._step}")
        return state

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Goes on from a state, on any number of ranks. Every rank calls it with the same one."""
        self._release_all()
        if self._asked_ahead:
            # The answer is of a step that nobody wants any more: it goes with its connection.
            self._connection, old = (
                self._connection.another(_CONNECT_SECONDS),
                self._connection,
            )
            self._asked_ahead = False
            old.close()
        answer = self._json("POST", "/v1/state", body=json.dumps(state).encode())
        self._step = answer["step"]
        self._ended = False
        self._handed_out_nanos = 0

    def status(self) -> dict[str, Any]:
        """Ready-ahead, waits and slots of all ranks, as ``headrace top`` shows them."""
        status: dict[str, Any] = self._json("GET", "/v1/status")
        return status

    def _json(self, method: str, path: str, body: bytes = b"") -> dict[str, Any]:
        response = self._request(method, path, body=body)
        if response.status not in (200, 202):
            raise self._error(response)
        answer: dict[str, Any] = json.loads(bytes(response.body))
        return answer

    def _request(self, method: str, path: str, **options: Any) -> Response:
        with self._last_words():
            connection = self._connection
            if self._asked_ahead:
                if self._aside is None:
                    # Without this rank's name: the engine counts ranks, not their connections.
                    self._aside = connection.another(_CONNECT_SECONDS, headers="")
                connection = self._aside
            return connection.request(
                method, path, timeout=_LONGEST_POLL_SECONDS + _ANSWER_MARGIN_SECONDS, **options
            )

    @contextmanager
    def _last_words(self) -> Iterator[None]:
        """An engine that is gone is told with the last lines of its log."""
        try:
            yield
        except EngineLost as error:
            self._forget()
            words = self._engine.last_words() if self._engine else ""
            raise EngineLost(f"{error}{words}") from error

    def _error(self, response: Response) -> HeadraceError:
        try:
            return HeadraceError(json.loads(bytes(response.body))["error"]["message"])
        except (ValueError, KeyError, TypeError):
            return HeadraceError(
                f"the engine answered {response.status}: {bytes(response.body)[:200]!r}"
            )

    def _release_all(self) -> None:
        while self._held:
            held = self._held.popleft()
            self._end(held)
            self._request("DELETE", f"/v1/ranks/{self.rank}/leases/{held.lease}")

    def _forget(self) -> None:
        """Drops all memory of an engine that is gone, so that the machine gets it back."""
        while self._held:
            self._end(self._held.popleft())
        self._maps.clear()

    def close(self) -> None:
        """Gives everything back. The engine ends when the last rank has gone."""
        self._connection.close()
        if self._aside is not None:
            self._aside.close()
        self._forget()

    def __enter__(self) -> Loader:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def describe(waiting: dict[str, Any]) -> str:
    """One line of what the engine says that it waits for."""
    parts = [waiting.get("stage") or "not started"]
    parts += [f"sample {waiting['sample']}"] if waiting.get("sample") else []
    parts += [f"file {waiting['file']}"] if waiting.get("file") else []
    since = waiting.get("since_epoch_millis") or 0
    if since:
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(since / 1000))
        parts.append(f"since {stamp}")
    return ", ".join(parts)


def open(
    recipe: str,
    rank: int | None = None,
    world_size: int | None = None,
    *,
    job: str | None = None,
    socket: str | None = None,
    address: tuple[str, int] | None = None,
    token: str = "",
    hold: int = 1,
    timeout: float = 1800.0,
    start_timeout: float = 600.0,
    options: tuple[str, ...] = (),
) -> Loader:
    """Opens this rank's loader, and starts the engine if none runs for the job on this host.

    Args:
        recipe: path of the recipe.
        rank, world_size: data-parallel rank and their number; from torchrun or Slurm if not given.
        job: name of the job; by default it follows from the recipe, the user and the run.
        socket: Unix socket of an engine that runs already; nothing is started then.
        address, token: host, port and secret of an engine on another host; batches come as bodies.
        hold: how many of the last batches stay valid, 1 or more.
        timeout: seconds that one batch may take; then HeadraceTimeout says what was waited for.
        start_timeout: seconds that the engine may take to start, its first build included.
        options: further arguments of ``headrace run`` when the engine is started.

    Raises:
        HeadraceError: the engine cannot be started, or its job has another number of ranks.
    """
    if hold < 1:
        raise HeadraceError(f"hold is {hold}: at least the last batch must stay valid")
    rank, world_size = _ranks.resolve(rank, world_size)
    name = f"Headrace-Client: {client_id()}\r\n"
    engine: Engine | None = None
    if address is not None:
        connection = _connect_tcp(address, f"Authorization: Bearer {token}\r\n{name}")
    elif socket is not None:
        engine = Engine(job or "job", socket)
        connection = engine.connect(name, start_timeout)
    else:
        engine = Engine(job or job_id(recipe, rank, world_size))
        connection = engine.ensure(recipe, world_size, list(options), name, start_timeout)
    try:
        loader = Loader(
            connection, engine, rank, hold=hold, timeout=timeout, bodies=address is not None
        )
        if loader.world_size != world_size:
            raise HeadraceError(
                f"the job feeds {loader.world_size} data-parallel ranks, but the world size is "
                f"{world_size}: give rank and world_size of the data-parallel group"
            )
    except BaseException:
        connection.close()
        raise
    return loader


def _connect_tcp(address: tuple[str, int], headers: str) -> Connection:
    try:
        return Connection(address, headers, _CONNECT_SECONDS)
    except OSError as error:
        raise EngineLost(f"no engine listens on {address[0]}:{address[1]}: {error}") from error

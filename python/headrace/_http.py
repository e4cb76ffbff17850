"""One keep-alive HTTP/1.1 connection, as little of the protocol as the engine speaks."""

from __future__ import annotations

import os
import re
import select
import socket
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from headrace._errors import EngineLost, HeadraceError, HeadraceTimeout

_HEAD_END = b"\r\n\r\n"
_CONTENT_LENGTH = re.compile(rb"\r\ncontent-length:[ ]*(\d+)", re.IGNORECASE)
_LONGEST_HEAD_BYTES = 64 << 10

_connections: weakref.WeakSet[Connection] = weakref.WeakSet()


@dataclass(frozen=True, slots=True)
class Response:
    """Status, head with all headers as received, and the body."""

    status: int
    head: bytes
    body: bytes | memoryview

    def header(self, name: str) -> str:
        """The value of a header, or an empty string."""
        pattern = b"\r\n" + re.escape(name.encode()) + rb":[ ]*([^\r\n]*)"
        found = re.search(pattern, self.head, re.IGNORECASE)
        return found.group(1).decode() if found else ""


class Connection:
    """A connection to the engine over a Unix socket or TCP. One thread at a time."""

    def __init__(self, address: str | tuple[str, int], headers: str, timeout: float) -> None:
        """Connects; ``headers`` go with every request, each ended by CR LF."""
        self.address = address
        self._headers = headers
        self._buffer = bytearray()
        self._asked = ""
        family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
        self._socket = socket.socket(family, socket.SOCK_STREAM)
        self._socket.settimeout(timeout)
        try:
            self._socket.connect(address)
        except BaseException:
            self._socket.close()
            raise
        if family == socket.AF_INET:
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self._owner = os.getpid()
        self._poll = select.poll()
        self._poll.register(self._socket, select.POLLIN)
        _connections.add(self)

    def another(self, timeout: float, headers: str | None = None) -> Connection:
        """A second connection to the same engine, with the same headers unless others are given."""
        try:
            return Connection(self.address, self._headers if headers is None else headers, timeout)
        except OSError as error:
            raise EngineLost(f"the engine at {self.address} is gone: {error}") from error

    def request(
        self,
        method: str,
        path: str,
        *,
        headers: str = "",
        body: bytes = b"",
        timeout: float = 30.0,
        into: Room | None = None,
    ) -> Response:
        """Sends a request and reads its answer; a body of octets goes ``into`` given memory."""
        self.send(method, path, headers=headers, body=body, timeout=timeout)
        return self.receive(into)

    def send(
        self, method: str, path: str, *, headers: str = "", body: bytes = b"", timeout: float
    ) -> None:
        """Sends a request; the next call must be :meth:`receive`, which then waits so long."""
        self._refuse_a_fork()
        self._asked = f"{method} {path}"
        length = f"Content-Length: {len(body)}\r\n" if body else ""
        text = f"{self._asked} HTTP/1.1\r\nHost: headrace\r\n{self._headers}{headers}{length}\r\n"
        with self._failures():
            self._socket.settimeout(timeout)
            self._socket.sendall(text.encode() + body)

    def has_answer(self) -> bool:
        """Whether something of the answer has come, so that :meth:`receive` need not wait for it."""
        self._refuse_a_fork()
        return bool(self._buffer) or bool(self._poll.poll(0))

    def receive(self, into: Room | None = None) -> Response:
        """The answer to the request that was sent."""
        self._refuse_a_fork()
        with self._failures():
            return self._response(into)

    def _refuse_a_fork(self) -> None:
        if self._owner != os.getpid():
            raise HeadraceError(
                "a loader cannot be used in a forked process: open it in the process that reads it"
            )

    @contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except TimeoutError as error:
            waited = self._socket.gettimeout() or 0.0
            self.close()
            raise HeadraceTimeout(
                f"the engine at {self.address} did not answer {self._asked} for {waited:.0f} s"
            ) from error
        except OSError as error:
            self.close()
            raise EngineLost(f"the engine at {self.address} is gone: {error}") from error

    def _response(self, into: Room | None) -> Response:
        buffer = self._buffer
        end = buffer.find(_HEAD_END)
        while end < 0:
            self._fill()
            end = buffer.find(_HEAD_END)
            if end < 0 and len(buffer) > _LONGEST_HEAD_BYTES:
                raise HeadraceError(f"no HTTP answer from {self.address}: {bytes(buffer[:80])!r}")
        head = bytes(buffer[:end])
        del buffer[: end + 4]
        found = _CONTENT_LENGTH.search(head)
        length = int(found.group(1)) if found else 0
        status = int(head[9:12])
        if into is not None and b"application/octet-stream" in head:
            return Response(status, head, self._read_into(into.take(length), length))
        while len(buffer) < length:
            self._fill()
        body = bytes(buffer[:length])
        del buffer[:length]
        return Response(status, head, body)

    def _fill(self) -> None:
        data = self._socket.recv(1 << 16)
        if not data:
            raise ConnectionResetError("it closed the connection")
        self._buffer += data

    def _read_into(self, target: memoryview, length: int) -> memoryview:
        got = min(length, len(self._buffer))
        target[:got] = self._buffer[:got]
        del self._buffer[:got]
        while got < length:
            count = self._socket.recv_into(target[got:length])
            if count == 0:
                raise ConnectionResetError("it closed the connection within a body")
            got += count
        return target

    def close(self) -> None:
        """Closes the connection; the engine takes all its leases back."""
        self._socket.close()


class Room:
    """Memory for bodies, made larger as needed and used again for each."""

    def __init__(self) -> None:
        self._memory = bytearray()

    def take(self, length: int) -> memoryview:
        """The first ``length`` bytes; what was there before is overwritten."""
        if len(self._memory) < length:
            self._memory = bytearray(length)
        return memoryview(self._memory)[:length]


def _close_in_child() -> None:
    """A forked child must not hold the connection, or the engine would not see its rank die."""
    for connection in list(_connections):
        connection.close()


os.register_at_fork(after_in_child=_close_in_child)

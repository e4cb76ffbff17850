"""The real delivery server, over batches whose values follow from rank, step and place."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import headrace

REPOSITORY = Path(__file__).resolve().parents[2]
MAIN = "io.headrace.runtime.deliver.PatternServer"
JVM_FLAGS = ["--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"]
JVM_FLAGS += ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"]


def java_home() -> Path:
    """A JDK 25: JAVA_HOME, else one under /usr/lib/jvm."""
    given = os.environ.get("JAVA_HOME")
    homes = [Path(given)] if given else sorted(Path("/usr/lib/jvm").glob("*25*"))
    for home in homes:
        if (home / "bin" / "java").exists():
            return home
    raise RuntimeError("the tests of the client need a JDK 25: set JAVA_HOME")


@cache
def classpath() -> str:
    """Class path of the runtime's tests, from Maven; compiled by it if need be."""
    given = os.environ.get("HEADRACE_TEST_CLASSPATH")
    if given:
        return given
    runtime = REPOSITORY / "runtime" / "target"
    written = runtime / "test-classpath.txt"
    main = runtime / "test-classes" / (MAIN.replace(".", "/") + ".class")
    if not written.exists() or not main.exists():
        partial = written.with_suffix(".part")  # of the modules before, if the build fails
        command = ["mvn", "-q", "-B", "-pl", "runtime", "-am", "test-compile"]
        command += ["dependency:build-classpath", f"-Dmdep.outputFile={partial}"]
        environment = {**os.environ, "JAVA_HOME": str(java_home())}
        subprocess.run(command, cwd=REPOSITORY, env=environment, check=True, timeout=900)
        partial.rename(written)
    own = [runtime / "test-classes", runtime / "classes"]
    return os.pathsep.join([*map(str, own), written.read_text().strip()])


@dataclass
class Server:
    """A running server."""

    process: subprocess.Popen[str] | None
    socket: str
    tcp_port: int

    @property
    def pid(self) -> int:
        """Its process."""
        assert self.process is not None
        return self.process.pid

    def open(self, rank: int = 0, world_size: int = 1, **options: Any) -> headrace.Loader:
        return headrace.open("recipe.yaml", rank, world_size, socket=self.socket, **options)


Start = Callable[..., Server]


@pytest.fixture(scope="session", autouse=True)
def _compiled() -> None:
    classpath()


def launch(socket: str, **arguments: Any) -> Server:
    """Starts a server and waits until it listens."""
    command = [str(java_home() / "bin" / "java"), *JVM_FLAGS, "-cp", classpath(), MAIN]
    command += [f"socket={socket}", *(f"{key}={value}" for key, value in arguments.items())]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("ready "):
            return Server(process, socket, int(line.split()[1]))
    raise RuntimeError(f"the server ended with {process.wait()}: {command}")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A short private folder: a socket's path has at most 107 bytes."""
    with tempfile.TemporaryDirectory(prefix="hr") as name:
        yield Path(name)


@pytest.fixture(scope="session")
def shared() -> Iterator[dict[str, Server]]:
    """Servers that tests may share, by their arguments."""
    with tempfile.TemporaryDirectory(prefix="hr") as name:
        servers: dict[str, Server] = {"folder": Server(None, name, 0)}
        yield servers
        for server in servers.values():
            stop(server)


@pytest.fixture
def start(folder: Path, shared: dict[str, Server]) -> Iterator[Start]:
    """Gives servers. A ``fresh`` one is for one test, to be killed or restored from a state."""
    own: list[Server] = []

    def begin(*, fresh: bool = False, **arguments: Any) -> Server:
        if fresh:
            server = launch(str(folder / f"{len(own)}.sock"), **arguments)
            own.append(server)
            return server
        key = repr(sorted(arguments.items()))
        if key not in shared:
            socket = f"{shared['folder'].socket}/{len(shared)}.sock"
            shared[key] = launch(socket, **arguments)
        return shared[key]

    yield begin
    for server in own:
        stop(server)


def stop(server: Server) -> None:
    """Kills a server that this test run started."""
    if server.process is not None:
        with contextlib.suppress(ProcessLookupError):
            server.process.kill()
        server.process.wait()


def expected_id(rank: int, step: int, microbatch: int, index: int) -> int:
    """What the server writes as the id at a place."""
    return step * 1_000_000 + rank * 10_000 + microbatch * 1000 + index


def expected_level(rank: int, step: int, microbatch: int, index: int) -> int:
    """What the server writes as the level of a pixel."""
    return (step * 7 + rank * 5 + microbatch * 3 + index) % 256

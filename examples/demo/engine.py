"""The engine of one run: started by the launcher, asked over its Unix socket, ended with all that it started."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from failure import DemoError

START_SECONDS = 600.0
STOP_SECONDS = 15.0
ANSWER_SECONDS = 3.0
CLIENT_GRACE_SECONDS = 2
LOG_LINES = 15
SOCKET_FOLDER, WORK_FOLDER = "headrace-demo-", "demo-"


@dataclass(frozen=True)
class EngineJob:
    """A recipe and how its engine is started."""

    launcher: Path
    recipe: Path
    log: Path
    ranks: int
    rank_local: bool

    @property
    def job(self) -> str:
        """Name of the job: that of this process and of the recipe."""
        return f"{WORK_FOLDER}{os.getpid()}-{self.recipe.stem.replace('_', '-')}"

    @property
    def work_folder(self) -> Path:
        """Where the engine keeps its journal and its ledger."""
        return self.recipe.parent / ".headrace" / "jobs" / self.job


def remove_left_behind(recipe_folder: Path) -> None:
    """Removes folders of demos that were killed before they could do so."""
    folders = [*Path(tempfile.gettempdir()).glob(f"{SOCKET_FOLDER}*")]
    folders += (recipe_folder / ".headrace" / "jobs").glob(f"{WORK_FOLDER}*")
    for folder in folders:
        process = re.match(f"(?:{SOCKET_FOLDER}|{WORK_FOLDER})(\\d+)-", folder.name)
        if process and not Path("/proc", process[1]).exists():
            shutil.rmtree(folder, ignore_errors=True)


class Engine:
    """A running engine. Leaving the context ends it, kindly first, and removes its work folder."""

    def __init__(self, job: EngineJob) -> None:
        self._job = job
        self._folder = Path(tempfile.mkdtemp(prefix=f"{SOCKET_FOLDER}{os.getpid()}-"))
        self.socket = str(self._folder / "engine.sock")
        command = [
            str(job.launcher),
            "run",
            str(job.recipe),
            "--ranks",
            str(job.ranks),
            "--job",
            job.job,
        ]
        command += ["--socket", self.socket, "--client-grace", str(CLIENT_GRACE_SECONDS)]
        command += ["--rank-local"] if job.rank_local else []
        job.log.write_bytes(b"")
        with job.log.open("ab") as log:
            # A session of its own: Ctrl-C reaches the demo alone, which then ends the engine.
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def await_start(self) -> None:
        """Returns when the engine answers."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            with suppress(OSError, http.client.HTTPException):
                self.ask("/v1/job")
                return
            self.check()
            time.sleep(0.02)
        raise DemoError(
            f"the engine did not answer within {START_SECONDS:.0f} s{self.last_words()}"
        )

    def check(self) -> None:
        """Raises DemoError if the engine has ended."""
        code = self._process.poll()
        if code is not None:
            raise DemoError(f"the engine ended with code {code}{self.last_words()}")

    def ask(self, path: str) -> dict[str, Any]:
        """The JSON document at a path such as ``/v1/status``."""
        connection = _UnixConnection(self.socket)
        try:
            connection.request("GET", path)
            answer: dict[str, Any] = json.loads(connection.getresponse().read())
        finally:
            connection.close()
        return answer

    def cpu_seconds(self) -> float:
        """CPU time that the engine has taken so far, user and system; 0 where /proc does not tell."""
        try:
            fields = Path(f"/proc/{self._process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def last_words(self) -> str:
        """Path and last lines of the log, to be put after a message."""
        lines = self._job.log.read_text(encoding="utf-8", errors="replace").splitlines()
        tail = "".join(f"\n    {line}" for line in lines[-LOG_LINES:])
        return f"; its log {self._job.log} ends with:{tail}"

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self._process.poll() is None:
                self._process.terminate()
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(STOP_SECONDS)
            if self._process.poll() is None:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait(STOP_SECONDS)
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)
            shutil.rmtree(self._job.work_folder, ignore_errors=True)


class _UnixConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: str) -> None:
        super().__init__("headrace", timeout=ANSWER_SECONDS)
        self._path = path

    def connect(self) -> None:
        """Connects to the path in the place of a host."""
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(ANSWER_SECONDS)
        self.sock.connect(self._path)

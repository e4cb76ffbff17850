"""Finds the engine of a job on this host, and starts it if there is none."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import logging
import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from headrace._errors import EngineLost, HeadraceError, HeadraceTimeout
from headrace._http import Connection

_LOG = logging.getLogger("headrace")

CLIENT_GRACE_SECONDS = 1
_TELL_AFTER_SECONDS = 5.0
_LONGEST_SOCKET_BYTES = 99
_JOB_NAME_BYTES = 40
_LOG_TAIL_LINES = 20
_ENDING = 503
_OLD_LOG_SECONDS = 7 * 24 * 3600
_RUN_IDS = ("HEADRACE_RUN_ID", "TORCHELASTIC_RUN_ID", "MASTER_ADDR", "MASTER_PORT", "SLURM_JOB_ID")


def runtime_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Where sockets lie: $XDG_RUNTIME_DIR/headrace, or /tmp/headrace-UID."""
    runtime = environment.get("XDG_RUNTIME_DIR", "")
    own = Path(runtime) / "headrace"
    fits = len(os.fsencode(own)) + _JOB_NAME_BYTES <= _LONGEST_SOCKET_BYTES
    if runtime and os.access(runtime, os.W_OK) and fits:
        return own
    return Path(f"/tmp/headrace-{os.getuid()}")


def job_id(
    recipe: str, rank: int, world_size: int, environment: Mapping[str, str] = os.environ
) -> str:
    """Names the job: the same for all its ranks on this host, and for no other job.

    It follows from the recipe, the user, and the run ids of torchrun or Slurm. Without these,
    ranks started by one parent belong together, and a single rank is a job of its own.
    """
    run = [f"{name}={environment[name]}" for name in _RUN_IDS if name in environment]
    if not run:
        run = [f"parent={os.getppid()}" if world_size > 1 else f"process={client_id()}"]
    text = "\0".join([os.path.realpath(recipe), str(os.getuid()), str(world_size), *run])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def client_id() -> str:
    """This process as requests name it: number, start time in ticks, PID namespace."""
    stat = Path("/proc/self/stat").read_text(encoding="utf-8", errors="replace")
    start = stat[stat.rindex(")") + 2 :].split()[19]
    namespace = os.stat("/proc/self/ns/pid").st_ino
    return f"{os.getpid()}/{start}/{namespace}"


def find_launcher(environment: Mapping[str, str] = os.environ) -> Path:
    """The ``headrace`` launcher: HEADRACE_HOME, the PATH, or the checkout this package lies in."""
    home = environment.get("HEADRACE_HOME", "")
    found = shutil.which("headrace", path=environment.get("PATH"))
    candidates = [Path(home) / "headrace"] if home else []
    candidates += [Path(found)] if found else []
    candidates.append(Path(__file__).resolve().parents[2] / "headrace")
    for candidate in candidates:
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return candidate
    raise HeadraceError(
        "the headrace launcher was not found: set HEADRACE_HOME to its folder or put it on the "
        f"PATH (looked at {', '.join(map(str, candidates))})"
    )


class Engine:
    """The engine of one job on this host: its socket, its log, and how it is started."""

    def __init__(self, job: str, socket: str | None = None) -> None:
        self.job = job
        self.folder = runtime_folder() if socket is None else Path(socket).absolute().parent
        self.socket = socket or str(self.folder / f"{job}.sock")
        self.log = Path(self.socket).with_suffix(".log")

    def connect(self, headers: str, timeout: float) -> Connection:
        """A connection to an engine that runs already and is not about to end."""
        try:
            connection = Connection(self.socket, headers, timeout)
        except OSError as error:
            raise EngineLost(f"no engine listens on {self.socket}: {error}") from error
        status = connection.request("GET", "/v1/job", timeout=timeout).status
        if status == _ENDING:
            connection.close()
            raise EngineLost(f"the engine on {self.socket} is ending")
        return connection

    def ensure(
        self, recipe: str, world_size: int, options: list[str], headers: str, timeout: float
    ) -> Connection:
        """A connection to the job's engine; the first rank to come starts it, the others wait."""
        with contextlib.suppress(EngineLost):
            return self.connect(headers, timeout)
        self._private_folder()
        deadline = time.monotonic() + timeout
        with self._start_lock(deadline):
            with contextlib.suppress(EngineLost):
                return self.connect(headers, timeout)
            process = self._start(recipe, world_size, options)
            return self._await(process, headers, deadline)

    def _private_folder(self) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = os.lstat(self.folder)
        if found.st_uid != os.getuid() or found.st_mode & 0o077:
            raise HeadraceError(
                f"the socket folder {self.folder} must belong to user {os.getuid()} with mode "
                f"0700, but belongs to user {found.st_uid} with mode {found.st_mode & 0o777:04o}"
            )

    @contextlib.contextmanager
    def _start_lock(self, deadline: float) -> Iterator[None]:
        """Held while the engine starts: the lock of its log, so that a kill leaves no other file."""
        fd = self._locked(self.log, deadline)
        try:
            yield
        finally:
            os.close(fd)

    def _locked(self, path: Path, deadline: float) -> int:
        while time.monotonic() < deadline:
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if path.exists() and path.stat().st_ino == os.fstat(fd).st_ino:
                    return fd
            except OSError:
                pass
            os.close(fd)
            time.sleep(0.02)
        raise HeadraceTimeout(
            f"another rank has been starting the engine of job {self.job} for too long: {self.log}"
        )

    def _start(self, recipe: str, world_size: int, options: list[str]) -> subprocess.Popen[bytes]:
        command = [str(find_launcher()), "run", os.path.realpath(recipe)]
        command += ["--ranks", str(world_size), "--job", self.job, "--socket", self.socket]
        command += ["--client-grace", str(CLIENT_GRACE_SECONDS), "--started-by", client_id()]
        command += options
        self._remove_old_logs()
        with open(self.log, "wb") as log:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def _remove_old_logs(self) -> None:
        for log in self.folder.glob("*.log"):
            if log == self.log:
                continue
            with contextlib.suppress(OSError):
                if time.time() - log.stat().st_mtime > _OLD_LOG_SECONDS:
                    log.unlink()

    def _await(self, process: subprocess.Popen[bytes], headers: str, deadline: float) -> Connection:
        tell_at = time.monotonic() + _TELL_AFTER_SECONDS
        while time.monotonic() < deadline:
            if time.monotonic() > tell_at:
                tell_at = deadline
                _LOG.warning(
                    "the engine is still starting (the first time it is built): %s", self.log
                )
            with contextlib.suppress(EngineLost):
                return self.connect(headers, max(1.0, deadline - time.monotonic()))
            if process.poll() is not None:
                raise EngineLost(
                    f"the engine ended with code {process.returncode} before it listened"
                    + self.last_words()
                )
            time.sleep(0.01)
        process.terminate()
        raise HeadraceTimeout("the engine did not listen in time" + self.last_words())

    def last_words(self) -> str:
        """Path and last lines of the engine's log, to be put after a message."""
        try:
            lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return ""
        tail = "\n".join(f"    {line}" for line in lines[-_LOG_TAIL_LINES:])
        return f"; its log {self.log} ends with:\n{tail}" if tail else f"; its log is {self.log}"

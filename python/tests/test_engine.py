"""How a rank finds its engine, starts it, and what is left of it."""

from __future__ import annotations

import os
import re
import signal
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import JVM_FLAGS, MAIN, classpath, java_home

import headrace
from headrace import _engine, _ranks

PROCESS_GONE_SECONDS = 60


@pytest.fixture
def home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A launcher that starts the test's server, and a runtime folder of its own."""
    launcher = folder / "headrace"
    launcher.write_text(
        f"""#!{sys.executable}
import os, sys
given = dict(zip(sys.argv[3::2], sys.argv[4::2]))
open({str(folder / "starts")!r}, "a").write(f"{{os.getpid()}} {{' '.join(sys.argv[1:])}}\\n")
if "--fail" in given:
    sys.exit("recipe.yaml:3:5: unknown key wieghts, did you mean weights?")
java = {str(java_home() / "bin" / "java")!r}
arguments = [java, *{JVM_FLAGS!r}, "-cp", {classpath()!r}, {MAIN!r}]
arguments += ["socket=" + given["--socket"], "ranks=" + given["--ranks"], "job=" + given["--job"]]
arguments += ["grace=" + str(int(float(given["--client-grace"]) * 1000))]
os.execv(java, arguments)
"""
    )
    launcher.chmod(0o755)
    runtime = folder / "run"
    runtime.mkdir(mode=0o700)
    monkeypatch.setenv("HEADRACE_HOME", str(folder))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    for name in _engine._RUN_IDS:
        monkeypatch.delenv(name, raising=False)
    return folder


def starts(home: Path) -> list[str]:
    return (home / "starts").read_text().splitlines()


def gone(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return True
    return state == "Z"


def await_gone(pid: int) -> None:
    deadline = time.monotonic() + PROCESS_GONE_SECONDS
    while not gone(pid):
        assert time.monotonic() < deadline, f"the engine {pid} is still there"
        time.sleep(0.05)


def test_the_first_rank_starts_the_engine_and_the_last_ends_it(home: Path) -> None:
    def read(rank: int) -> int:
        with headrace.open("recipe.yaml", rank, 4, job="four") as loader:
            return next(loader).rank

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(read, range(4))) == [0, 1, 2, 3]
    line = starts(home)[0].split()
    assert len(starts(home)) == 1
    assert line[1:-1] == [
        *("run", os.path.realpath("recipe.yaml"), "--ranks", "4", "--job", "four"),
        *("--socket", str(home / "run" / "headrace" / "four.sock"), "--client-grace", "1"),
        "--started-by",
    ]
    assert re.fullmatch(rf"{os.getpid()}/\d+/\d+", line[-1])
    await_gone(int(line[0]))
    left = sorted(path.name for path in (home / "run" / "headrace").iterdir())
    assert left == ["four.log"]


def test_killed_ranks_end_the_engine_and_a_killed_engine_needs_no_cleaning(home: Path) -> None:
    code = "import headrace, time; l = headrace.open('r', 0, 1, job='k'); next(l); "
    code += "print('there', flush=True); time.sleep(1000)"
    source = str(Path(headrace.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": source}
    command = [sys.executable, "-c", code]
    rank = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert rank.stdout is not None
    assert rank.stdout.readline() == "there\n"
    first = int(starts(home)[0].split()[0])
    rank.send_signal(signal.SIGKILL)
    rank.wait()
    rank.stdout.close()
    await_gone(first)
    with headrace.open("r", 0, 1, job="k") as loader:
        next(loader)
        second = int(starts(home)[1].split()[0])
        os.kill(second, signal.SIGKILL)
        with pytest.raises(headrace.EngineLost, match=r"k\.log"):
            next(loader)
    with headrace.open("r", 0, 1, job="k") as loader:
        assert next(loader).step == 0


def test_an_engine_that_does_not_start_says_why(home: Path) -> None:
    with pytest.raises(headrace.EngineLost, match="did you mean weights") as raised:
        headrace.open("r", 0, 1, options=("--fail", "yes"))
    assert "ended with code 1" in str(raised.value)
    assert ".log ends with" in str(raised.value)


def test_a_runtime_folder_open_to_others_is_refused(home: Path) -> None:
    open_to_all = home / "run" / "headrace"
    open_to_all.mkdir()
    open_to_all.chmod(0o755)
    with pytest.raises(headrace.HeadraceError, match="with mode 0755"):
        headrace.open("r", 0, 1)
    open_to_all.chmod(0o700)
    assert stat.S_IMODE(open_to_all.stat().st_mode) == 0o700


def test_a_missing_launcher_is_named(
    home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HEADRACE_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(_engine, "__file__", str(tmp_path / "a" / "b" / "c.py"))
    with pytest.raises(headrace.HeadraceError, match="set HEADRACE_HOME"):
        headrace.open("r", 0, 1)


def test_jobs_meet_exactly_when_they_are_one() -> None:
    torchrun = {"MASTER_PORT": "29500", "TORCHELASTIC_RUN_ID": "none"}
    one = _engine.job_id("recipe.yaml", 0, 4, torchrun)
    assert _engine.job_id("recipe.yaml", 3, 4, torchrun) == one
    assert _engine.job_id("./recipe.yaml", 3, 4, torchrun) == one
    assert _engine.job_id("other.yaml", 0, 4, torchrun) != one
    assert _engine.job_id("recipe.yaml", 0, 4, {**torchrun, "MASTER_PORT": "29501"}) != one
    assert _engine.job_id("recipe.yaml", 0, 2, {}) == _engine.job_id("recipe.yaml", 1, 2, {})
    assert len(one) == 16


def test_ranks_come_from_arguments_torchrun_or_slurm() -> None:
    torchrun = {"RANK": "3", "WORLD_SIZE": "8", "SLURM_PROCID": "0", "SLURM_NTASKS": "1"}
    assert _ranks.resolve(1, 2, torchrun) == (1, 2)
    assert _ranks.resolve(None, None, torchrun) == (3, 8)
    assert _ranks.resolve(None, None, {"SLURM_PROCID": "5", "SLURM_NTASKS": "6"}) == (5, 6)
    assert _ranks.resolve(None, None, {}) == (0, 1)
    with pytest.raises(headrace.HeadraceError, match="give both"):
        _ranks.resolve(1, None, {})
    with pytest.raises(headrace.HeadraceError, match="no rank 4 among 4"):
        _ranks.resolve(4, 4, {})
    with pytest.raises(headrace.HeadraceError, match="must be numbers"):
        _ranks.resolve(None, None, {"RANK": "x", "WORLD_SIZE": "1"})


def test_the_socket_folder_is_short_and_ones_own(folder: Path) -> None:
    assert _engine.runtime_folder({"XDG_RUNTIME_DIR": str(folder)}) == folder / "headrace"
    fallback = Path(f"/tmp/headrace-{os.getuid()}")
    long = folder / ("x" * 90)
    long.mkdir()
    assert _engine.runtime_folder({"XDG_RUNTIME_DIR": str(long)}) == fallback
    assert _engine.runtime_folder({"XDG_RUNTIME_DIR": "/does/not/exist"}) == fallback
    assert _engine.runtime_folder({}) == fallback

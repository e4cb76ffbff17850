"""CPU time of the race alone, and of everything else that ran beside it: a control group of Linux counts the race's."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

GROUPS = Path("/sys/fs/cgroup")

# A cell beside which other processes took a larger share of the cores is no measurement.
MOST_OTHERS = 0.02


def machine_seconds() -> float:
    """CPU time of the whole machine since it started."""
    user, nice, system, _, _, irq, softirq = map(
        int, Path("/proc/stat").read_text().split("\n")[0].split()[1:8]
    )
    return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")


def seconds(group: str) -> float:
    """CPU time of a group's processes, or of the machine if there is no group."""
    if not group:
        return machine_seconds()
    old = Path(group) / "cpuacct.usage"
    if old.exists():
        return int(old.read_text()) / 1e9
    first = (Path(group) / "cpu.stat").read_text().split("\n")[0]
    return int(first.removeprefix("usage_usec ")) / 1e6


@contextmanager
def counted() -> Iterator[str]:
    """Moves this process, with those that it starts, to a group of its own; gives its folder, or nothing where none can be made."""
    old = GROUPS / "cpuacct"
    root = old if old.is_dir() else GROUPS
    folder = root / f"headrace-race-{os.getpid()}-all"
    try:
        folder.mkdir()
        (folder / "cgroup.procs").write_text(str(os.getpid()))
    except OSError:
        with suppress(OSError):
            folder.rmdir()
        yield ""
        return
    try:
        yield str(folder)
    finally:
        with suppress(OSError):
            for process in (folder / "cgroup.procs").read_text().split():
                (root / "cgroup.procs").write_text(process)
            folder.rmdir()

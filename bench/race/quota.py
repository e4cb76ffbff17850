"""A CPU limit for each rank's loader processes, as with a limit of a container or one rank a node: control groups of Linux."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

GROUPS = Path("/sys/fs/cgroup")

# Shorter than the usual 100 ms, so that a rank with a part of a core is not frozen for most of a step.
PERIOD_MICROS = 20_000


class NoQuota(Exception):
    """This host lets nobody limit processes."""


@contextmanager
def of_ranks(ranks: int, cores: int) -> Iterator[str]:
    """Groups ``rank-0`` and on of ``cores / ranks`` each; gives their folder and removes them."""
    old = GROUPS / "cpu"
    folder = (old if old.is_dir() else GROUPS) / f"headrace-race-{os.getpid()}"
    micros = int(PERIOD_MICROS * cores / ranks)
    try:
        folder.mkdir()
        if not old.is_dir():
            (folder / "cgroup.subtree_control").write_text("+cpu")
        for rank in range(ranks):
            group = folder / f"rank-{rank}"
            group.mkdir()
            if old.is_dir():
                (group / "cpu.cfs_period_us").write_text(str(PERIOD_MICROS))
                (group / "cpu.cfs_quota_us").write_text(str(micros))
            else:
                (group / "cpu.max").write_text(f"{micros} {PERIOD_MICROS}")
    except OSError as error:
        raise NoQuota(f"no control group can be made: {error}") from error
    try:
        yield str(folder)
    finally:
        for group in [*folder.glob("rank-*"), folder]:
            with suppress(OSError):
                group.rmdir()

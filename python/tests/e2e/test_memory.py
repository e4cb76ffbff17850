"""Memory of engine and rank is flat over many steps: bytes that live, slots, open files."""

from __future__ import annotations

import gc
import os
import re
import subprocess
import tracemalloc
from pathlib import Path

import headrace
from e2e import data
from e2e.hosts import Host

WARM_STEPS, STEPS = 400, 2000

# Bytes that live in an engine wander by some hundred kilobytes: anchors of the plan up to a bound, metrics, caches of names.
ENGINE_BYTES = 4 << 20
RANK_BYTES = 100_000


def live_bytes(pid: int) -> int:
    """Bytes of all live objects of an engine, counted after a collection."""
    jcmd = Path(f"/proc/{pid}/exe").resolve().with_name("jcmd")
    told = subprocess.run(
        [jcmd, str(pid), "GC.class_histogram"],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    ).stdout
    total = re.search(r"^Total +\d+ +(\d+)", told, re.MULTILINE)
    assert total, told[-500:]
    return int(total.group(1))


def open_files(pid: int) -> int:
    """Open file descriptors of a process."""
    return len(os.listdir(f"/proc/{pid}/fd"))


def resident_bytes(pid: int) -> int:
    """Resident memory, that of shared slots included."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert found
    return int(found.group(1)) * 1024


def test_two_thousand_steps_are_flat(host: Host, tmp_path: Path) -> None:
    recipe = data.pairs_recipe(
        tmp_path,
        samples=64,
        batch=2,
        process={"model": "clip", "image": {"side": 16}},
        delivery={"decode_threads": 2, "ready_ahead": 4},
    )
    with headrace.open(str(recipe), 0, 1, job="flat", start_timeout=120) as loader:

        def read(steps: int) -> None:
            for _ in range(steps):
                assert next(loader)["sample_valid"].all()

        def slots() -> tuple[int, int]:
            found = loader.status()["slots"]
            return found["in_use"] + found["free"], found["reserved_bytes"]

        read(WARM_STEPS)
        [pid] = host.engines()
        files, own_files = open_files(pid), open_files(os.getpid())
        resident = resident_bytes(pid)
        slots_before = slots()
        engine_before = live_bytes(pid)
        tracemalloc.start()
        gc.collect()
        rank_before, _ = tracemalloc.get_traced_memory()
        read(STEPS)
        gc.collect()
        rank_after, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert live_bytes(pid) - engine_before < ENGINE_BYTES
        assert rank_after - rank_before < RANK_BYTES
        assert slots()[0] <= max(slots_before[0], 1 + 4 + 1)
        assert slots()[1] <= 2 * slots_before[1]
        assert open_files(pid) <= files + 4
        assert open_files(os.getpid()) <= own_files + 4
        assert resident_bytes(pid) < 2 * resident + (256 << 20)
    host.await_nothing_left()

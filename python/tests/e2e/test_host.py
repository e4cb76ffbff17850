"""What a host sees: two jobs beside each other, too little memory, a folder open to others, and the commands that look at a job."""

from __future__ import annotations

import re
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import headrace
from e2e import data
from e2e.hosts import Host, read_lines, wait_for

METRIC = re.compile(r"(\w+)(?:\{([^}]*)\})? (\S+)")


def test_two_jobs_at_once_do_not_meet(host: Host, tmp_path: Path) -> None:
    recipes = []
    for name, samples in (("one", 40), ("two", 56)):
        (tmp_path / name).mkdir()
        recipes.append(data.pairs_recipe(tmp_path / name, samples=samples, epochs=1))

    def run(recipe: Path) -> None:
        host.job(recipe, 2, recipe.parent / "out", 1_000_000, pause=0.02)

    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(run, recipes)) == [None, None]
    assert len(list(host.runtime.glob("*.log"))) == 2
    for recipe, samples in zip(recipes, (40, 56)):
        lines = read_lines(recipe.parent / "out", 2)
        ids = [s["id"][1] for found in lines.values() for line in found for s in line["samples"]]
        assert sorted(ids) == list(range(samples))
    host.await_nothing_left()


def slot_bytes(recipe: Path) -> int:
    """Memory that one rank's step takes."""
    with headrace.open(str(recipe), 0, 2, job="measure", start_timeout=120) as loader:
        next(loader)
        slots = loader.status()["slots"]
        return int(slots["reserved_bytes"]) // int(slots["in_use"] + slots["free"])


def test_little_slot_memory_is_told_or_enough(host: Host, tmp_path: Path) -> None:
    recipe = data.pairs_recipe(tmp_path, process={"model": "clip", "image": {"side": 96}})
    one = slot_bytes(recipe)
    with (
        pytest.raises(headrace.HeadraceError, match="the limit of all slots is 1,000 bytes"),
        headrace.open(str(recipe), 0, 2, job="none", options=("--slot-bytes", "1000")) as loader,
    ):
        next(loader)
    host.job(recipe, 2, tmp_path / "out", 20, job="two", option=f"--slot-bytes={2 * one}")
    assert sorted(read_lines(tmp_path / "out", 2)) == list(range(20))
    host.await_nothing_left()


def test_ranks_that_come_late_get_their_share_of_little_memory(host: Host, tmp_path: Path) -> None:
    recipe = data.pairs_recipe(tmp_path, process={"model": "clip", "image": {"side": 96}})
    options = ("--slot-bytes", str(2 * slot_bytes(recipe)))
    with headrace.open(str(recipe), 0, 2, job="late", options=options) as first:
        assert next(first).step == 0
        wait_for(lambda: sum(r["ready_ahead"] for r in first.status()["ranks"]) == 2)
        with headrace.open(str(recipe), 1, 2, job="late", timeout=60) as second:
            for step in range(5):
                assert next(second).step == step
                assert next(first).step == step + 1 if step < 4 else True


def test_a_runtime_folder_open_to_others_is_refused(host: Host, tmp_path: Path) -> None:
    recipe = data.pairs_recipe(tmp_path, samples=20)
    host.runtime.mkdir(mode=0o755)
    host.runtime.chmod(0o755)
    with pytest.raises(headrace.HeadraceError, match="with mode 0755"):
        headrace.open(str(recipe), 0, 1)
    told = host.command("run", recipe, "--job", "open", check=False)
    assert told.returncode != 0
    assert f"{host.runtime} must belong to user" in told.stderr
    assert "rwxr-xr-x" in told.stderr


def get(path: str, job: str, host: Host) -> str:
    """The body of an answer, asked for as ``curl --unix-socket`` does."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(host.runtime / f"{job}.sock"))
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: connection.recv(1 << 16), b""))
    head, body = answer.split(b"\r\n\r\n", 1)
    assert head.startswith(b"HTTP/1.1 200")
    assert b"chunked" not in head
    return body.decode()


def metrics(text: str) -> dict[tuple[str, str], float]:
    """Values by name and labels; every line is a comment or a value of a metric whose type was told."""
    values = {}
    types = {}
    for line in text.splitlines():
        if line.startswith("#"):
            word, name, *rest = line[1:].split(maxsplit=2)
            assert word in ("HELP", "TYPE")
            if word == "TYPE":
                assert rest[0] in ("counter", "gauge", "histogram", "summary")
                types[name] = rest[0]
            continue
        found = METRIC.fullmatch(line)
        assert found, line
        name = found.group(1)
        base = re.sub(r"_(bucket|count|sum)$", "", name)
        assert name in types or types.get(base) in ("histogram", "summary"), line
        values[name, found.group(2) or ""] = float(found.group(3))
    return values


def test_the_commands_agree_with_what_ranks_got(host: Host, tmp_path: Path) -> None:
    recipe = data.pairs_recipe(tmp_path, topology={"dp": 2})
    steps = 6
    with (
        headrace.open(str(recipe), 0, 2, job="seen", start_timeout=120) as first,
        headrace.open(str(recipe), 1, 2, job="seen") as second,
    ):
        got = {
            (rank, step): sorted(index for _, index in next(loader)["sample_ids"].tolist())
            for step in range(steps)
            for rank, loader in enumerate((first, second))
        }
        top = host.command("top", "--once", "--job", "seen").stdout.splitlines()
        assert re.match(r"job seen: running, 2 clients, planned to step \d+", top[0])
        rows = [line.split() for line in top if line.split()[:1] in (["0"], ["1"])]
        assert [row[:2] for row in rows] == [["0", str(steps - 1)], ["1", str(steps - 1)]]
        ready = [r["ready_ahead"] for r in first.status()["ranks"]]
        assert all(0 <= count <= 3 for count in ready)
        values = metrics(get("/metrics", "seen", host))
        for rank in range(2):
            assert values["headrace_input_wait_seconds_count", f'rank="{rank}"'] == steps
            assert 0 <= values["headrace_ready_steps", f'rank="{rank}"'] <= 3
        # Each rank holds the step that it reads, and the next as soon as it is ready.
        assert 2 <= values["headrace_leases_open", ""] <= 4
        assert values["headrace_masked_samples_total", ""] == 0
        assert values["headrace_decoded_samples_total", ""] >= steps * 8
    for step in (0, steps - 1):
        told = host.command("explain", recipe, step).stdout
        assert f"step {step}: 8 samples in 8 rows over 2 ranks x 1 microbatches" in told
        blocks = re.split(r"^rank \d+:.*$", told, flags=re.MULTILINE)[1:]
        for rank, block in enumerate(blocks):
            names = re.findall(r"pairs/(\d{5})", block)
            assert sorted(map(int, names)) == got[rank, step]
    host.await_nothing_left()

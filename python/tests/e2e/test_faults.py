"""kill -9 of a rank, of all ranks, of the engine, at any moment: nothing is cleaned by hand, and no sample is lost, doubled or wrong."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import tarfile
import time
from pathlib import Path
from typing import Any

import pytest

from e2e import data
from e2e.hosts import Host, read_lines

KILLS = 50
RANKS = 2
STEPS = 300
EVERY = 5
PAUSE_SECONDS = 0.01
BATCH = 4
BAD = 33
JOB = "faults"

# From the start of the ranks: the engine takes about two seconds, the steps three.
LATEST_KILL_SECONDS = 3.0


def recipe_with_a_bad_picture(folder: Path) -> Path:
    """A small job in which one picture is cut off in its middle, so that its place is masked in every pass."""
    with tarfile.open(folder / "pairs.tar", "w", format=tarfile.USTAR_FORMAT) as tar:
        for number in range(150):
            picture = data.jpeg(number)
            cut = picture[: len(picture) * 4 // 5] if number == BAD else picture
            data.add(tar, f"{number:05d}.jpg", cut)
            data.add(tar, f"{number:05d}.txt", data.caption("pairs", number).encode())
    sources = {"pairs": {"path": "pairs.tar", "image": "jpg", "text": "txt"}}
    return data.write_recipe(folder, sources=sources, batch={"samples": BATCH})


class Job:
    """A job that is started again and again, each rank from its last checkpoint, until it has run to its end."""

    def __init__(self, host: Host, recipe: Path, out: Path) -> None:
        self.host = host
        self.recipe = recipe
        self.out = out
        self.ranks: dict[int, subprocess.Popen[bytes]] = {}

    def start(self) -> None:
        """Starts the ranks that do not run and have not ended well."""
        for rank in range(RANKS):
            if rank not in self.ranks:
                self.ranks[rank] = self.host.rank(
                    *(self.recipe, rank, RANKS, f"{self.out}-{rank}", STEPS),
                    job=JOB,
                    every=EVERY,
                    pause=PAUSE_SECONDS,
                    state=f"{self.out}-{rank}.state",
                )

    def running(self) -> list[int]:
        """Ranks that run now."""
        return [rank for rank, process in self.ranks.items() if process.poll() is None]

    def await_end(self) -> None:
        """Waits until no rank runs."""
        for process in self.ranks.values():
            process.wait(timeout=120)

    def ended(self) -> bool:
        """Whether every rank ran to its end."""
        return all(process.poll() == 0 for process in self.ranks.values())

    def kill(self, rank: int) -> None:
        """Kills a rank if it runs."""
        if self.ranks[rank].poll() is None:
            self.ranks[rank].kill()
            self.ranks[rank].wait()
        if self.ranks[rank].returncode != 0:
            del self.ranks[rank]

    def kill_engine(self) -> bool:
        """Kills the engine if there is one, and waits until its ranks have noticed."""
        found = False
        for pid in self.host.engines():
            try:
                os.kill(pid, signal.SIGKILL)
                found = True
            except ProcessLookupError:
                continue
        if found:
            for process in self.ranks.values():
                process.wait(timeout=60)
            for rank in list(self.ranks):
                self.kill(rank)
        return found


def one_kill(job: Job, chance: random.Random) -> str:
    """Waits for a moment and kills something; says what, or nothing if all ranks had ended before."""
    moment = time.monotonic() + chance.random() * LATEST_KILL_SECONDS
    while time.monotonic() < moment and not job.ended():
        time.sleep(0.005)
    running = job.running()
    if not running:
        return ""
    kind = chance.choice(("rank", "ranks", "engine"))
    if kind == "engine":
        return "the engine" if job.kill_engine() else ""
    victims = [chance.choice(running)] if kind == "rank" else running
    for rank in victims:
        job.kill(rank)
    if kind == "ranks" and chance.random() < 0.3:
        job.host.await_nothing_left(engine_was_killed=True)
    return f"rank {victims[0]}" if kind == "rank" else "all ranks"


def ledger(recipe: Path) -> list[dict[str, Any]]:
    """Lines of the job's ledger, which is all that is left of its folder."""
    folder = recipe.parent / ".headrace" / "jobs" / JOB
    assert [file.name for file in folder.iterdir()] == ["ledger.jsonl"]
    return [json.loads(text) for text in (folder / "ledger.jsonl").read_text().splitlines()]


def check(job: Job, whole: dict[tuple[int, int], Any]) -> None:
    """Every line that any life of a rank wrote is that of the uninterrupted run, and none is missing."""
    seen = set()
    for step, lines in read_lines(job.out, RANKS).items():
        for line in lines:
            place = (step, line["rank"])
            assert line == whole[place], place
            seen.add(place)
    assert seen == set(whole)


def masked(whole: dict[tuple[int, int], Any]) -> list[tuple[int, int]]:
    """Step and rank of every masked sample."""
    return sorted(
        place for place, line in whole.items() for sample in line["samples"] if not sample["valid"]
    )


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    return recipe_with_a_bad_picture(tmp_path)


def test_fifty_kills_at_random_moments(host: Host, recipe: Path, tmp_path: Path) -> None:
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    host.job(recipe, RANKS, tmp_path / "whole", STEPS, job=JOB)
    lines = read_lines(tmp_path / "whole", RANKS)
    whole = {(step, line["rank"]): line for step, found in lines.items() for line in found}
    assert len(whole) == RANKS * STEPS
    assert len(masked(whole)) >= STEPS * BATCH // 150
    host.await_nothing_left()
    listed = ledger(recipe)
    kills: list[str] = []
    rounds = 0
    while len(kills) < KILLS:
        job = Job(host, recipe, tmp_path / f"round-{rounds}")
        job.start()
        while not job.ended():
            if len(kills) < KILLS:
                killed = one_kill(job, chance)
                kills += [killed] if killed else []
                job.start()
            else:
                job.await_end()
            failed = [rank for rank, p in job.ranks.items() if p.poll() not in (None, 0)]
            assert not failed, f"seed {seed}, after {kills}: {host.told()}"
        check(job, whole)
        host.await_nothing_left()
        rounds += 1
    print(f"{len(kills)} kills in {rounds} rounds: {sorted(kills)}")
    after = ledger(recipe)
    assert after[: len(listed)] == listed
    places = [(line["step"], line["member"]) for line in after]
    assert len(set(places)) == len(places)
    assert {line["member"] for line in after} == {f"{BAD:05d}.jpg"}
    delivered = sorted((line["step"], line["rank"]) for line in after if line["step"] < STEPS)
    assert delivered == masked(whole)

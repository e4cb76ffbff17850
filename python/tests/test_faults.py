"""What is left after ranks are killed at any moment, and after many steps."""

from __future__ import annotations

import gc
import os
import random
import signal
import time
import tracemalloc

from conftest import Server, Start, expected_id

import headrace

KILLS = 50
RANKS = 3


def read_until_killed(server: Server, rank: int, write: int) -> None:
    """A rank in a child process; says that it lives, and ends with 1 on a wrong batch."""
    code = 1
    try:
        loader = server.open(rank, RANKS)
        os.write(write, b"x")
        for batch in loader:
            for m, microbatch in enumerate(batch.microbatches):
                if microbatch["input_ids"][0, 0] != expected_id(rank, batch.step, m, 0):
                    os._exit(1)
        code = 0
    finally:
        os._exit(code)


def test_ranks_killed_at_random_leave_nothing_and_the_next_reads_on(start: Start) -> None:
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    server = start(ranks=RANKS, microbatches=2, fresh=True)
    with server.open(0, RANKS) as watcher:
        for _ in range(KILLS):
            rank = chance.randrange(1, RANKS)
            read, write = os.pipe()
            child = os.fork()
            if child == 0:
                os.close(read)
                read_until_killed(server, rank, write)
            os.close(write)
            os.read(read, 1)
            os.close(read)
            time.sleep(chance.random() * 0.01)
            os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
            assert os.WIFSIGNALED(status), f"the rank ended by itself, seed {seed}"
        deadline = time.monotonic() + 30
        while watcher.status()["clients"] > 1:
            assert time.monotonic() < deadline
        slots = watcher.status()["slots"]
        assert slots["in_use"] <= RANKS
        assert slots["in_use"] + slots["free"] <= 2 * RANKS
    for rank in range(RANKS):
        with server.open(rank, RANKS) as loader:
            ids = next(loader).microbatches[0]["input_ids"]
            assert ids[0, 0] == expected_id(rank, 0, 0, 0)


def test_memory_of_the_rank_and_slots_of_the_engine_are_flat(start: Start) -> None:
    server = start(fresh=True)
    with server.open() as loader:

        def read(steps: int) -> tuple[int, int]:
            for _ in range(steps):
                batch = next(loader)
                assert batch["input_ids"][0, 0] == expected_id(0, batch.step, 0, 0)
            gc.collect()
            slots = loader.status()["slots"]
            return slots["in_use"] + slots["free"], slots["reserved_bytes"]

        before = read(200)
        tracemalloc.start()
        first, _ = tracemalloc.get_traced_memory()
        after = read(2000)
        last, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert after == before
        assert last - first < 100_000
        assert len(loader._maps._maps) <= after[0]


def test_a_rank_may_stay_away_and_come_back_at_any_step(start: Start) -> None:
    server = start(ranks=1, fresh=True)
    for step in (0, 41, 7, 7, 1_000_000):
        with server.open() as loader:
            loader.load_state_dict({"fingerprint": "0123456789abcdef", "step": step})
            assert next(loader)["input_ids"][0, 0] == expected_id(0, step, 0, 0)


def test_the_same_step_is_the_same_bytes_for_a_second_reader(start: Start) -> None:
    server = start(ranks=1, fresh=True)
    with server.open() as first, server.open() as second:
        left, right = next(first), next(second)
        for name in left:
            assert left[name].tobytes() == right[name].tobytes()
        assert isinstance(left, headrace.Batch)

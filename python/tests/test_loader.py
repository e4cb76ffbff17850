"""Batches as the training loop sees them."""

from __future__ import annotations

import gc
import json
import logging
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from conftest import Start, expected_id

import headrace


def test_values_shapes_and_types_are_those_of_the_slot(start: Start) -> None:
    with start(ranks=2, microbatches=2).open(1, 2) as loader:
        for step in range(5):
            batch = next(loader)
            assert (batch.rank, batch.step, len(batch.microbatches)) == (1, step, 2)
            for m, microbatch in enumerate(batch.microbatches):
                assert list(microbatch) == ["input_ids", "pixel_values", "half", "sample_valid"]
                ids = microbatch["input_ids"]
                assert ids.dtype == np.int64
                assert ids.shape == (3, 8)
                first = expected_id(1, step, m, 0)
                np.testing.assert_array_equal(ids.ravel(), first + np.arange(24))
                assert microbatch["pixel_values"].shape == (3, 3, 4, 4)
                assert microbatch["sample_valid"].tolist() == [0, 1, 1]
                assert microbatch.dtypes["half"] == "BF16"
                assert microbatch["half"].dtype == np.uint16


def test_arrays_are_read_only_views_without_a_copy(start: Start) -> None:
    with start().open() as loader:
        batch = next(loader)
        ids = batch["input_ids"]
        assert not ids.flags.owndata
        assert ids.ctypes.data == batch["input_ids"].ctypes.data
        assert all(batch[name].ctypes.data % batch[name].itemsize == 0 for name in batch)
        with pytest.raises(ValueError, match="read-only"):
            ids[0] = 1


def test_a_batch_ends_with_the_next_and_a_copy_stays(start: Start) -> None:
    with start().open() as loader:
        first = next(loader)
        copy = first.copy()
        next(loader)
        assert not first.valid
        with pytest.raises(headrace.StaleBatch, match="step 0 went back"):
            first["input_ids"]
        assert copy["input_ids"][0, 0] == expected_id(0, 0, 0, 0)


def test_hold_keeps_more_batches_valid(start: Start) -> None:
    with start().open(hold=3) as loader:
        batches = [next(loader) for _ in range(5)]
        assert [batch.valid for batch in batches] == [False, False, True, True, True]
        for step in (2, 3, 4):
            assert batches[step]["input_ids"][0, 0] == expected_id(0, step, 0, 0)


def test_a_kept_view_of_a_batch_that_is_gone_is_told(
    start: Start, caplog: pytest.LogCaptureFixture
) -> None:
    with start().open() as loader, caplog.at_level(logging.WARNING, "headrace"):
        for batch in loader:
            ids = batch["input_ids"]
            assert ids.shape == (3, 8)
            if batch.step == 5:
                break
        assert not [message for message in caplog.messages if "view" in message]
        kept = next(loader)["input_ids"]
        del batch, ids
        next(loader)
        gc.collect()
        next(loader)
        assert [m for m in caplog.messages if "a view of step 6 is still held" in m]
        assert kept.shape == (3, 8)


def test_the_compute_window_of_each_step_is_told(start: Start) -> None:
    with start(fresh=True).open(hold=2) as loader:
        for pause in (0.0, 0.3, 0.0, 0.0):
            next(loader)
            time.sleep(pause)
        # The last request and the question for the status go over two connections.
        end = time.monotonic() + 20
        while (rank := loader.status()["ranks"][0])["delivered"] < 3 and time.monotonic() < end:
            time.sleep(0.01)
        assert rank["delivered"] == 3
        assert rank["compute_nanos"] >= 300_000_000


def test_several_microbatches_are_not_one_mapping(start: Start) -> None:
    with (
        start(microbatches=3).open() as loader,
        pytest.raises(headrace.HeadraceError, match="3 microbatches"),
    ):
        next(loader)["input_ids"]


def test_a_finite_pass_ends_has_a_length_and_begins_anew(start: Start) -> None:
    with start(steps=3).open() as loader:
        assert len(loader) == 3
        assert [batch.step for batch in loader] == [0, 1, 2]
        with pytest.raises(StopIteration):
            next(loader)
        assert [int(batch["input_ids"][0, 0]) // 1_000_000 for batch in loader] == [0, 1, 2]


def test_an_endless_job_has_no_length(start: Start) -> None:
    with start().open() as loader, pytest.raises(TypeError, match="not known"):
        len(loader)


def test_state_goes_through_json_and_is_the_same_on_every_rank(start: Start) -> None:
    server = start(ranks=2, fresh=True)
    with server.open(0, 2) as first, server.open(1, 2) as second:
        for _ in range(4):
            next(first)
            next(second)
        state = json.loads(json.dumps(first.state_dict()))
        assert state == second.state_dict()
        assert len(json.dumps(state)) < 1000
    with server.open(1, 2) as resumed:
        resumed.load_state_dict(state)
        assert next(resumed)["input_ids"][0, 0] == expected_id(1, 4, 0, 0)


def test_a_state_of_another_recipe_is_refused(start: Start) -> None:
    with (
        start().open() as loader,
        pytest.raises(headrace.HeadraceError, match="of another recipe"),
    ):
        loader.load_state_dict({"step": 3})


def test_the_engines_error_comes_whole(start: Start) -> None:
    with start(fail=1).open() as loader:
        next(loader)
        with pytest.raises(headrace.HeadraceError, match="at most 100 are allowed") as raised:
            next(loader)
        assert "web/000017.jpg in web-000001.tar" in str(raised.value)


def test_a_long_wait_is_told_and_bounded(start: Start, caplog: pytest.LogCaptureFixture) -> None:
    with (
        start(hang=0).open(timeout=0.7) as loader,
        caplog.at_level(logging.WARNING, "headrace"),
        pytest.raises(headrace.HeadraceTimeout) as raised,
    ):
        next(loader)
    for text in ("step 0", "decoding", "sample clips/000042", "clips-000003.tar", "since 2023-"):
        assert text in str(raised.value)
        assert text in caplog.messages[0]


def test_a_killed_engine_is_named(start: Start) -> None:
    server = start(fresh=True)
    with server.open() as loader:
        next(loader)
        os.kill(server.pid, signal.SIGKILL)
        os.waitpid(server.pid, 0)
        with pytest.raises(headrace.EngineLost, match="is gone"):
            next(loader)


def test_a_stopped_engine_is_not_waited_for_without_end(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = start(fresh=True)
    with server.open() as loader:
        next(loader)
        monkeypatch.setattr("headrace._loader._ANSWER_MARGIN_SECONDS", -4.5)
        os.kill(server.pid, signal.SIGSTOP)
        # Step 1 may lie there already: it was asked for ahead.
        with pytest.raises(headrace.HeadraceTimeout, match="did not answer"):
            [next(loader) for _ in range(3)]


def test_a_ready_step_lies_there_before_the_rank_comes_for_it(start: Start) -> None:
    server = start(fresh=True)
    with server.open() as loader:
        first = next(loader)["input_ids"].copy()
        time.sleep(1)
        os.kill(server.pid, signal.SIGSTOP)
        try:
            second = next(loader)["input_ids"].copy()
        finally:
            os.kill(server.pid, signal.SIGCONT)
        assert (second != first).all()
        assert next(loader).step == 2


def test_the_number_of_ranks_must_be_the_jobs(start: Start) -> None:
    with pytest.raises(headrace.HeadraceError, match="feeds 2 data-parallel ranks"):
        start(ranks=2).open(0, 4)


def test_bodies_over_tcp_are_the_same_batches(start: Start) -> None:
    token = "a-token-of-24-characters"
    server = start(microbatches=2, token=token)
    address = ("127.0.0.1", server.tcp_port)
    with headrace.open("r", 0, 1, address=address, token=token, hold=2) as loader:
        for batch in loader:
            for m, microbatch in enumerate(batch.microbatches):
                first = expected_id(0, batch.step, m, 0)
                np.testing.assert_array_equal(
                    microbatch["input_ids"].ravel(), first + np.arange(24)
                )
            if batch.step == 6:
                break
    with pytest.raises(headrace.HeadraceError, match="token is missing or wrong"):
        headrace.open("r", 0, 1, address=address, token="another")


def test_many_ranks_read_at_once(start: Start) -> None:
    server = start(ranks=4, microbatches=2)

    def read(rank: int) -> int:
        with server.open(rank, 4) as loader:
            for batch in loader:
                for m, microbatch in enumerate(batch.microbatches):
                    ids = microbatch["input_ids"]
                    assert ids[0, 0] == expected_id(rank, batch.step, m, 0)
                if batch.step == 199:
                    break
            return rank

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(read, range(4))) == [0, 1, 2, 3]
    with server.open(0, 4) as loader:
        slots = loader.status()["slots"]
        assert slots["in_use"] + slots["free"] <= 8


def test_a_forked_child_cannot_read_and_does_not_keep_the_lease(start: Start) -> None:
    server = start()
    loader = server.open()
    next(loader)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            next(loader)
        except headrace.HeadraceError as error:
            os.write(write, str(error).encode())
        os.read(read, 1)
        os._exit(0)
    try:
        assert b"cannot be used in a forked process" in os.read(read, 1000)
        loader.close()
        with server.open() as other:
            for _ in range(500):
                if other.status()["clients"] == 1:
                    break
            assert other.status()["clients"] == 1
    finally:
        os.write(write, b"x")
        os.waitpid(child, 0)
        os.close(read)
        os.close(write)

"""What a running engine learns of compute windows and of decoding, and that every order of decoding gives the same batches."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import headrace
from e2e import data
from e2e.hosts import Host

STEPS = 24
WINDOW_SECONDS = 0.05


def recipe(folder: Path, **delivery: Any) -> Path:
    data.write_folder(folder, "pairs", 4 * STEPS, side=96)
    return data.write_recipe(
        folder,
        sources={"pairs": {"path": "pairs", "image": "jpg", "text": "txt"}},
        batch={"samples": 4},
        order="sequential",
        delivery=delivery,
    )


@pytest.mark.parametrize("own", [False, True])
def test_windows_and_decode_times_are_learnt(host: Host, tmp_path: Path, own: bool) -> None:
    path = str(recipe(tmp_path))
    with headrace.open(path, 0, 1, job=f"learn-{own}", start_timeout=120) as loader:
        for _ in range(STEPS):
            next(loader)
            time.sleep(WINDOW_SECONDS)
            if own:
                loader.compute_done()
                time.sleep(2 * WINDOW_SECONDS)
        told = loader.status()["counters"]
    at_least, below = WINDOW_SECONDS, (2 if own else 20) * WINDOW_SECONDS
    assert at_least * 0.9 <= told["window_seconds"] < below
    assert 0 < told["cpu_error_p50"] <= told["cpu_error_p95"]
    assert told["window_error_p50"] <= told["window_error_p95"]


@pytest.mark.parametrize("schedule", ["first_step_first", "fifo"])
def test_the_order_of_decoding_changes_no_batch(host: Host, tmp_path: Path, schedule: str) -> None:
    found = []
    for name in ("deadline", schedule):
        folder = tmp_path / name
        folder.mkdir()
        path = str(recipe(folder, schedule=name))
        with headrace.open(path, 0, 1, job=f"order-{name}", start_timeout=120) as loader:
            found.append([next(loader).copy()["pixel_values"] for _ in range(6)])
    for ours, theirs in zip(*found):
        np.testing.assert_array_equal(ours, theirs)


def test_ablations_change_no_batch_and_a_slow_decoder_takes_longer(
    host: Host, tmp_path: Path
) -> None:
    found, cpu = [], []
    path = str(recipe(tmp_path))
    for job, options in (
        ("whole", ("--whole-samples",)),
        ("slow", ("--decode-factor", "4")),
    ):
        with headrace.open(path, 0, 1, job=job, start_timeout=120, options=options) as loader:
            found.append([next(loader).copy()["pixel_values"] for _ in range(STEPS)])
            told = loader.status()["counters"]
            cpu.append(told["decode_cpu_seconds"] / told["decoded_samples"])
    for ours, theirs in zip(*found):
        np.testing.assert_array_equal(ours, theirs)
    # CPU time, whatever else the machine does; four times it, but for the JVM's own unevenness.
    assert cpu[1] > 2 * cpu[0]


def test_simulate_tells_the_cores_that_a_job_needs(host: Host, tmp_path: Path) -> None:
    plot = tmp_path / "stall.svg"
    told = host.command(
        "simulate",
        recipe(tmp_path),
        *("--ranks", 16, "--ranks-per-host", 4, "--cores-per-host", 8),
        *("--window", 0.1, "--decode-seconds", 0.02, "--plot", plot),
    ).stdout.splitlines()
    assert told[0].startswith("16 ranks on 4 hosts, 64 samples a step, 1.3 CPU-seconds a step")
    assert told[-2] == "4 cores a host, 16 in all, keep the stall below 1%"
    assert told[-1] == f"plot: {plot}"
    assert plot.read_text().startswith("<svg ")

"""The race's own parts: seeded media, the cost of a batch, the figures of a cell, and its rank loop on real processes."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "bench" / "race"), str(ROOT / "workloads")]

from calibrate import Calibration  # noqa: E402
from measures import WARM_UP, StepRecord, cost, patches, summary  # noqa: E402
from rank_loop import CellFailure, run  # noqa: E402
from systems import Job, RankSampler  # noqa: E402

import generate  # noqa: E402


def job(**keys):
    given = {
        "workload": "none",
        "system": "ready",
        "settings": {},
        "recipe": "",
        "batch": 4,
        "ranks": 2,
        "steps": WARM_UP + 5,
        "scale": 1e-6,
        "name": "test",
    }
    return Job(**(given | keys))


def test_the_same_seed_gives_the_same_bytes():
    for number in (0, 1, 7):
        first = generate.native_pictures(np.random.default_rng([17, number]), number)
        again = generate.native_pictures(np.random.default_rng([17, number]), number)
        assert first == again
        assert first["jpg"][:2] == b"\xff\xd8"
    other = generate.native_pictures(np.random.default_rng([18, 0]), 0)
    assert other != generate.native_pictures(np.random.default_rng([17, 0]), 0)


def test_texts_are_of_the_wanted_length_and_every_thousandth_is_long(tmp_path):
    texts = list(generate.long_texts(np.random.default_rng(1), tmp_path, 1000))
    lengths = [len(str(line["text"]).split()) for line in texts]
    assert lengths.index(max(lengths)) == 500
    assert max(lengths) == 15_000
    assert 300 < np.mean(lengths) < 700


def test_the_cost_of_a_batch_is_that_of_the_recipes():
    grids = {"image_grid_thw": np.array([[1, 4, 10]]), "video_grid_thw": np.array([[2, 2, 10]])}
    assert patches(grids).tolist() == [40, 40]
    one = 40 + 2e-5 * 1600 + 10 + 1e-5 * 100
    assert cost(patches(grids)) == pytest.approx(200 + 2 * one)
    assert patches({"feature_attention_mask": np.ones((2, 100))}).tolist() == [50, 50]
    assert patches({"pixel_values": np.zeros((3, 16))}).tolist() == [1568] * 3


def test_a_cell_counts_misses_stalls_and_evenness():
    records = [
        StepRecord(0, 0, 0.001, 0.1, 2, 10),
        StepRecord(1, 0, 0.010, 0.3, 2, 10),
        StepRecord(0, 1, 0.0, 0.2, 2, 10),
        StepRecord(1, 1, 0.003, 0.2, 2, 10),
    ]
    found = summary(records, 0.5)
    assert found["miss_rate"] == 0.5
    assert found["stall_share"] == pytest.approx(0.013 / 0.5)
    assert found["imbalance"] == pytest.approx((0.3 / 0.2 + 1) / 2)
    assert found["steps_per_second"] == 4
    assert found["samples_per_second"] == 16


def test_ready_input_is_dealt_out_in_turn_or_by_weight():
    calibration = Calibration(0.01, [[100.0], [1.0], [100.0], [1.0]])
    assert calibration.ready(4, 2, balanced=False) == [[[100.0, 100.0], [1.0, 1.0]]]
    assert calibration.ready(4, 2, balanced=True) == [[[100.0, 1.0], [100.0, 1.0]]]
    in_turn = calibration.largest_cost(4, 2, balanced=False)
    assert in_turn > calibration.largest_cost(4, 2, balanced=True)


def test_each_sample_of_a_step_goes_to_one_rank():
    steps = [list(RankSampler(job(ranks=2, steps=2), rank)) for rank in range(2)]
    assert steps == [[[0, 2], [4, 6]], [[1, 3], [5, 7]]]


def test_the_rank_loop_measures_real_processes():
    ready = [[[4000.0], [400.0]]]
    outcome = run(job(scale=1e-6), ready)
    assert len(outcome.records) == 10
    assert {r.step for r in outcome.records} == set(range(WARM_UP, WARM_UP + 5))
    slow = [r for r in outcome.records if r.rank == 0]
    assert all(r.window == pytest.approx(1e-6 * cost(np.array([4000.0]))) for r in slow)
    assert outcome.seconds >= 5 * slow[0].window


def test_a_rank_that_fails_ends_the_cell_with_its_words():
    with pytest.raises(CellFailure, match="rank 1: IndexError"):
        run(job(), [[[1.0]]])

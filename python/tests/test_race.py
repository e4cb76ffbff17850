"""The race's own parts: seeded media, the cost of a batch, the figures of a cell, and its rank loop on real processes."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "bench" / "race"), str(ROOT / "workloads")]

from assign import balanced, charge_of, rank_local  # noqa: E402
from measures import StepRecord, summary, times_faster  # noqa: E402
from rank_loop import CellFailure, run  # noqa: E402
from results import Key, Results  # noqa: E402
from systems import Job  # noqa: E402
from workload import Charge, Costs, Workload, charge  # noqa: E402

import generate  # noqa: E402

COSTS = Costs(patch=1, patch_pair=2e-5, token=1, token_pair=1e-5)


def workload(rows=4, length=0):
    return Workload("w1", {}, rows, length, COSTS)


def job(*steps, **keys):
    """A job of two ranks on ready input: for each step the patches of each rank's media."""
    charges = [[Charge.of(patches, []) for patches in step] for step in steps]
    given = {
        "workload": "w1",
        "system": "ready",
        "settings": {},
        "recipe": "",
        "ranks": 2,
        "warm_up": 3,
        "steps": len(charges) - 3,
        "scale": 1e-6,
        "name": "test",
    }
    return Job(**(given | keys), charges=tuple(charges))


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
    assert max(lengths) == 30_000
    assert 800 < np.mean(lengths) < 1200


def test_what_a_batch_is_charged_for_follows_from_its_tensors():
    padded = {
        "image_grid_thw": np.array([[1, 4, 10]]),
        "video_grid_thw": np.array([[2, 2, 10]]),
        "attention_mask": np.array([[1, 1, 0], [1, 1, 1]]),
    }
    assert charge(padded).patches.tolist() == [40, 40]
    assert charge(padded).tokens.tolist() == [2, 3]
    packs = {"cu_seqlens": np.array([0, 5, 8, 16]), "num_patches": np.array([3])}
    packs |= {"pixel_values": np.zeros((3, 1, 1, 448))}
    assert charge(packs).tokens.tolist() == [5, 3, 8]
    assert charge(packs).patches.tolist() == [3 * 1024]
    assert charge({"feature_attention_mask": np.ones((2, 100))}).patches.tolist() == [50, 50]
    videos = {"pixel_values_videos": np.zeros((2, 32, 1, 1, 384)), "num_patches": np.zeros(0)}
    assert charge(videos).patches.tolist() == [32 * 729] * 2
    assert charge({"pixel_values": np.zeros((3, 16))}).patches.tolist() == [1568] * 3


def test_the_cost_of_a_rank_is_that_of_the_recipe():
    one = 40 + 2e-5 * 1600 + 10 + 1e-5 * 100
    assert COSTS.of(Charge.of([40, 40], [10, 10])) == pytest.approx(2 * one)
    recipe = Workload.read("w1")
    assert (recipe.costs, recipe.rows, recipe.length) == (COSTS, 32, 0)
    assert recipe.cost(Charge.of([40], [10])) == pytest.approx(200 + one)


def test_every_recipe_of_the_race_has_generated_data():
    names = {file.stem for file in (ROOT / "workloads").glob("w*.yaml")}
    assert names == set(generate.TARS) | set(generate.LISTS)
    assert all(Workload.read(name).rows % 8 == 0 for name in names)


def test_a_cell_counts_misses_stalls_and_evenness():
    records = [
        StepRecord(0, 0, 0.001, 0.1, 10),
        StepRecord(1, 0, 0.010, 0.3, 10),
        StepRecord(0, 1, 0.0, 0.2, 10),
        StepRecord(1, 1, 0.003, 0.2, 10),
    ]
    found = summary(records, 0.5)
    assert found["miss_rate"] == 0.5
    assert found["stall_share"] == pytest.approx(0.013 / 0.5)
    assert found["imbalance"] == pytest.approx((0.3 / 0.2 + 1) / 2)
    assert found["steps_per_second"] == 4
    assert found["tokens_per_second"] == 80
    assert found["timeline_ms"] == [[10.0, 300.0], [3.0, 200.0]]


def test_rows_are_dealt_out_in_turn_or_by_weight():
    steps = rank_local(workload(), [1] * 6, ranks=2, steps=2)
    assert steps == [[[(0,), (2,)], [(1,), (3,)]], [[(4,), (0,)], [(5,), (1,)]]]
    weights = [100.0, 1.0, 100.0, 1.0]
    even = balanced([steps[0]], lambda row: weights[row[0]])
    assert even == [[[(0,), (1,)], [(2,), (3,)]]]


def test_each_rank_packs_its_own_samples():
    lengths = [6, 5, 4, 5, 8, 1, 3, 2]
    (step,) = rank_local(workload(rows=2, length=10), lengths, ranks=2, steps=1)
    for rank, (pack,) in enumerate(step):
        assert sum(lengths[number] for number in pack) == 10
        assert all(number % 2 == rank for number in pack)
    charges = [Charge.of([], [length]) for length in lengths]
    assert charge_of([(0, 2)], charges, 10).tokens.tolist() == [6, 4]
    assert charge_of([(4,)], charges, 10).tokens.tolist() == [8, 2]


def test_the_rank_loop_measures_real_processes():
    outcome = run(job(*[[[4000.0], [400.0]]] * 8))
    assert len(outcome.records) == 10
    assert {r.step for r in outcome.records} == set(range(3, 8))
    slow = [r for r in outcome.records if r.rank == 0]
    window = 1e-6 * (200 + COSTS.of(Charge.of([4000.0], [])))
    assert all(r.window == pytest.approx(window) for r in slow)
    assert outcome.seconds >= 5 * window


def test_a_cell_ends_early_after_enough_time_but_not_before_thirty_steps():
    outcome = run(job(*[[[400.0], [400.0]]] * 80, enough_seconds=0.0))
    assert {r.step for r in outcome.records} == set(range(3, 33))
    assert len(outcome.records) == 60


def test_ratios_are_of_cells_of_the_same_repeat():
    def cells(*speeds):
        return [{"repeat": n, "steps_per_second": speed} for n, speed in enumerate(speeds)]

    ours, theirs = cells(4.0, 9.0, 3.0), cells(2.0, 3.0)
    assert times_faster(ours, theirs) == [2.0, 3.0]
    assert times_faster(ours, []) == []


def test_results_go_on_where_they_were_left(tmp_path):
    file = tmp_path / "workloads.json"
    key = Key("w1", "ray", 1.0, "shared", 0)
    kept = Results(file, fresh=False)
    kept.add(key, {"failure": "no memory"})
    assert not Results(file, fresh=False).has(key)
    kept.add(key, {"steps_per_second": 2.0, "settings": {"ahead": 4}})
    assert kept.has(key, {"ahead": 4})
    assert not kept.has(key, {"ahead": 2})
    disturbed = Key("w1", "ray", 2.0, "shared", 0)
    kept.add(disturbed, {"steps_per_second": 2.0, "others": 0.3})
    assert not kept.has(disturbed)
    kept.add(disturbed, {"steps_per_second": 2.0, "others": 0.001})
    slow, fast = ({"settings": {"ahead": n}, "steps_per_second": float(n)} for n in (1, 2))
    kept.tune("w1", "ray", [fast, slow])
    again = Results(file, fresh=False)
    assert again.has(key)
    assert len(again.cells) == 2
    assert again.settings("w1", "ray", {}) == {"ahead": 2}
    assert again.settings("w2", "ray", {"ahead": 4}) == {"ahead": 4}
    assert not Results(file, fresh=True).has(key)


def test_a_rank_that_fails_ends_the_cell_with_its_words():
    with pytest.raises(CellFailure, match="rank 1: IndexError"):
        run(job([[1.0]], warm_up=0, steps=1))

"""Torch tensors: views of the slot, and the table of ``wire: uint8``. Skipped without torch."""

from __future__ import annotations

import warnings

import pytest
from conftest import Start, expected_id

import headrace

torch = pytest.importorskip("torch")


def test_tensors_are_views_and_bfloat16_has_its_type(start: Start) -> None:
    with start().open() as loader, warnings.catch_warnings():
        warnings.simplefilter("error")
        batch = next(loader)
        tensors = batch.torch()
        assert tensors["input_ids"].data_ptr() == batch["input_ids"].ctypes.data
        assert tensors["input_ids"].dtype == torch.int64
        assert tensors["half"].dtype == torch.bfloat16
        assert tensors["half"].tolist() == [0.0, 1.0, 2.0]


def test_levels_become_the_same_bits_as_float32(start: Start) -> None:
    levels, floats = start(levels=1), start()
    with levels.open() as left, floats.open() as right:
        for _ in range(3):
            coded, plain = next(left), next(right)
            assert coded["pixel_values"].dtype.name == "uint8"
            got = coded.torch("cpu")["pixel_values"]
            want = plain.torch()["pixel_values"]
            assert got.dtype == torch.float32
            assert torch.equal(got.view(torch.int32), want.view(torch.int32))


def test_a_data_set_goes_through_a_data_loader(start: Start) -> None:
    from headrace.torch import dataset

    server = start(steps=4)
    data = dataset("r", rank=0, world_size=1, socket=server.socket)
    loader = torch.utils.data.DataLoader(data, batch_size=None, num_workers=0)
    assert len(data) == 4
    seen = [int(batch["input_ids"][0, 0]) for batch in loader]
    assert seen == [expected_id(0, step, 0, 0) for step in range(4)]
    data.close()


def test_a_data_set_resumes(start: Start) -> None:
    from headrace.torch import dataset

    server = start(fresh=True)
    options = {"rank": 0, "world_size": 1, "socket": server.socket}
    data = dataset("r", **options)
    batches = iter(data)
    for _ in range(3):
        next(batches)
    state = data.state_dict()
    data.close()
    resumed = dataset("r", **options)
    resumed.load_state_dict(state)
    assert resumed.state_dict() == state
    assert int(next(iter(resumed))["input_ids"][0, 0]) == expected_id(0, 3, 0, 0)
    resumed.close()


def test_worker_processes_are_refused(start: Start) -> None:
    from headrace.torch import dataset

    data = dataset("r", rank=0, world_size=1, socket=start().socket)
    loader = torch.utils.data.DataLoader(data, batch_size=None, num_workers=1)
    with pytest.raises(headrace.HeadraceError, match="num_workers=0"):
        next(iter(loader))

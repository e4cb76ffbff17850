"""The layout of a slot as the engine's own tests pin it, read by the client."""

from __future__ import annotations

import json

import numpy as np
import pytest
from conftest import REPOSITORY

import headrace
from headrace._slots import HeaderCache, parse_header

GOLDEN = REPOSITORY / "runtime" / "src" / "test" / "resources" / "deliver"


def test_the_golden_slot_is_read_as_it_was_written() -> None:
    layout = json.loads((GOLDEN / "slot.json").read_text())
    memory = memoryview((GOLDEN / "slot.bin").read_bytes())
    assert len(memory) == layout["bytes"]
    cache = HeaderCache()
    for specs, placed in zip(layout["specs"], layout["microbatches"], strict=True):
        tensors = cache.tensors(memory, placed["offset"], placed["bytes"])
        assert set(tensors) == {name for name, _, _ in specs}
        for name, dtype, shape in specs:
            tensor = tensors[name]
            assert (tensor.dtype_name, list(tensor.shape)) == (dtype, shape)
            start = placed["offset"] + tensor.offset
            assert start == placed["tensors"][name]
            assert start % tensor.dtype.itemsize == 0
            length = tensor.dtype.itemsize * int(np.prod(shape))
            expected = (np.arange(length) * 7 + len(name)) % 251
            np.testing.assert_array_equal(np.frombuffer(memory, "u1", length, start), expected)


def test_equal_headers_are_parsed_once() -> None:
    layout = json.loads((GOLDEN / "slot.json").read_text())["microbatches"][0]
    memory = memoryview((GOLDEN / "slot.bin").read_bytes())
    cache = HeaderCache()
    first = cache.tensors(memory, 0, layout["bytes"])
    assert cache.tensors(memory, 0, layout["bytes"]) is first


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ('{"x":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}}', "element type 'F64'"),
        ('{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}', "does not fit bytes 0 to 4"),
        ('{"x":{"dtype":"F32","shape":[2],"data_offsets":[96,104]}}', "of a buffer of 100 bytes"),
    ],
)
def test_a_header_that_does_not_fit_is_refused(entry: str, message: str) -> None:
    with pytest.raises(headrace.HeadraceError, match=message):
        parse_header(entry.encode(), 100)


def test_a_length_beyond_the_buffer_is_refused() -> None:
    memory = memoryview((1 << 40).to_bytes(8, "little") + bytes(56))
    with pytest.raises(headrace.HeadraceError, match="a header of 1099511627776 bytes"):
        HeaderCache().tensors(memory, 0, 64)
    with pytest.raises(headrace.HeadraceError, match="no buffer of 128 bytes at 0 in 64 bytes"):
        HeaderCache().tensors(memory, 0, 128)

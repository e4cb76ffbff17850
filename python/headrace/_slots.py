"""Shared memory of the engine in this process, and the tensors in it."""

from __future__ import annotations

import json
import math
import mmap
import os
from collections import OrderedDict
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from headrace._errors import EngineLost, HeadraceError

Array = npt.NDArray[Any]

_MOST_MAPPED = 64
_MOST_HEADERS = 64
_LENGTH_FIELD_BYTES = 8

# BF16 has no NumPy type: its views hold the raw bits.
_DTYPES: dict[str, np.dtype[Any]] = {
    "F32": np.dtype("<f4"),
    "BF16": np.dtype("<u2"),
    "I64": np.dtype("<i8"),
    "I32": np.dtype("<i4"),
    "I16": np.dtype("<i2"),
    "U8": np.dtype("u1"),
}


class Tensor(NamedTuple):
    """Where a tensor lies in its safetensors buffer; ``offset`` counts from the buffer's start."""

    dtype_name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    offset: int


Tensors = dict[str, Tensor]


def parse_header(header: bytes, length: int) -> Tensors:
    """The tensors of a safetensors buffer of ``length`` bytes with this JSON header."""
    start = _LENGTH_FIELD_BYTES + len(header)
    tensors: Tensors = {}
    for name, entry in json.loads(header).items():
        if name == "__metadata__":
            continue
        dtype = _DTYPES.get(entry["dtype"])
        if dtype is None:
            raise HeadraceError(f"tensor {name!r} has the unknown element type {entry['dtype']!r}")
        shape = tuple(entry["shape"])
        first, last = entry["data_offsets"]
        if last - first != dtype.itemsize * math.prod(shape) or start + last > length:
            raise HeadraceError(
                f"tensor {name!r} of shape {shape} does not fit bytes {first} to {last} "
                f"of a buffer of {length} bytes"
            )
        tensors[name] = Tensor(entry["dtype"], dtype, shape, start + first)
    return tensors


class HeaderCache:
    """Parsed headers by their bytes: equal shapes are parsed once."""

    def __init__(self) -> None:
        self._parsed: OrderedDict[tuple[bytes, int], Tensors] = OrderedDict()

    def tensors(self, memory: memoryview, offset: int, length: int) -> Tensors:
        """The tensors of the buffer at ``offset``."""
        if length < _LENGTH_FIELD_BYTES or offset + length > len(memory):
            raise HeadraceError(f"no buffer of {length} bytes at {offset} in {len(memory)} bytes")
        start = offset + _LENGTH_FIELD_BYTES
        size = int.from_bytes(memory[offset:start], "little")
        if size > length - _LENGTH_FIELD_BYTES:
            raise HeadraceError(f"a header of {size} bytes in a buffer of {length} bytes")
        header = bytes(memory[start : start + size])
        key = (header, length)
        found = self._parsed.get(key)
        if found is None:
            found = parse_header(header, length)
            self._parsed[key] = found
            if len(self._parsed) > _MOST_HEADERS:
                self._parsed.popitem(last=False)
        return found


class SlotMaps:
    """Mappings of the engine's memory by region, kept since regions are used again and again."""

    def __init__(self) -> None:
        self._maps: OrderedDict[int, mmap.mmap] = OrderedDict()

    def open(self, handle: dict[str, Any]) -> mmap.mmap:
        """The memory of a step's handle, as the engine's JSON tells it."""
        region: int = handle["region"]
        found = self._maps.get(region)
        if found is not None:
            self._maps.move_to_end(region)
            return found
        mapped = _map(handle["path"], handle["inode"], handle["capacity_bytes"])
        self._maps[region] = mapped
        if len(self._maps) > _MOST_MAPPED:
            self._maps.popitem(last=False)
        return mapped

    def clear(self) -> None:
        """Forgets all mappings; each ends with its last view."""
        self._maps.clear()


def _map(path: str, inode: int, capacity: int) -> mmap.mmap:
    try:
        fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except PermissionError as error:
        raise HeadraceError(
            f"{path} cannot be opened: the engine must run as the same user and be readable "
            f"by it in /proc ({error})"
        ) from error
    except OSError as error:
        raise EngineLost(
            f"the slot {path} is not there: the engine ended, or runs in another PID namespace, "
            f"for which its slots must be files: {error}"
        ) from error
    try:
        if os.fstat(fd).st_ino != inode:
            raise EngineLost(f"{path} is not the engine's memory any more: the engine ended")
        # Not populated: the pages are there, and entering them all would cost this wait milliseconds.
        prot = mmap.PROT_READ | mmap.PROT_WRITE
        return mmap.mmap(fd, capacity, flags=mmap.MAP_SHARED, prot=prot)
    finally:
        os.close(fd)

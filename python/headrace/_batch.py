"""A step of a rank: named tensors without a copy, microbatch by microbatch."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from headrace._errors import HeadraceError, StaleBatch
from headrace._slots import Array, Tensors


class Life:
    """Whether the memory of a batch is still the batch's."""

    __slots__ = ("released", "step")

    def __init__(self, step: int) -> None:
        self.step = step
        self.released = False

    def check(self) -> None:
        """Raises StaleBatch once the memory went back."""
        if self.released:
            raise StaleBatch(
                f"the batch of step {self.step} went back to the engine when a later one was "
                "asked for: use batch.copy() to keep it, or open the loader with a larger hold"
            )


class Microbatch(Mapping[str, Array]):
    """Tensors of one microbatch by name.

    Values are read-only NumPy views of shared memory, valid as long as their batch. BF16 tensors
    are uint16 views of their bits; ``dtypes`` tells them from others.
    """

    __slots__ = ("_life", "_offset", "_root", "_tables", "_tensors")

    def __init__(
        self, root: Array, offset: int, tensors: Tensors, tables: tuple[WireTable, ...], life: Life
    ) -> None:
        self._root = root
        self._offset = offset
        self._tensors = tensors
        self._tables = tables
        self._life = life

    def __getitem__(self, name: str) -> Array:
        view = self._view(name)
        view.flags.writeable = False
        return view

    def _view(self, name: str) -> Array:
        self._life.check()
        tensor = self._tensors[name]
        return np.ndarray(
            tensor.shape, tensor.dtype, buffer=self._root, offset=self._offset + tensor.offset
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self._tensors)

    def __len__(self) -> int:
        return len(self._tensors)

    @property
    def dtypes(self) -> dict[str, str]:
        """Element types by name, as safetensors spells them: F32, BF16, I64, I32, I16, U8."""
        return {name: tensor.dtype_name for name, tensor in self._tensors.items()}

    def copy(self) -> dict[str, Array]:
        """Arrays of their own, to be kept as long as wanted."""
        return {name: self[name].copy() for name in self._tensors}

    def videos(self) -> list[Array]:
        """The videos of `video_diffusion`, one a sample: views [3, frames, height, width] of its values.

        A sample without one has no frames. ``headrace.torch.videos`` does so for torch tensors.
        """
        return apart(self["pixel_values"], self["video_shapes"].tolist())

    def torch(self, device: Any = None) -> dict[str, Any]:
        """Torch tensors by name: views of the slot, or copies on ``device``.

        With ``wire: uint8`` the levels become the processor's float32 values on the device, by
        its table of 256 values a channel; on the CPU these are the bits of ``wire: float32``.
        Writing into a view writes into the slot, which the engine fills anew for a later step.
        """
        import torch

        tensors: dict[str, Any] = {}
        for name, tensor in self._tensors.items():
            array = self._view(name)
            if tensor.dtype_name == "BF16":
                value = torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
            else:
                value = torch.from_numpy(array)
            tensors[name] = value if device is None else value.to(device)
        for table in self._tables:
            if table.tensor in tensors:
                tensors[table.tensor] = table.apply(tensors)
        return tensors

    def __repr__(self) -> str:
        shapes = ", ".join(f"{n}: {t.dtype_name}{list(t.shape)}" for n, t in self._tensors.items())
        return f"Microbatch({shapes})"


class Batch(Mapping[str, Array]):
    """What one rank gets for one step.

    ``microbatches`` holds all of it. A batch of one microbatch is itself a mapping from name to
    array; with several, each is read from ``microbatches``. Valid until the next batch is asked
    for (or the one after that, and so on, with a larger ``hold``).
    """

    __slots__ = ("_life", "microbatches", "rank", "step")

    def __init__(
        self, rank: int, step: int, microbatches: tuple[Microbatch, ...], life: Life
    ) -> None:
        self.rank = rank
        self.step = step
        self.microbatches = microbatches
        self._life = life

    def _only(self) -> Microbatch:
        if len(self.microbatches) != 1:
            raise HeadraceError(
                f"the batch has {len(self.microbatches)} microbatches: "
                "read them one by one with `for mb in batch.microbatches`"
            )
        return self.microbatches[0]

    def __getitem__(self, name: str) -> Array:
        return self._only()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._only())

    def __len__(self) -> int:
        return len(self._only())

    @property
    def valid(self) -> bool:
        """Whether the memory is still this batch's."""
        return not self._life.released

    @property
    def dtypes(self) -> dict[str, str]:
        """Element types by name, as safetensors spells them."""
        return self._only().dtypes

    def copy(self) -> dict[str, Array]:
        """Arrays of their own, to be kept as long as wanted."""
        return self._only().copy()

    def torch(self, device: Any = None) -> dict[str, Any]:
        """Torch tensors by name; see :meth:`Microbatch.torch`."""
        return self._only().torch(device)

    def __repr__(self) -> str:
        return f"Batch(rank={self.rank}, step={self.step}, {list(self.microbatches)})"


def apart(values: Any, shapes: list[list[int]]) -> list[Any]:
    """Views of the given shapes, which lie one behind the other in ``values``."""
    views, at = [], 0
    for shape in shapes:
        end = at + math.prod(shape)
        views.append(values[at:end].reshape(shape))
        at = end
    return views


class WireTable:
    """Turns levels into values: element ``i`` becomes ``values[i // channel_elements % 3][level]``.

    Where one of the ``validity`` tensors, whose shapes begin the tensor's own, is 0, values are 0.
    """

    def __init__(self, table: dict[str, Any]) -> None:
        self.tensor: str = table["tensor"]
        self._channel_elements: int = table["channel_elements"]
        self._values = np.array(table["values"], dtype=np.float32).reshape(-1)
        self._validity: list[str] = table["validity"]
        self._on_device: dict[Any, Any] = {}

    def apply(self, tensors: dict[str, Any]) -> Any:
        """The float32 tensor for the tensor of levels among these."""
        import torch

        levels = tensors[self.tensor]
        values, channels = self._placed(levels.device)
        planes = levels.reshape(-1, 3, self._channel_elements).to(torch.int32) + channels
        result = values[planes].reshape(levels.shape)
        for name in self._validity:
            valid = tensors.get(name)
            if valid is not None:
                missing = levels.dim() - valid.dim()
                shape = tuple(valid.shape) + (1,) * missing
                result.masked_fill_((valid == 0).reshape(shape), 0.0)
        return result

    def _placed(self, device: Any) -> tuple[Any, Any]:
        import torch

        if device not in self._on_device:
            values = torch.from_numpy(self._values.copy()).to(device)
            channels = torch.tensor([0, 256, 512], dtype=torch.int32, device=device)
            self._on_device[device] = (values, channels.reshape(1, 3, 1))
        return self._on_device[device]  # type: ignore[no-any-return]

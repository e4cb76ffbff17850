"""A Headrace job as a PyTorch data set, for DataLoader, Lightning, Accelerate, HF Trainer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from torch.utils.data import IterableDataset, get_worker_info

from headrace._batch import apart
from headrace._errors import HeadraceError
from headrace._loader import Loader, open

# Wrappers such as Accelerate's ask for a batch ahead to see the end, so two must stay valid.
_HOLD = 2


def videos(tensors: dict[str, Any]) -> list[Any]:
    """The videos of `video_diffusion` in what ``microbatch.torch()`` gave: views [3, frames, height, width]."""
    return apart(tensors["pixel_values"], tensors["video_shapes"].tolist())


def dataset(recipe: str, *, device: Any = None, **options: Any) -> HeadraceDataset:
    """A data set whose items are whole batches: use ``DataLoader(ds, batch_size=None)``.

    An item is a dictionary of tensors, or a list of them where the recipe has microbatches.
    ``options`` are those of :func:`headrace.open`; ``hold`` is 2 unless given.
    """
    return HeadraceDataset(recipe, device, options)


class HeadraceDataset(IterableDataset):  # type: ignore[misc, unused-ignore]
    """Opens the loader when it is first iterated, in the process that reads it."""

    def __init__(self, recipe: str, device: Any, options: dict[str, Any]) -> None:
        super().__init__()
        self._recipe = recipe
        self._device = device
        self._options = {"hold": _HOLD, **options}
        self._loader: Loader | None = None
        self._state: dict[str, Any] | None = None

    def __iter__(self) -> Iterator[Any]:
        if get_worker_info() is not None:
            raise HeadraceError(
                "a Headrace data set needs num_workers=0: the engine decodes ahead in its own "
                "process, and batches are shared memory already"
            )
        for batch in self._opened():
            tensors = [microbatch.torch(self._device) for microbatch in batch.microbatches]
            yield tensors[0] if len(tensors) == 1 else tensors

    def __len__(self) -> int:
        return len(self._opened())

    def _opened(self) -> Loader:
        if self._loader is None:
            self._loader = open(self._recipe, **self._options)
            if self._state is not None:
                self._loader.load_state_dict(self._state)
                self._state = None
        return self._loader

    def state_dict(self) -> dict[str, Any]:
        """State after the batches that were handed out; the same on every rank."""
        if self._loader is None and self._state is not None:
            return self._state
        return self._opened().state_dict()

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Goes on from a state; before the first iteration it is kept until then."""
        if self._loader is None:
            self._state = state
        else:
            self._loader.load_state_dict(state)

    def close(self) -> None:
        """Gives everything back to the engine."""
        if self._loader is not None:
            self._loader.close()
            self._loader = None

"""Batches for PyTorch ranks from the Headrace engine, as zero-copy views of shared memory.

import headrace
with headrace.open("recipe.yaml") as loader:
    for batch in loader:
        loss = model(**batch.torch())
"""

from headrace._batch import Batch, Microbatch
from headrace._errors import EngineLost, HeadraceError, HeadraceTimeout, StaleBatch
from headrace._loader import Loader, open

__all__ = [
    "Batch",
    "EngineLost",
    "HeadraceError",
    "HeadraceTimeout",
    "Loader",
    "Microbatch",
    "StaleBatch",
    "open",
]

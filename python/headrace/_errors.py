"""What goes wrong on the way from the engine to a rank."""

from __future__ import annotations


class HeadraceError(RuntimeError):
    """The job cannot go on; the message is the engine's own where it gave one."""


class HeadraceTimeout(HeadraceError):
    """A wait was longer than its limit; the message says what was waited for."""


class EngineLost(HeadraceError):
    """The engine ended or its connection broke; its shared memory is gone with it."""


class StaleBatch(HeadraceError):
    """A batch was used after its memory had gone back to the engine."""

"""Real engines, started by real ranks through the launcher of this repository, in a runtime folder for each test."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.hosts import REPOSITORY, Host


@pytest.fixture(scope="session", autouse=True)
def _compiled() -> None:
    """The engine is built once, by the launcher; the tests of the client alone need other classes."""
    environment = {**os.environ, "HEADRACE_HOME": str(REPOSITORY)}
    subprocess.run([REPOSITORY / "headrace", "build"], check=True, timeout=900, env=environment)


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    """A runtime folder for one test; its path is short, since sockets' paths are."""
    with tempfile.TemporaryDirectory(prefix="hr") as name:
        monkeypatch.setenv("XDG_RUNTIME_DIR", name)
        monkeypatch.setenv("HEADRACE_HOME", str(REPOSITORY))
        monkeypatch.delenv("HEADRACE_RUN_ID", raising=False)
        found = Host(Path(name))
        try:
            yield found
        finally:
            found.stop()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest test comes last, so that the others tell first."""
    items.sort(key=lambda item: item.nodeid.startswith("tests/e2e/test_faults.py"))

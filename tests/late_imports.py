"""Some libraries take seconds to load: a process that collects these tests and runs others need not."""

import importlib
from typing import Any


class ImportedLate:
    """A module that is imported when something of it is first read or set.

    torch = ImportedLate("torch")

    It has no names with two underscores: by these pytest asks whether it is a test.
    """

    def __init__(self, name: str) -> None:
        object.__setattr__(self, "_name", name)

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        return getattr(importlib.import_module(self._name), attribute)

    def __setattr__(self, attribute: str, value: object) -> None:
        setattr(importlib.import_module(self._name), attribute, value)

    def __delattr__(self, attribute: str) -> None:
        delattr(importlib.import_module(self._name), attribute)

"""The registry of import formats: every module of corpus/readers with a FORMAT or a RUN_FORMAT."""

import importlib
import pkgutil
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from corpus import readers
from corpus.readers import release, scai, scai_run
from corpus.readers.base import DatasetFormat, RunFormat

SCAI = scai.FORMAT
RELEASE = release.FORMAT
SCAI_RUN = scai_run.RUN_FORMAT


class DuplicateFormatError(Exception):
    """Two modules have a format of one name."""


def dataset_formats(modules: Iterable[ModuleType]) -> dict[str, DatasetFormat]:
    """The formats of these modules by name, the usual one first. Raises DuplicateFormatError."""
    found = {SCAI.name: SCAI}
    module_names = {SCAI.name: scai.__name__}
    for module in modules:
        format = getattr(module, "FORMAT", None)
        if format is None or module.__name__ == scai.__name__:
            continue
        if format.name in found:
            raise DuplicateFormatError(
                f"two import formats are called {format.name}, in {module_names[format.name]} and"
                f" {module.__name__}: give one of them another name"
            )
        found[format.name], module_names[format.name] = format, module.__name__
    return found


_modules = [
    importlib.import_module(f"{readers.__name__}.{module.name}")
    for module in pkgutil.iter_modules(readers.__path__)
]
DATASET_FORMATS = dataset_formats(_modules)
RUN_FORMATS: list[RunFormat] = [
    SCAI_RUN,
    *(
        each.RUN_FORMAT
        for each in _modules
        if hasattr(each, "RUN_FORMAT") and each.RUN_FORMAT != SCAI_RUN
    ),
]


def of_run(path: Path) -> RunFormat:
    """Return the format of the file by its beginning.

    An unknown file has the shared task's format, whose reader reports the problems.
    """
    return next((each for each in RUN_FORMATS if each.is_of(path)), SCAI_RUN)

"""The registry of import formats: every module of corpus/readers with a FORMAT or a RUN_FORMAT."""

import importlib
import pkgutil
from pathlib import Path

from corpus import readers
from corpus.readers import scai, scai_run
from corpus.readers.base import DatasetFormat, RunFormat

SCAI = scai.FORMAT
SCAI_RUN = scai_run.RUN_FORMAT

_modules = [
    importlib.import_module(f"{readers.__name__}.{module.name}")
    for module in pkgutil.iter_modules(readers.__path__)
]
_others = [each.FORMAT for each in _modules if hasattr(each, "FORMAT") and each.FORMAT != SCAI]
# By name, the usual one first.
DATASET_FORMATS: dict[str, DatasetFormat] = {each.name: each for each in (SCAI, *_others)}
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

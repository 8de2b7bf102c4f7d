"""The registry of schemes: every module of this folder that has a SCHEME is one."""

import importlib
import pkgutil

from annotation.schemes.base import ChoiceScheme, Option, ResponseError, Row

__all__ = ["ChoiceScheme", "Option", "ResponseError", "Row", "UnknownSchemeError", "get", "names"]


class UnknownSchemeError(LookupError):
    """There is no scheme of that name."""


def _found() -> dict[str, ChoiceScheme]:
    modules = sorted(module.name for module in pkgutil.iter_modules(__path__))
    loaded = (importlib.import_module(f"{__name__}.{name}") for name in modules)
    schemes = [module.SCHEME for module in loaded if hasattr(module, "SCHEME")]
    return {scheme.name: scheme for scheme in schemes}


_schemes = _found()


def names() -> list[str]:
    return sorted(_schemes)


def get(name: str) -> ChoiceScheme:
    if name not in _schemes:
        raise UnknownSchemeError(f"there is no scheme {name}; there are {', '.join(names())}")
    return _schemes[name]

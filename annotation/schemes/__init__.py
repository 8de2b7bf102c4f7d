"""The registry of schemes: every module of this folder that has a SCHEME is one."""

import importlib
import pkgutil

from annotation.schemes.base import Option, ResponseError, Row, Scheme, Shows
from annotation.schemes.choice import ChoiceScheme, VerdictScheme

__all__ = [
    "ChoiceScheme",
    "NoVerdictError",
    "Option",
    "ResponseError",
    "Row",
    "Scheme",
    "Shows",
    "UnknownSchemeError",
    "VerdictScheme",
    "deciding",
    "get",
    "names",
    "with_verdict",
]


class UnknownSchemeError(LookupError):
    """There is no scheme of that name."""


class NoVerdictError(Exception):
    """The items of the scheme end with no label; the message says where the figures are."""


def _found() -> dict[str, Scheme]:
    modules = sorted(module.name for module in pkgutil.iter_modules(__path__))
    loaded = (importlib.import_module(f"{__name__}.{name}") for name in modules)
    schemes = [module.SCHEME for module in loaded if hasattr(module, "SCHEME")]
    return {scheme.name: scheme for scheme in schemes}


_schemes = _found()


def names() -> list[str]:
    return sorted(_schemes)


def get(name: str) -> Scheme:
    if name not in _schemes:
        raise UnknownSchemeError(f"there is no scheme {name}; there are {', '.join(names())}")
    return _schemes[name]


def deciding(name: str) -> VerdictScheme:
    """The scheme, where its items end with a label. Raises NoVerdictError for others."""
    scheme = get(name)
    if not isinstance(scheme, VerdictScheme):
        raise NoVerdictError(
            f"items of {name} end with no verdict: their figures are computed from the judgements"
        )
    return scheme


def with_verdict() -> list[VerdictScheme]:
    """Those whose items end with a label, by name."""
    return [found for found in map(get, names()) if isinstance(found, VerdictScheme)]

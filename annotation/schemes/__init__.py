"""The registry of schemes: every module of this folder that has a SCHEME is one."""

import importlib
import pkgutil

from annotation.schemes.base import Option, ResponseError, Row, Scheme, SchemeRole, Shows
from annotation.schemes.choice import ChoiceScheme, VerdictScheme

__all__ = [
    "ACCEPTANCE",
    "GROUNDING",
    "ChoiceScheme",
    "Option",
    "ResponseError",
    "Row",
    "Scheme",
    "SchemeRole",
    "Shows",
    "UnknownSchemeError",
    "VerdictScheme",
    "WrongSchemeError",
    "accepting",
    "deciding",
    "get",
    "names",
    "with_role",
    "with_verdict",
]


class UnknownSchemeError(LookupError):
    """There is no scheme of that name."""


class WrongSchemeError(Exception):
    """The scheme is not of the kind that is needed; the message says why."""


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
    """The scheme, where its items end with a label. Raises WrongSchemeError for others."""
    scheme = get(name)
    if not isinstance(scheme, VerdictScheme):
        raise WrongSchemeError(
            f"items of {name} end with no verdict: their figures are computed from the judgements"
        )
    return scheme


def with_verdict() -> list[VerdictScheme]:
    """Those whose items end with a label, by name."""
    return [found for found in map(get, names()) if isinstance(found, VerdictScheme)]


def with_role(role: SchemeRole) -> list[Scheme]:
    """Those with the role, by name."""
    return [found for found in map(get, names()) if found.role == role]


def _only(role: SchemeRole) -> VerdictScheme:
    (name,) = [found.name for found in with_role(role)]
    return deciding(name)


# A release asks two questions of an answer, and answers.csv has a column for each.
ACCEPTANCE = _only(SchemeRole.ACCEPTANCE)
GROUNDING = _only(SchemeRole.GROUNDING)


def accepting(name: str) -> VerdictScheme:
    """The scheme, where its verdicts say which answers are accepted. Raises WrongSchemeError for others."""
    if deciding(name) != ACCEPTANCE:
        raise WrongSchemeError(
            f"no answer is accepted by {name}: evidence is found for answers that are"
            f" {ACCEPTANCE.accepted} by a batch of {ACCEPTANCE.name}"
        )
    return ACCEPTANCE

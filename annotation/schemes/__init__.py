"""The registry of schemes: the SCHEME of each module in this folder."""

import importlib
import pkgutil

from annotation.schemes.base import (
    Option,
    ResponseError,
    Row,
    Scheme,
    SchemeRole,
    SettledScheme,
    Shows,
)
from annotation.schemes.choice import ChoiceScheme, VerdictScheme

__all__ = [
    "ACCEPTANCE",
    "GROUNDING",
    "ChoiceScheme",
    "DuplicateSchemeError",
    "Option",
    "ResponseError",
    "Row",
    "Scheme",
    "SchemeRole",
    "SettledScheme",
    "Shows",
    "UnknownSchemeError",
    "VerdictScheme",
    "WrongSchemeError",
    "acceptance_scheme",
    "get",
    "names",
    "settled_scheme",
    "verdict_scheme",
    "with_role",
]


class UnknownSchemeError(LookupError):
    """There is no scheme of that name."""


class WrongSchemeError(Exception):
    """The scheme does not fit; the message says why."""


class DuplicateSchemeError(Exception):
    """Two modules have a scheme of one name, or of a role that only one scheme can have."""


def _registered_schemes() -> dict[str, Scheme]:
    """The schemes by name. Raises DuplicateSchemeError."""
    found: dict[str, Scheme] = {}
    modules: dict[str, str] = {}
    for module in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        scheme = getattr(importlib.import_module(f"{__name__}.{module}"), "SCHEME", None)
        if scheme is None:
            continue
        if scheme.name in found:
            raise DuplicateSchemeError(
                f"two schemes are called {scheme.name}, in the modules {modules[scheme.name]} and"
                f" {module}: give one of them another name"
            )
        found[scheme.name], modules[scheme.name] = scheme, module
    return found


_schemes = _registered_schemes()


def names() -> list[str]:
    return sorted(_schemes)


def get(name: str) -> Scheme:
    if name not in _schemes:
        raise UnknownSchemeError(f"there is no scheme {name}; there are {', '.join(names())}")
    return _schemes[name]


def settled_scheme(name: str) -> SettledScheme:
    """The scheme of this name. Raises WrongSchemeError if its items have no verdict."""
    scheme = get(name)
    if not isinstance(scheme, SettledScheme):
        raise WrongSchemeError(
            f"items of {name} end with no verdict: their figures are computed from the judgements"
        )
    return scheme


def verdict_scheme(name: str) -> VerdictScheme:
    """The scheme of this name. Raises WrongSchemeError if its items have no verdict, or one with more than a label."""
    scheme = settled_scheme(name)
    if not isinstance(scheme, VerdictScheme):
        raise WrongSchemeError(f"a verdict of {name} is a text and not one of a few labels")
    return scheme


def with_role(role: SchemeRole) -> list[Scheme]:
    """The schemes with this role, sorted by name."""
    return [each for each in map(get, names()) if each.role == role]


def _only_scheme(role: SchemeRole) -> VerdictScheme:
    """The scheme of a role that exactly one scheme has. Raises DuplicateSchemeError."""
    first, *others = [scheme.name for scheme in with_role(role)]
    if others:
        raise DuplicateSchemeError(
            f"only one scheme can have the role {role}, and there are {', '.join([first, *others])}"
        )
    return verdict_scheme(first)


# A release asks two questions of an answer, and answers.csv has a column for each.
ACCEPTANCE = _only_scheme(SchemeRole.ACCEPTANCE)
GROUNDING = _only_scheme(SchemeRole.GROUNDING)


def acceptance_scheme(name: str) -> VerdictScheme:
    """The scheme of this name. Raises WrongSchemeError unless its verdicts say which answers are accepted."""
    if verdict_scheme(name) != ACCEPTANCE:
        raise WrongSchemeError(
            f"no answer is accepted by {name}: evidence is found for answers that are"
            f" {ACCEPTANCE.accepted} by a batch of {ACCEPTANCE.name}"
        )
    return ACCEPTANCE

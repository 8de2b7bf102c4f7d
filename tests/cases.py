"""One test for all cases of a claim, where each alone would be a line."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

Test = Callable[..., None]


def all_cases(
    names: str | tuple[str, ...], cases: Iterable[Any], ids: Iterable[str] | None = None
) -> Callable[[Test], Test]:
    """Like pytest.mark.parametrize, but one test: it runs every case, then fails with those that fail, each by its
    id or by its values.

    The cases share the fixtures: they only read them, or begin by writing what they read.
    """
    parameters = (names,) if isinstance(names, str) else names
    values = [tuple(case) if isinstance(names, tuple) else (case,) for case in cases]
    labels = [", ".join(map(repr, each)) for each in values] if ids is None else list(ids)
    assert values, "there is no case"

    def decorated(test: Test) -> Test:
        @functools.wraps(test)
        def all_of_them(**fixtures: Any) -> None:
            failures, failing = [], []
            for label, case in zip(labels, values, strict=True):
                try:
                    test(**fixtures, **dict(zip(parameters, case, strict=True)))
                except (Exception, pytest.fail.Exception, BaseExceptionGroup) as failure:
                    failure.add_note(f"The case: {label[:1000]}")
                    failures.append(failure)
                    failing.append(label[:80])
            if failures:
                message = f"{len(failures)} of {len(values)} cases fail: {'; '.join(failing)}"
                raise BaseExceptionGroup(message, failures)

        signature = inspect.signature(test)
        others = [each for name, each in signature.parameters.items() if name not in parameters]
        assert len(others) == len(signature.parameters) - len(parameters), "a name is no parameter"
        all_of_them.__signature__ = signature.replace(parameters=others)
        return all_of_them

    return decorated

"""What a check finds: where two values differ, and what it does not check."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isclose
from typing import Any

from exports.verification.libraries import INSTALL


@dataclass(frozen=True)
class Sign:
    """Stands in a computed value for what is not a number that was computed."""

    why: str

    def __repr__(self) -> str:
        return f"<{self.why}>"


WORDS = Sign("a sentence in words")
MISSING = Sign("nothing")
PLAIN = (str, int, float, bool, type(None))
NOT_DRAWN = Sign("a bootstrap interval: --intervals checks it")
NOT_INSTALLED = Sign(INSTALL)


@dataclass(frozen=True)
class Problem:
    """Something that is not as it must be: where, what must be there, and what is there."""

    path: str
    computed: Any
    written: Any

    def __str__(self) -> str:
        return f"{self.path}: computed {self.computed!r}, written {self.written!r}"


@dataclass(frozen=True)
class Complaint:
    """Something that is wrong and has no two values."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


@dataclass
class Findings:
    """What one check finds: problems, and what it left, as (path, why, how often)."""

    problems: list[Problem | Complaint] = field(default_factory=list)
    left: list[tuple[str, str, int]] = field(default_factory=list)

    @property
    def not_checked(self) -> Counter[tuple[str, str]]:
        """How often by path, without the numbers in it, and reason."""
        found: Counter[tuple[str, str]] = Counter()
        for path, why, n in self.left:
            found[re.sub(r"\[\d+\]", "[*]", path), why] += n
        return found

    def complain(self, path: str, message: str) -> None:
        self.problems.append(Complaint(path, message))

    def leave(self, path: str, why: str, number: int = 1) -> None:
        self.left.append((path, why, number))

    def compare(self, computed: object, written: object, path: str) -> None:
        """Note each place where they differ. Numbers may differ by 1e-9: sums differ by their order."""
        if computed is MISSING or written is MISSING:
            self.problems.append(Problem(path, computed, written))
        elif isinstance(computed, Sign):
            if computed is WORDS and not (isinstance(written, str) and written):
                self.complain(path, f"words expected, not {written!r}")
            self.leave(path, computed.why)
        elif isinstance(computed, dict) and isinstance(written, dict):
            for key in _keys(computed, written):
                mine, theirs = computed.get(key, MISSING), written.get(key, MISSING)
                if not _is_plainly_same(mine, theirs):
                    self.compare(mine, theirs, f"{path}.{key}")
        elif isinstance(computed, list) and isinstance(written, list):
            self._compare_lists(computed, written, path)
        elif not _is_same(computed, written):
            self.problems.append(Problem(path, computed, written))

    def _compare_lists(self, computed: list[Any], written: list[Any], path: str) -> None:
        if len(computed) != len(written):
            self.problems.append(Problem(f"{path} (its length)", len(computed), len(written)))
        for number, (mine, theirs) in enumerate(zip(computed, written)):
            if not _is_plainly_same(mine, theirs):
                self.compare(mine, theirs, f"{path}[{number}]")


def _is_plainly_same(computed: object, written: object) -> bool:
    """Whether they are the same text or number, so that no path has to be written for them."""
    return type(computed) in PLAIN and type(computed) is type(written) and computed == written


def _keys(*objects: dict[str, Any]) -> Iterator[str]:
    return iter(dict.fromkeys(key for each in objects for key in each))


def _is_same(computed: object, written: object) -> bool:
    if type(computed) is not type(written):
        return False
    if isinstance(computed, float) and isinstance(written, float):
        return isclose(computed, written, rel_tol=1e-9, abs_tol=1e-9)
    return computed == written

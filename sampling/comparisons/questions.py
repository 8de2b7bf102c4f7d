"""Draw the questions of a comparison of runs.

Some of the eligible questions are drawn, from strata that are formed by any of

    answerable   whether some reference says anything: "answerable", "unanswerable"
    part         the file of the split that the question came from; "no split" without one
    first_word   what the question asks for by its first word (sampling.pools.turns.question_word)
    length       its words (text.segmentation), by terciles of the eligible: "up to a words",
                 "a+1 to b words", "over b words", with a and b the smallest numbers of words that a third
                 and two thirds of the eligible questions do not exceed. If a = b there is no middle;
                 an empty part does not occur

A stratum is a combination of these that occurs. Of n questions each stratum gets its share by
sampling.pools.turns.allocate, proportionally or equally; with quotas n is given for the answerable
and for the unanswerable, and each quota is divided among the strata within it. Of the N_h questions
of a stratum the n_h with the smallest lots are drawn (SHA-256 of seed and turn), each with the
probability n_h / N_h: a simple random sample, whatever the order of the questions. A stratum whose
share grows keeps its drawn questions, and two setups with the same seed draw the same questions of
a stratum if the same are eligible.

If a stratum is too small for its equal share, the others of its quota give the rest; if a quota or
the whole is too small, fewer are drawn. A warning says either.

Right: 40 answerable and 10 unanswerable of two splits, divided equally: 20, 20, 5, 5.
Wrong: to fill a quota of 10 unanswerable, of which there are 7, with answerable ones.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from sampling.pools.turns import Allocation, Eligible, TurnRule, choose, question_word
from text.segmentation import n_words

Stratum = Literal["answerable", "part", "first_word", "length"]
STRATA: tuple[Stratum, ...] = ("answerable", "part", "first_word", "length")
Quota = Literal["answerable", "unanswerable"]
QUOTAS: tuple[Quota, ...] = ("answerable", "unanswerable")
NO_PART = "no split"
# Strata that a warning names.
MOST_NAMED = 5


class Question(NamedTuple):
    """An eligible question.

    `turn` is its id in files, `text` the displayed wording, `part` its split's file or "".
    """

    turn: str
    is_answerable: bool
    part: str
    text: str


@dataclass(frozen=True, slots=True)
class QuestionRule:
    """The number of questions, and their strata.

    `n` None draws all. `quotas` has numbers by kind instead, 0 for a kind that is missing.
    """

    n: int | None
    strata: tuple[Stratum, ...]
    allocation: Allocation
    quotas: Mapping[Quota, int] | None
    seed: int


@dataclass(frozen=True, slots=True)
class StratumDrawn:
    name: str
    is_answerable: bool | None  # None where the stratum may hold both
    n_eligible: int
    n_drawn: int


@dataclass(frozen=True, slots=True)
class DrawnQuestions:
    """The drawn questions with their probabilities, and the number drawn of each stratum.

    `length_borders` are a and b above, if lengths form strata and there are questions.
    """

    probabilities: Mapping[str, float]
    strata: tuple[StratumDrawn, ...]
    length_borders: tuple[int, int] | None
    warnings: tuple[str, ...]


def draw(rule: QuestionRule, questions: Iterable[Question]) -> DrawnQuestions:
    """Draw by the rule. `questions` has one question a turn."""
    eligible = list(questions)
    dimensions = _dimensions(rule)
    borders = terciles(n_words(each.text) for each in eligible) if "length" in dimensions else None
    parted = {each.turn: stratum(each, dimensions, borders) for each in eligible}
    probabilities: dict[str, float] = {}
    strata: list[StratumDrawn] = []
    warnings: list[str] = []
    for quota, n_wanted, group in _groups(rule, eligible):
        drawn = choose(
            TurnRule(n_wanted, rule.allocation, prefers_disagreement=False, seed=rule.seed),
            [Eligible(each.turn, parted[each.turn], None) for each in group],
        )
        probabilities |= drawn
        of_group = _strata_counts(group, parted, drawn, knows="answerable" in dimensions)
        strata += of_group
        warnings += _shortage_warnings(quota, n_wanted, len(group)) or _unequal_warnings(
            rule, of_group
        )
        warnings += _empty_strata_warnings(of_group, n_wanted)
    return DrawnQuestions(probabilities, tuple(strata), borders, tuple(warnings))


def _dimensions(rule: QuestionRule) -> tuple[Stratum, ...]:
    """Return the properties that form the strata, in fixed order; quotas imply "answerable"."""
    names = {*rule.strata, *(["answerable"] if rule.quotas is not None else [])}
    return tuple(each for each in STRATA if each in names)


def _groups(
    rule: QuestionRule, eligible: Sequence[Question]
) -> list[tuple[Quota | None, int, list[Question]]]:
    """Return the number to draw and the questions to draw from, for each quota.

    Without quotas there is one group.
    """
    if rule.quotas is None:
        return [(None, len(eligible) if rule.n is None else rule.n, list(eligible))]
    return [
        (
            quota,
            rule.quotas.get(quota, 0),
            [each for each in eligible if each.is_answerable == (quota == "answerable")],
        )
        for quota in QUOTAS
    ]


def stratum(
    question: Question, dimensions: Sequence[Stratum], borders: tuple[int, int] | None
) -> str:
    """Return the name of the question's stratum: its value on each of the dimensions."""
    values: dict[Stratum, str] = {
        "answerable": "answerable" if question.is_answerable else "unanswerable",
        "part": question.part or NO_PART,
        "first_word": question_word(question.text),
        "length": length_stratum(question.text, borders),
    }
    return ", ".join(values[each] for each in dimensions) or "all"


def length_stratum(text: str, borders: tuple[int, int] | None) -> str:
    if borders is None:
        return ""
    first, second = borders
    n = n_words(text)
    if n <= first:
        return f"up to {first} {'word' if first == 1 else 'words'}"
    if n > second:
        return f"over {second} {'word' if second == 1 else 'words'}"
    return f"{first + 1} words" if first + 1 == second else f"{first + 1} to {second} words"


def terciles(lengths: Iterable[int]) -> tuple[int, int] | None:
    """Return the smallest lengths that a third and two thirds do not exceed (nearest rank).

    Returns None without lengths. Right: of 1, 2, …, 9 they are 3 and 6; of 4 and 7 they are 4 and
    7.
    """
    in_order = sorted(lengths)
    if not in_order:
        return None
    n = len(in_order)
    return in_order[-(-n // 3) - 1], in_order[-(-2 * n // 3) - 1]


def _strata_counts(
    group: Sequence[Question],
    parted: Mapping[str, str],
    drawn: Mapping[str, float],
    *,
    knows: bool,
) -> list[StratumDrawn]:
    """The strata of a group by name."""
    by_stratum: dict[str, list[Question]] = {}
    for each in group:
        by_stratum.setdefault(parted[each.turn], []).append(each)
    return [
        StratumDrawn(
            name,
            questions[0].is_answerable if knows else None,
            len(questions),
            sum(each.turn in drawn for each in questions),
        )
        for name, questions in sorted(by_stratum.items())
    ]


def _shortage_warnings(quota: Quota | None, n_wanted: int, n: int) -> list[str]:
    if n >= n_wanted:
        return []
    kind = f"{quota} questions" if quota else "questions"
    were = f"{n} {'is' if n == 1 else 'are'} eligible, and {'drawn' if n else 'none is drawn'}"
    return [f"{n_wanted} {kind} are asked for: {were}"]


def _unequal_warnings(rule: QuestionRule, strata: Sequence[StratumDrawn]) -> list[str]:
    """A warning for each stratum with fewer questions than its equal share."""
    most = max((each.n_drawn for each in strata), default=0)
    if rule.allocation != "equal":
        return []
    return [
        f"“{each.name}” has {each.n_eligible} eligible: all are drawn, and the other strata give the rest"
        for each in strata
        if each.n_drawn == each.n_eligible and each.n_drawn < most - 1
    ]


def _empty_strata_warnings(strata: Sequence[StratumDrawn], n_wanted: int) -> list[str]:
    """A warning with the strata of which no question is drawn."""
    empty = [f"“{each.name}” ({each.n_eligible} eligible)" for each in strata if not each.n_drawn]
    if not empty or not n_wanted:
        return []
    more = len(empty) - MOST_NAMED
    named = ", ".join(empty[:MOST_NAMED]) + (f" and {more} strata more" if more > 0 else "")
    return [f"no question is drawn of {named}"]

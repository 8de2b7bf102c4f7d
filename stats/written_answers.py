"""Agreement of people who write the answer to a question and mark the sentences that it rests on.

    text_agreement(texts, rouge_l_f1)      how alike the texts of two people are
    sentence_agreement(choices)            how alike two people's sentences are

Texts. Of a question the mean of the similarity over all pairs of people who answered it, of the
similarity both ways round, as a measure like ROUGE's may not be symmetric; then the mean over
questions, each counting alike. `text.rouge.rouge_l_f1` gives the figure of CLAP-NQ (Rosenthal et
al. 2024). Equal texts count as any others. Where people saw a first text and kept it or changed it,
the mean over those that differ is conditioned on the difference: say so, or count the kept ones.

Sentences. Units of alpha and of raw agreement are the sentences of the questions: each person says of
each sentence whether it is needed. F1 of two people's sets A and B is 2·|A ∩ B| / (|A| + |B|), 1 if
both are empty; the mean over pairs of people by question, then over questions.

Units. Where a question has several units that are alike, such as the pairs of an answer and its
revision, each counts once in the means, and intervals take the question with all of them together:
`question_of` names the question of a unit; a unit is a question of its own if it is not given.

Undefined: no question with two people. Intervals of the means are t intervals over questions
(`stats.clustered_means`), those of alpha and raw agreement are bootstraps over questions.

Worked example: of four sentences one person marks 1 and 2, the other 2 and 3: F1 2·1/4 = .5, raw
agreement 2/4 (sentences 2 and 4), not 1/3, the share of marked sentences.
"""

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TypeVar

from stats.agreement.judgement_table import Judgements
from stats.agreement.krippendorff_alpha import krippendorff_alpha
from stats.agreement.nominal import raw_agreement
from stats.agreement.result import Agreement
from stats.clustered_means import Figure, mean, values_by_question
from stats.clusters import Cluster, itself

NO_PAIR = "no question has two people"
CHOSEN, LEFT = "chosen", "left"

T = TypeVar("T")
# question -> person -> the text
Texts = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class SentenceChoices:
    """The sentences, from 1 to `n_sentences`, that each person marked for a question."""

    n_sentences: int
    chosen: Mapping[str, Set[int]]


@dataclass(frozen=True, slots=True)
class SentenceAgreement:
    alpha: Agreement
    raw: Agreement
    f1: Figure


def text_agreement(
    texts: Texts, similarity: Callable[[str, str], float], question_of: Cluster = itself
) -> Figure:
    """Return the mean similarity of two people's texts; `n_values` counts units, `n_questions` their questions.

    The order of questions and people changes nothing. `similarity` is from 0 to 1.
    """
    values = values_by_question(
        (question_of(unit), _mean_of_pairs(of.values(), lambda a, b: _both_ways(a, b, similarity)))
        for unit, of in texts.items()
        if len(of) > 1
    )
    return mean(values, without=NO_PAIR, within=(0, 1))


def sentence_agreement(
    choices: Mapping[str, SentenceChoices],
    question_of: Cluster = itself,
    *,
    replicates: int,
    seed: int,
) -> SentenceAgreement:
    """Return the agreement over the questions that two people or more marked sentences of.

    Raises ValueError for a sentence that a question does not have.
    """
    _require(choices)
    several = {question: of for question, of in choices.items() if len(of.chosen) > 1}
    values = values_by_question(
        (question_of(unit), _mean_of_pairs(of.chosen.values(), f1)) for unit, of in several.items()
    )
    table = _table(several, question_of)
    return SentenceAgreement(
        alpha=krippendorff_alpha(table, replicates=replicates, seed=seed),
        raw=raw_agreement(table, replicates=replicates, seed=seed),
        f1=mean(values, without=NO_PAIR, within=(0, 1)),
    )


def f1(one: Set[int], other: Set[int]) -> Fraction:
    """Return F1 of two sets of sentences: {1, 2} and {2, 3} → 1/2; 1 if both are empty."""
    n = len(one) + len(other)
    return Fraction(2 * len(one & other), n) if n else Fraction(1)


def _mean_of_pairs(of_people: Iterable[T], value: Callable[[T, T], Fraction]) -> Fraction:
    values = [value(*pair) for pair in combinations(of_people, 2)]
    return sum(values, Fraction()) / len(values)


def _both_ways(one: str, other: str, similarity: Callable[[str, str], float]) -> Fraction:
    return (Fraction(similarity(one, other)) + Fraction(similarity(other, one))) / 2


def _require(choices: Mapping[str, SentenceChoices]) -> None:
    for question, of in choices.items():
        for chosen in of.chosen.values():
            if not all(1 <= each <= of.n_sentences for each in chosen):
                raise ValueError(f"{question}: the sentences are 1 to {of.n_sentences}")


def _table(choices: Mapping[str, SentenceChoices], question_of: Cluster) -> Judgements:
    rows = [
        (f"{unit} {sentence}", person, CHOSEN if sentence in chosen else LEFT, question_of(unit))
        for unit, of in sorted(choices.items())
        for sentence in range(1, of.n_sentences + 1)
        for person, chosen in sorted(of.chosen.items())
    ]
    task, worker, label, asked = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Judgements.from_columns(task=task, worker=worker, label=label, question=asked)

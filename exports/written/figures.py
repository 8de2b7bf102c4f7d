"""Agreement of written answers, as plain values. Imports no Django.

Agreement of two rounds is that of pairs of which neither is skipped: of those that differ, as Rosenthal et al. 2024
report it for CLAP-NQ, and of all, an answer that was kept counting as 1. The first figure is conditioned on the second
person having changed something; the second counts people who saw the first answer, so it is no agreement of
independent people either.

Where two texts differ and one of them has no word in the letters a to z or digits, ROUGE cannot read it: the pair is
left out of it and counted in `n_unreadable`.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import asdict
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any

from exports.written import answers as written
from exports.written.answers import Pair, Written, WrittenAnswer
from exports.written.counts import counts
from stats.agreement.result import Agreement
from stats.bootstrap_settings import Bootstrap
from stats.clustered_means import Figure, mean
from stats.written_answers import SentenceChoices, f1, sentence_agreement, text_agreement
from text.porter import porter_stem
from text.rouge import Stem, rouge_l, tokens

Json = dict[str, Any]
Texts = dict[str, dict[str, str]]
NOBODY = "nobody else answered the same questions"


def figures(found: Written, bootstrap: Bootstrap) -> Json:
    """All figures; without `pairs`, whose keys are the database's, they are figures.json."""
    pairs = written.pairs(found.answers)
    return {
        "counts": counts(found),
        "agreement": agreement(pairs, bootstrap),
        "together": together(found.answers, bootstrap),
        "pairs": listed_pairs(pairs),
        "bootstrap": asdict(bootstrap),
    }


def agreement(pairs: Iterable[Pair], bootstrap: Bootstrap) -> Json:
    """The agreement of two rounds: of the pairs that differ, and of all."""
    answered = [pair for pair in pairs if not (pair.first.is_skipped or pair.second.is_skipped)]
    return {
        "differing": _of_two([pair for pair in answered if pair.differs], bootstrap),
        "all": _of_two(answered, bootstrap),
    }


def listed_pairs(pairs: Iterable[Pair]) -> list[Json]:
    """The pairs that differ, least alike first, by the keys of their judgements."""
    found = [
        {
            "first": pair.first.judgement,
            "second": pair.second.judgement,
            "turn_id": pair.first.turn_id,
            "rouge_l": _rouge_of(pair),
            "sentence_f1": float(f1(set(pair.first.body), set(pair.second.body))),
        }
        for pair in pairs
        if pair.differs
    ]
    return sorted(found, key=lambda each: (each["rouge_l"] or 0.0, each["turn_id"]))


def _rouge_of(pair: Pair) -> float | None:
    """ROUGE-L F1 of the pair, or None where it cannot be read."""
    one, other = pair.first.answer, pair.second.answer
    return similarity(one, other) if _is_readable(one, other) else None


def _of_two(pairs: Sequence[Pair], bootstrap: Bootstrap) -> Json:
    by_round = {
        f"{pair.first.turn_id} {pair.second.judgement}": {"1": pair.first, "2": pair.second}
        for pair in pairs
    }
    same = sum(pair.first.sentences == pair.second.sentences for pair in pairs)
    return {"n_pairs": len(pairs), "n_same_sentences": same} | _figures(by_round, bootstrap)


def _figures(answers: dict[str, dict[str, WrittenAnswer]], bootstrap: Bootstrap) -> Json:
    """All figures of answers, given by unit and by person or round. Units of one question are no independent ones."""
    asked = {unit: next(iter(of.values())).turn_id for unit, of in answers.items()}
    question_of = asked.__getitem__
    texts = {key: {who: each.answer for who, each in of.items()} for key, of in answers.items()}
    readable = {key: of for key, of in texts.items() if _all_readable(of.values())}
    stemmed = partial(similarity, stem=porter_stem)
    chosen = {
        key: SentenceChoices(
            n_sentences=len(next(iter(of.values())).shown.sentences),
            chosen={who: set(each.body) for who, each in of.items()},
        )
        for key, of in answers.items()
    }
    sentences = sentence_agreement(chosen, question_of, **asdict(bootstrap))
    return {
        "n_unreadable": len(texts) - len(readable),
        "rouge_l": _mean(text_agreement(readable, similarity, question_of)),
        "rouge_l_stemmed": _mean(text_agreement(readable, stemmed, question_of)),
        "alpha": _coefficient(sentences.alpha),
        "raw": _coefficient(sentences.raw),
        "sentence_f1": _mean(sentences.f1),
    }


def similarity(one: str, other: str, stem: Stem | None = None) -> float:
    """ROUGE-L F1 of two texts; 1 for equal ones, also without a word."""
    return 1.0 if one == other else rouge_l(one, other, stem).f1


def _all_readable(texts: Collection[str]) -> bool:
    return all(_is_readable(*pair) for pair in combinations(texts, 2))


def _is_readable(one: str, other: str) -> bool:
    return one == other or all(tokens(text) for text in (one, other) if text)


def together(answers: Iterable[WrittenAnswer], bootstrap: Bootstrap) -> list[Json]:
    """By batch, the agreement of people who wrote answers to the same questions in the first round, none skipped.

    Of each person the mean over questions of the mean similarity to the others.
    """
    items: defaultdict[str, defaultdict[str, dict[str, WrittenAnswer]]]
    items = defaultdict(lambda: defaultdict(dict))
    for each in answers:
        if each.round == 1 and not each.is_skipped:
            items[each.batch][each.item_id][each.annotator] = each
    return [
        {"batch": batch, "n_questions": len(several), "people": _people(several)}
        | _figures(several, bootstrap)
        for batch, of_batch in sorted(items.items())
        if (several := {item: of for item, of in of_batch.items() if len(of) > 1})
    ]


def _people(answers: dict[str, dict[str, WrittenAnswer]]) -> list[Json]:
    names = sorted({name for of in answers.values() for name in of})
    return [
        {
            "annotator": name,
            "rouge_l": _with_others(answers, name, _texts_alike),
            "sentence_f1": _with_others(answers, name, _sentences_alike),
        }
        for name in names
    ]


Alike = Callable[[WrittenAnswer, WrittenAnswer], Fraction | None]


def _with_others(answers: dict[str, dict[str, WrittenAnswer]], name: str, alike: Alike) -> Json:
    values: dict[str, list[Fraction | int]] = {}
    for item, of in answers.items():
        if name in of:
            found = [alike(of[name], each) for who, each in of.items() if who != name]
            known = [each for each in found if each is not None]
            if known:
                values[item] = [sum(known, Fraction()) / len(known)]
    return _mean(mean(values, without=NOBODY, within=(0, 1)))


def _texts_alike(one: WrittenAnswer, other: WrittenAnswer) -> Fraction | None:
    if not _is_readable(one.answer, other.answer):
        return None
    both = similarity(one.answer, other.answer), similarity(other.answer, one.answer)
    return (Fraction(both[0]) + Fraction(both[1])) / 2


def _sentences_alike(one: WrittenAnswer, other: WrittenAnswer) -> Fraction:
    return f1(set(one.body), set(other.body))


def _mean(figure: Figure) -> Json:
    return {
        "value": figure.value,
        "reason": figure.reason,
        "n": figure.n_questions,
        "interval": {"low": figure.interval.low, "high": figure.interval.high}
        | {"reason": figure.interval.reason},
    }


def _coefficient(figure: Agreement) -> Json:
    return {
        "value": figure.value,
        "reason": figure.reason,
        "n": figure.basis.n_items,
        "interval": asdict(figure.interval),
    }

"""How many answers were written, of how many questions, and what came of them. Imports no Django."""

from collections import Counter
from typing import Any

from annotation.schemes.routing import ANSWERED, SKIP, UNANSWERABLE
from exports.written import answers as written
from exports.written.answers import Written

Json = dict[str, Any]


def counts(found: Written) -> Json:
    """How many answers, questions and outcomes there are."""
    questions = written.by_question(found.answers)
    all_pairs = written.pairs(found.answers)
    done = [each for each in questions.values() if written.is_written(each)]
    outcomes = {
        n: Counter(each.outcome for each in found.answers if each.round == n) for n in (1, 2)
    }
    return {
        "n_answers": len(found.answers),
        "n_people": written.n_people(found.answers),
        "n_questions": len(questions),
        "n_by_several": sum(written.n_people(each) > 1 for each in done),
        "n_by_one": sum(written.n_people(each) == 1 for each in done),
        "n_only_skipped": len(questions) - len(done),
        "round_1": _outcomes(outcomes[1]),
        "round_2": _outcomes(outcomes[2]),
        "n_kept": sum(pair.is_kept for pair in all_pairs),
        "n_differing": sum(pair.differs for pair in all_pairs),
        "n_without_first": found.n_without_first,
    }


def _outcomes(found: Counter[str]) -> Json:
    names = (ANSWERED, UNANSWERABLE, SKIP)
    return {"n": found.total()} | {name: found[name] for name in names}

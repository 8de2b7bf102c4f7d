"""Rates of runs and their differences for people like those who judged. Imports no Django.

The votes are the counted judgements of answers that a rate is asked of (`exports.results.rates.ASKED`), those of
excluded items left out. `stats.people_of_rates` and `stats.pairs_over_people` have the formulas. Of gold a vote
for plausible weighs as much as the faithful share of the plausible, one for faithful as the plausible share.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from annotation.schemes import ACCEPTANCE, GROUNDING
from exports.results.rates import Rate, asked_answers, gold_steps
from exports.rows.columns import AnswerRow, JudgementRow
from exports.rows.exclusions import EXCLUDED
from exports.rows.ids import conversation
from stats import two_way_clustering
from stats.paired_proportions import Pair
from stats.pairs_over_people import over_people
from stats.people_of_rates import Bools, Vote, Votes, rate_interval, rate_variance
from stats.two_step_rates import Questions, counts, difference_variance, rate_linear_variance
from stats.two_way_clustering import TwoWay

# Step -> the label that accepts.
ACCEPTED = {scheme.name: scheme.accepted for scheme in (ACCEPTANCE, GROUNDING)}
STEP = {"plausible": ACCEPTANCE.name, "faithful": GROUNDING.name}


def run_votes(answers: Iterable[AnswerRow], judgements: Iterable[JudgementRow]) -> Votes:
    """Return the votes of each run, by step: a text's are those of every run that gave it."""
    gave: defaultdict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for row in answers:
        if row.sampled == "drawn":
            for step, outcome in zip(ACCEPTED, (row.plausibility, row.faithfulness), strict=True):
                if outcome != EXCLUDED:
                    gave[step, row.answer_id].append((row.run, row.turn_id))
    return Votes.of(
        Vote(run, row.scheme, question, row.annotator, row.label == ACCEPTED[row.scheme])
        for row in judgements
        if row.counted and not row.is_control and row.scheme in ACCEPTED
        for run, question in gave[row.scheme, row.answer_id]
    )


@dataclass(frozen=True, eq=False)
class PeopleOfRuns:
    """What people make of the rates of one measure."""

    votes: Votes
    weights: Mapping[str, Mapping[str, float]]
    asked: Mapping[str, Bools]
    steps: Mapping[str, Questions]

    @classmethod
    def of(cls, answers: Sequence[AnswerRow], measure: str, votes: Votes) -> "PeopleOfRuns":
        """Return what rates of the measure need of the answers; `votes` are those of `run_votes`."""
        asked = asked_answers(answers, measure)
        steps = gold_steps(answers) if measure == "gold" else {}
        return cls(
            votes=votes,
            weights={
                run: _gold_weights(steps[run]) if measure == "gold" else {STEP[measure]: 1.0}
                for run in asked
            },
            asked={run: votes.on(questions.keys()) for run, questions in asked.items()},
            steps=steps,
        )

    def rates(self, rates: Iterable[Rate]) -> list[Rate]:
        """Return the rates with their intervals for people like those who judged."""
        return [self._rate(rate) for rate in rates]

    def pairs(self, pairs: Sequence[Pair]) -> list[Pair]:
        """Return the pairs for people like those who judged."""
        return over_people(
            pairs,
            self.votes,
            self.weights,
            self.asked,
            {
                (pair.one, pair.other): difference_variance(
                    self.steps[pair.one], self.steps[pair.other], conversation
                )
                for pair in pairs
                if pair.n_only_one is None and pair.difference is not None
            },
        )

    def _rate(self, rate: Rate) -> Rate:
        is_open = len(rate.shares) > 1
        if rate.value is None or (rate.design_effect is None and not is_open):
            return replace(rate, people_interval=rate.interval)
        of = self._variance(rate)
        return replace(
            rate,
            n_annotators=of.n_annotators,
            people_interval=(
                two_way_clustering.interval(rate.value, of, within=(0.0, 1.0))
                if rate.design_effect is None
                else rate_interval(rate.n_accepted, rate.n_questions, rate.design_effect, of)
            ),
            share_of_people=of.share_of_annotators,
        )

    def _variance(self, rate: Rate) -> TwoWay:
        scores = self.votes.scores(rate.run, self.weights[rate.run], self.asked[rate.run])
        own = (
            rate_linear_variance(self.steps[rate.run], conversation)
            if rate.design_effect is None
            else rate_variance(rate.n_accepted, rate.n_questions, rate.design_effect)
        )
        return self.votes.variance(scores, own, rate.n_conversations)


def _gold_weights(questions: Questions) -> dict[str, float]:
    found = counts(questions)
    return {
        ACCEPTANCE.name: found.n_second / found.n_known if found.n_known else 0.0,
        GROUNDING.name: found.n_first / found.n if found.n else 0.0,
    }

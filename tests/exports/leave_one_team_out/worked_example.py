"""The worked example of the design: teams A (a1, a2), B (b1) and C (c1) on three questions."""

from typing import Any

from exports.leave_one_team_out import figures
from exports.leave_one_team_out.jobs import BOOTSTRAP
from exports.leave_one_team_out.stored_figures import LeftOutFigures
from exports.rows.columns import AnswerRow
from tests.exports.rows_for_tests import answer

TRUTH = {"1_1": ("x1",), "2_1": ("x2",), "3_1": ("x3",)}
ANSWERS = {
    "a1": ("A", "p", "x2", "u"),
    "a2": ("A", "p", "s", "x3"),
    "b1": ("B", "q", "r", "x3"),
    "c1": ("C", "x1", "s", "v"),
}
ACCEPTED = "prsu"


def answers(*, by_team: bool = True, tier: str = "gold") -> list[AnswerRow]:
    """The rows of answers.csv; `by_team` false: without teams."""
    return [
        answer(
            text,
            turn=turn,
            run=run,
            team=team if by_team else "",
            tier=tier if text in ACCEPTED else "",
        )
        for run, (team, *texts) in ANSWERS.items()
        for turn, text in zip(TRUTH, texts, strict=True)
    ]


def result(**changes: Any) -> dict[str, Any]:
    """The result of the job, in which a run may have another name or team."""
    lost = figures.lost_by_givers(figures.accepted_texts(answers(), ["gold"]))
    return {
        "version": LeftOutFigures.version,
        "basis": {"counts": {"verdict": 4, "run": 4}, "batches": [], "n_decisions": 0},
        "is_rehearsal": False,
        "n_accepted": 4,
        "n_without_team": 0,
        "measures": figures.figures(answers(), TRUTH, lost, bootstrap=BOOTSTRAP, beat=lambda: None),
        "bootstrap": {"replicates": 1000, "seed": 0},
    } | changes

"""The job that leaves each team out in turn."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from corpus.models import Dataset
from exports.leave_one_team_out import figures, queries
from exports.leave_one_team_out.stored_figures import LeftOutFigures, LeftOutResult
from exports.rows.answers import answer_rows
from exports.rows.earlier_answers import standing, tiers_decided
from exports.rows.earlier_releases import earlier_answers
from exports.rows.items import item_rows
from jobs.handlers import Beat, JobFailedError, single_chunk
from jobs.models import Job
from jobs.transactions import snapshot
from stats.agreement.result import DEFAULT_REPLICATES
from stats.bootstrap_settings import Bootstrap

# As in a report.
BOOTSTRAP = Bootstrap(replicates=DEFAULT_REPLICATES, seed=0)


def leave_teams_out(job: Job, params: Mapping[str, Any], beat: Beat) -> LeftOutResult:
    """The figures by the current verdicts, from one snapshot."""
    dataset = Dataset.objects.select_related("study").get(pk=job.params["dataset"])
    tier, is_redrawn = job.params["tier"], job.params["is_redrawn"]
    stored = LeftOutFigures(job.study, dataset, tier, is_redrawn)
    with snapshot():
        stamp = stored.stamp()
        batches = stored.runs.batches
        items = item_rows(batches, dataset=dataset)
        beat()
        answers = answer_rows(dataset, batches, items)
        truth = queries.truth_by_turn(dataset)
        givers = queries.givers_of_passages(dataset)
        beat()
        again = queries.redrawn(dataset, batches, beat) if is_redrawn else None
    if not truth:
        raise JobFailedError(f"no turn of {dataset} has a reference: there is nothing to score by")
    earlier = earlier_answers(dataset, is_rehearsal=stored.runs.is_rehearsal)
    tiers = figures.ACCEPTED_TIERS[tier]
    accepted = figures.accepted_texts(answers, tiers, givers)
    lost = (
        figures.lost_when_redrawn(accepted, again.drawn, again.without)
        if again
        else figures.lost_by_givers(accepted)
    )
    lost = lost | figures.never_lost(standing(earlier, tiers_decided(items, answers)), tiers)
    return {
        **stamp,
        "is_rehearsal": stored.runs.is_rehearsal,
        "n_accepted": len(lost),
        "n_without_team": figures.n_without_team(answers),
        "measures": figures.figures(answers, truth, lost, bootstrap=BOOTSTRAP, beat=beat),
        "bootstrap": asdict(BOOTSTRAP),
    }


LEAVE_ONE_TEAM_OUT = single_chunk(leave_teams_out)

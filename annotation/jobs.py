"""What is computed of batches in the background: what each consensus rule would make of one."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from annotation import schemes
from annotation.models import Batch, Source, Verdict
from annotation.queries import outcomes
from annotation.queries.rule_figures import RuleFigures
from jobs import transactions
from jobs.handlers import Beat, single_chunk
from jobs.models import Job
from stats.aggregation.rule_simulation import compare

# The same batch gives the same numbers.
SEED = 0


def compute_rules(job: Job, params: Mapping[str, Any], beat: Beat) -> dict[str, Any]:
    """Return the figures of the consensus rules from the counted judgements.

    Adjudicated verdicts stay under every rule.
    """
    batch = Batch.objects.select_related("study").get(pk=job.params["batch"])
    with transactions.snapshot():
        stamp = RuleFigures(job.study, batch).stamp()
        votes = outcomes.counted_votes(batch)
        verdicts = Verdict.objects.current().filter(item__batch=batch)
        adjudicated = verdicts.filter(source=Source.ADJUDICATION)
        kept = set(adjudicated.values_list("item_id", flat=True))
        current = dict(verdicts.exclude(label="").values_list("item_id", "label"))
    found = compare(
        votes,
        labels=schemes.verdict_scheme(batch.scheme).labels,
        current=current,
        fixed=kept,
        seed=SEED,
        beat=beat,
    )
    about = {"batch": batch.name, "n_adjudicated": len(kept), "is_settled": verdicts.exists()}
    return {**stamp, **asdict(found), **about}


COMPARE_RULES = single_chunk(compute_rules)

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from django.core.management.base import CommandError

from activity.commands import JobCommand
from annotation import tables
from annotation.commands import batch_called
from sampling.actions import evidence
from sampling.actions.drawing import PoolError
from scoring.commands import name_of, where_any_worker_finds_it
from scoring.thresholds import DEFAULT_SCORER, evidence_threshold


class Command(JobCommand):
    help = "Find the evidence for the answers that a batch found plausible, as a pool."
    expected: ClassVar = (PoolError,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--batch", required=True)
        parser.add_argument("--name", required=True, metavar="POOL")
        parser.add_argument(
            "--threshold", type=float, default=0.3, help="of token F1, strictly over"
        )
        parser.add_argument("--scorer", default=DEFAULT_SCORER, metavar="MODEL")
        parser.add_argument(
            "--sas-threshold",
            metavar="T",
            help="strictly over; 'none' keeps all that overlaps; default: the scorer's own",
        )
        parser.add_argument("--max-words", type=int, default=200, help="of a turn's evidence")
        parser.add_argument("--sample", type=int, help="ask about this many only")
        parser.add_argument("--seed", type=int, default=1)

    def act(self, **options: Any) -> Mapping[str, Any]:
        batch = batch_called(options["batch"], options["study"])
        plausible = tables.accepted_candidates(batch).select_related("turn__conversation")
        scorer = name_of(options["scorer"])
        rule = evidence.EvidenceRule(
            batch=batch.name,
            scorer=scorer,
            sas_threshold=sas_threshold(options["sas_threshold"], scorer),
            threshold=options["threshold"],
            max_words=options["max_words"],
            sample=options["sample"],
            seed=options["seed"],
        )
        job = evidence.begin(
            study=options["study"],
            dataset=batch.pool.dataset,
            name=options["name"],
            plausible=list(plausible),
            rule=rule,
            model=where_any_worker_finds_it(options["scorer"]),
            is_rehearsal=batch.is_rehearsal,
            by=options["by"],
        )
        return self.run(job, background=options["background"])


def sas_threshold(given: str | None, scorer: str) -> float | None:
    if given is None:
        return evidence_threshold(scorer)
    if given == "none":
        return None
    try:
        return float(given)
    except ValueError as error:
        raise CommandError(f"--sas-threshold: {given} is neither a number nor none") from error

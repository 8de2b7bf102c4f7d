from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from django.core.management.base import CommandError

from annotation import schemes
from annotation.commands import batch_called
from annotation.queries import candidates_and_flags
from corpus.commands import plain
from jobs.commands import JobCommand
from sampling.actions import evidence
from sampling.actions.pools import PoolError
from sampling.commands import add_search_options, sas_threshold
from sampling.models import Purpose
from scoring.commands import model_name, name_for_workers
from scoring.similarity_models import ModelError


class Command(JobCommand):
    help = "Find evidence for the plausible answers of a batch, as a pool for a faithfulness batch."
    expected: ClassVar = (PoolError, ModelError, schemes.WrongSchemeError)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--batch",
            required=True,
            type=plain,
            help="a settled plausibility batch",
        )
        parser.add_argument(
            "--name", required=True, metavar="POOL", type=plain, help="what to call the new pool"
        )
        add_search_options(parser)
        add_sample_options(parser)

    def act(self, **options: Any) -> Mapping[str, Any]:
        batch = batch_called(options["batch"], options["study"])
        if batch.withdrawn_objection:
            raise CommandError(batch.withdrawn_objection)
        if batch.pool.purpose == Purpose.EVIDENCE:
            raise CommandError(
                f"the batch {batch.name} judged by evidence already (its pool is {batch.pool}):"
                " name the batch that found the answers plausible"
            )
        schemes.acceptance_scheme(batch.scheme)
        plausible = candidates_and_flags.accepted_candidates(batch).select_related(
            "turn__conversation"
        )
        rule = evidence.EvidenceRule(
            batch=batch.name,
            scorer=model_name(options["scorer"]),
            sas_threshold=sas_threshold(options["sas_threshold"], options["scorer"]),
            threshold=options["threshold"],
            max_words=options["max_words"],
            sample=options["sample"],
            seed=options["seed"],
            only_never_asked=options["only_never_asked"],
        )
        job = evidence.begin(
            study=options["study"],
            dataset=batch.pool.dataset,
            name=options["name"],
            plausible=list(plausible),
            asking=candidates_and_flags.candidates_to_ask(
                batch, only_never_asked=rule.only_never_asked
            ),
            rule=rule,
            model=name_for_workers(options["scorer"]),
            is_rehearsal=batch.is_rehearsal,
            by=options["by"],
        )
        return self.run(job, background=options["background"])


def add_sample_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--sample",
        type=int,
        metavar="N",
        help=(
            "number of plausible answers to sample; evidence is searched with all of "
            "them; default: all"
        ),
    )
    parser.add_argument(
        "--only-never-asked",
        action="store_true",
        help=(
            "only plausible answers without a faithfulness judgement, such as those "
            "adjudicated since; default: all"
        ),
    )
    parser.add_argument("--seed", type=int, default=1, help="of the sample")

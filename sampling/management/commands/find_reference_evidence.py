from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from corpus.commands import add_dataset, dataset_called, plain
from jobs.commands import JobCommand
from sampling.actions import reference_evidence
from sampling.actions.pools import PoolError
from sampling.commands import add_search_options, sas_threshold
from scoring.commands import model_name, name_for_workers
from scoring.similarity_models import ModelError


class Command(JobCommand):
    help = (
        "Find the evidence for the references of all turns, for the question's page and for releases. Nobody is"
        " asked about it."
    )
    expected: ClassVar = (PoolError, ModelError)

    def add_options(self, parser: ArgumentParser) -> None:
        add_dataset(parser)
        parser.add_argument(
            "--name", required=True, metavar="POOL", type=plain, help="what to call the new pool"
        )
        add_search_options(parser)

    def act(self, **options: Any) -> Mapping[str, Any]:
        rule = reference_evidence.ReferenceEvidenceRule(
            scorer=model_name(options["scorer"]),
            sas_threshold=sas_threshold(options["sas_threshold"], options["scorer"]),
            threshold=options["threshold"],
            max_words=options["max_words"],
        )
        job = reference_evidence.begin(
            dataset=dataset_called(options["dataset"], options["study"]),
            name=options["name"],
            rule=rule,
            model=name_for_workers(options["scorer"]),
            by=options["by"],
        )
        return self.run(job, background=options["background"])

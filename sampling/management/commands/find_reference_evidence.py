from collections.abc import Mapping
from typing import Any, ClassVar

from corpus.commands import DATASET
from sampling.actions import reference_evidence
from sampling.actions.pools import PoolError
from sampling.commands import SearchCommand
from scoring.commands import name_for_workers
from scoring.similarity_models import ModelError


class Command(SearchCommand):
    help = (
        "Find the evidence for the references of all turns, for the question's page and for releases. Nobody is"
        " asked about it."
    )
    expected: ClassVar = (PoolError, ModelError)
    named: ClassVar = (DATASET,)

    def act(self, **options: Any) -> Mapping[str, Any]:
        job = reference_evidence.begin(
            dataset=options["dataset"],
            name=options["name"],
            rule=reference_evidence.ReferenceEvidenceRule(**self.search(options)),
            model=name_for_workers(options["scorer"]),
            by=options["by"],
        )
        return self.run(job, background=options["background"])

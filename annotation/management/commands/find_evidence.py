from collections.abc import Mapping
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts.commands import Named, Option
from annotation import schemes
from annotation.commands import batch_called
from annotation.forms.evidence import EvidenceForm
from annotation.queries import candidates_and_flags
from sampling.actions import evidence
from sampling.actions.pools import PoolError
from sampling.commands import SearchCommand
from sampling.models import Purpose
from scoring.commands import name_for_workers
from scoring.similarity_models import ModelError

ASK = ("sample", "seed", "only_never_asked")


class Command(SearchCommand):
    help = "Find evidence for the plausible answers of a batch, as a pool for a faithfulness batch."
    expected: ClassVar = (PoolError, ModelError, schemes.WrongSchemeError)
    named: ClassVar = (
        Named("--batch", batch_called, required=True, help="a settled plausibility batch"),
    )
    form_class = EvidenceForm
    form_options: ClassVar = {
        **SearchCommand.form_options,
        "only_never_asked": Option(default=False),
    }

    def act(self, **options: Any) -> Mapping[str, Any]:
        batch = options["batch"]
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
        search = self.search(options, is_first=False)
        rule = evidence.EvidenceRule(
            batch=batch.name, **search, **{name: self.cleaned[name] for name in ASK}
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

from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.commands import FormCommand, Option
from jobs.commands import JobCommand
from sampling.actions import extracted_answers
from sampling.actions.pools import PoolError
from sampling.commands import pool_named
from sampling.forms.spans import SpansForm


class Command(FormCommand, JobCommand):
    help = (
        "Make runs of kind extracted of the sentences of a pool's evidence that equal no candidate, so that they"
        " are scored, drawn and judged as answers."
    )
    expected: ClassVar = (PoolError,)
    named: ClassVar = (pool_named("a pool of find_evidence or find_reference_evidence"),)
    form_class = SpansForm
    form_options: ClassVar = {"name": Option(metavar="RUN")}

    def act(self, **options: Any) -> Mapping[str, Any]:
        chosen = self.form(options).cleaned_data
        job = extracted_answers.begin(pool=options["pool"], **chosen, by=options["by"])
        return self.run(job, background=options["background"])

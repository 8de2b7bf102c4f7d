from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.commands import FormCommand, Option
from jobs.actions import execution
from jobs.commands import StudyJobCommand
from sampling.actions import audit_samples
from sampling.actions.pools import PoolError
from sampling.audit_samples.rule import DEFAULT_SIZE, REASONS
from sampling.commands import pool_named
from sampling.forms.audits import AuditForm


class Command(FormCommand, StudyJobCommand):
    help = (
        "Draw a random sample of the answers that a pool left out, to estimate how "
        "many plausible ones it missed."
    )
    expected: ClassVar = (PoolError,)
    named: ClassVar = (pool_named("the pool to audit"),)
    form_class = AuditForm
    form_options: ClassVar = {"name": Option(metavar="SAMPLE")} | {
        reason.value: Option(
            help=f"number of distinct answers left out as: {reason.value.replace('_', ' ')}"
        )
        for reason in REASONS
    }

    def act(self, **options: Any) -> Mapping[str, Any]:
        pool = options["pool"]
        sizes = dict.fromkeys(REASONS, DEFAULT_SIZE)
        form = self.form(options, pool=pool.name, n_answers=sizes)
        asked = {"pool": pool, "name": options["name"], "rule": form.rule, "by": options["by"]}
        if audit_samples.is_at_once(pool):
            audit = audit_samples.draw(**asked)
        else:  # with a beat, so that another worker can go on with it
            job = execution.run(audit_samples.begin(**asked))
            audit = options["study"].pools.get(pk=job.result["pool_id"])
        return {"pool": audit.name, "audit_of": pool.name, **audit_samples.summary(audit)}

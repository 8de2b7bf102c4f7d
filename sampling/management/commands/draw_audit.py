from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from corpus.commands import plain
from jobs.actions import execution
from jobs.commands import StudyJobCommand
from sampling.actions import audit_samples
from sampling.actions import pools as pool_actions
from sampling.audit_samples.rule import DEFAULT_SIZE, REASONS, AuditError, AuditRule


class Command(StudyJobCommand):
    help = (
        "Draw a random sample of the answers that a pool left out, to estimate how "
        "many plausible ones it missed."
    )
    expected: ClassVar = (pool_actions.PoolError, AuditError)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--pool", required=True, metavar="POOL", type=plain, help="the pool to audit"
        )
        parser.add_argument(
            "--name", required=True, metavar="SAMPLE", type=plain, help="what to call the sample"
        )
        for reason in REASONS:
            words = reason.value.replace("_", " ")
            parser.add_argument(
                f"--{reason.value.replace('_', '-')}",
                type=int,
                default=DEFAULT_SIZE,
                metavar="N",
                help=f"number of distinct answers left out as: {words}",
            )
        parser.add_argument("--seed", type=int, default=1, help="of the random choice")

    def act(self, **options: Any) -> Mapping[str, Any]:
        pools = options["study"].pools
        pool = pools.filter(name=options["pool"]).first()
        if pool is None:
            there = ", ".join(pools.values_list("name", flat=True))
            raise pool_actions.PoolError(
                f"the study {options['study'].slug} has no pool {options['pool']};"
                f" it has {there or 'none: make one with draw_pool'}"
            )
        rule = AuditRule(
            pool.name, {reason: options[reason.value] for reason in REASONS}, options["seed"]
        )
        arguments: dict[str, Any] = {"pool": pool, "name": options["name"], "rule": rule}
        if audit_samples.is_at_once(pool):
            audit = audit_samples.draw(**arguments, by=options["by"])
        else:  # with a beat, so that another worker can go on with it
            job = execution.run(audit_samples.begin(**arguments, by=options["by"]))
            audit = pools.get(pk=job.result["pool_id"])
        return {"pool": audit.name, "audit_of": pool.name, **audit_samples.summary(audit)}

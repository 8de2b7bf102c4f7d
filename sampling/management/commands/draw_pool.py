from argparse import Action, ArgumentParser
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts.commands import FormCommand, Option
from accounts.models import User
from corpus.actions.carry_over import named
from corpus.commands import DATASET, plain, run_called
from corpus.models import Dataset
from jobs.actions import execution
from jobs.commands import StudyJobCommand
from sampling.actions import pool_chunks, pool_draws, pools, surveys, top_ups
from sampling.forms.rules import DrawForm, RuleForm
from sampling.late_run_queries import LIKE, pools_of_other_versions, topped_pools
from sampling.pools.rule import Rule, RuleError
from scoring.thresholds import DEFAULT_SCORER, EMBEDDED_FOR_SAS_70, EMBEDDED_FOR_SAS_80

# What a top-up takes from the pool that it follows.
OF_THE_RULE = {"scorer", "preview", *RuleForm.base_fields}


class Command(FormCommand, StudyJobCommand):
    help = "Draw a pool of distinct, likely correct answers from the runs."
    expected: ClassVar = (pools.PoolError, RuleError)
    named: ClassVar = (DATASET,)
    form_class = DrawForm
    form_options: ClassVar = {
        "threshold": Option(
            is_required=False,
            help="the SAS that an answer must exceed; default: that of POOL with --like, otherwise required. It belongs to the scorer: what is .8 on the"
            f" scale of the paper's cross-encoder is {EMBEDDED_FOR_SAS_80} on that of {DEFAULT_SCORER}, and"
            f" .7 is {EMBEDDED_FOR_SAS_70} (docs/adr/0003-evidence-threshold.md)",
        ),
        "min_candidates": Option(default=3),
        "bag": Option(default="default"),
        "near": Option(metavar="NEARNESS"),
        "seed": Option(default=1),
        "n_turns": Option("turns"),
        "allocation": Option(default="proportional"),
        "asks_again": Option("ask-again"),
        "runs": Option(metavar="RUN"),
        "name": Option(metavar="POOL"),
    }

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--scorer",
            type=plain,
            help="the scorer of the SAS: NAME (its newest version), or NAME#VERSION as "
            "printed by score; default: that of POOL with --like, otherwise required",
        )
        super().add_options(parser)
        parser.add_argument(
            "--preview",
            action="store_true",
            help="draw nothing: print what would be drawn and, with --near, the answers that "
            "would be merged, with their similarity",
        )
        _add_late_options(parser)
        self.of_rule: list[Action] = [each for each in parser._actions if each.dest in OF_THE_RULE]

    def act(self, **options: Any) -> Mapping[str, Any]:
        dataset = options["dataset"]
        if options["late"] or options["like"]:
            return self._top_up(dataset, options)
        if options["scorer"] is None:
            raise CommandError("--scorer is missing: only a top-up (--late) takes it from a pool")
        rule: Rule = self.form(
            options,
            scorer=options["scorer"],
            runs=list(dataset.runs.values_list("name", flat=True)),
            continues=dataset.continues_id is not None,
        ).rule
        asked = {name: options[name] for name in ("study", "dataset", "by")} | {"rule": rule}
        if options["preview"]:
            drawn = pool_draws.preview(**asked)
            merges = [asdict(each) for each in drawn.merges]
            return {"pool": None, **pools.pool_counts(rule, drawn), "merges": merges}
        asked["name"] = options["name"]
        if surveys.is_at_once(dataset):
            pool, warnings = pool_draws.draw(**asked)
        else:
            self._survey(**asked)
            # in parts, so that nobody waits long to write
            job = execution.run(pool_chunks.begin(**asked))
            pool, warnings = options["study"].pools.get(pk=job.params["pool"]), []
            if not pool_draws.draws_anything(pool.counts["n_answers"]):
                why = pool_draws.why_nothing_drawn(rule, pool.counts["n_answers"])
                raise pools.PoolError(f"the pool {pool.name} is empty: {why}")
        scorer = pool.scorer.short if pool.scorer else ""
        return {"pool": pool.name, "scorer": scorer, **pool.counts, "warnings": warnings}

    def _top_up(self, dataset: Dataset, options: Mapping[str, Any]) -> Mapping[str, Any]:
        if not (options["late"] and options["like"]):
            raise CommandError("a top-up needs both: --late RUN and --like POOL")
        for each in self.of_rule:
            if options[each.dest] != each.default:
                raise CommandError(
                    f"{each.option_strings[0]} is not of a top-up: it has the rule of {options['like']}"
                )
        named = dataset.pools.filter(name=options["like"])
        like = named.select_related("dataset__study", "study", "scorer").first()
        if like is None:
            raise pools.PoolError(_no_pool(dataset, options["like"]))
        run = run_called(options["late"], dataset)
        drawn = top_ups.draw(pool=like, run=run, name=options["name"], by=options["by"])
        scorer = drawn.scorer.short if drawn.scorer else ""
        counts = {name: n for name, n in drawn.counts.items() if name != LIKE}
        late = {"late": run.name, "like": like.name}
        return {"pool": drawn.name, "scorer": scorer, **late, **counts, "warnings": []}

    def _survey(self, *, rule: Rule, dataset: Dataset, by: User, **_: Any) -> None:
        """Survey the answers if the rule draws turns: that depends on all answers."""
        if rule.turns is None:
            return
        pool_draws.require_runs(dataset, rule)
        scorer = pool_draws.scorer_by_name(rule.scorer, dataset)
        if surveys.survey(dataset, scorer, rule.bag, rule.runs, near=rule.near) is None:
            execution.run(
                surveys.begin(dataset=dataset, scorer=scorer, bag=rule.bag, near=rule.near, by=by)
            )


def _no_pool(dataset: Dataset, name: str) -> str:
    """Return that the version has no pool of the name, and which pools there are."""
    why = f"the dataset {dataset} has no pool {name}"
    for pool in pools_of_other_versions(dataset):
        if pool.name == name:
            return (
                f"{why}: it is of {pool.dataset}. Import the run there and say --dataset {pool.dataset};"
                " carry_over takes the run along to later versions"
            )
    own = [pool.name for pool in topped_pools(dataset).order_by("created_at", "pk")]
    return f"{why}; it has {named(own)}" if own else f"{why}, and no other that can be topped up"


def _add_late_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--late",
        type=plain,
        metavar="RUN",
        help="draw what POOL would have asked about RUN, which was imported after it was drawn:"
        " the answers that are new or have only the words of a candidate; default: draw from"
        " all runs",
    )
    parser.add_argument(
        "--like",
        type=plain,
        metavar="POOL",
        help="with --late: the pool whose rule, scorer and threshold it has; the options of a rule"
        " are refused; default: the rule of the other options",
    )

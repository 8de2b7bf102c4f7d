from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from corpus.commands import add_dataset, dataset_called, plain
from jobs.actions import execution
from jobs.commands import StudyJobCommand
from sampling.actions import comparisons
from sampling.actions.pools import PoolError
from sampling.comparisons.questions import QUOTAS, STRATA
from sampling.comparisons.rule import ANSWERED_BY, SETUPS, ComparisonRule
from sampling.pools.rule import RuleError
from sampling.pools.turns import ALLOCATIONS


class Command(StudyJobCommand):
    help = (
        "Draw a pool for a comparison of runs: their answers to sampled questions, "
        "side by side, with passages."
    )
    expected: ClassVar = (PoolError, RuleError)

    def add_options(self, parser: ArgumentParser) -> None:
        add_dataset(parser)
        parser.add_argument(
            "--name", required=True, metavar="POOL", type=plain, help="what to call the pool"
        )
        add_screen_options(parser)
        add_question_options(parser)
        parser.add_argument("--seed", type=int, default=1, help="of the random choice")
        parser.add_argument(
            "--preview",
            action="store_true",
            help=("draw nothing: print the eligible questions and those to be drawn, by stratum"),
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        quotas = {quota: options[quota] or 0 for quota in QUOTAS}
        has_quotas = any(options[quota] is not None for quota in QUOTAS)
        rule = ComparisonRule(
            setup=options["setup"],
            top=options["top"],
            runs=tuple(options["runs"]) if options["runs"] else None,
            references=options["references"],
            n_questions=options["questions"],
            quotas=quotas if has_quotas else None,
            strata=tuple(options["strata"]),
            allocation=options["allocation"],
            answered_by=options["answered_by"],
            keeps_without_passages=options["keep_without_passages"],
            seed=options["seed"],
        )
        dataset = dataset_called(options["dataset"], options["study"])
        arguments: dict[str, Any] = {
            "study": options["study"],
            "dataset": dataset,
            "rule": rule,
            "by": options["by"],
        }
        if options["preview"]:
            return {"pool": None, **comparisons.outlook(**arguments).counts}
        arguments["name"] = options["name"]
        if comparisons.is_at_once(dataset, rule):
            pool, _ = comparisons.draw_comparison(**arguments)
        else:  # with a beat, so that another worker can go on with it
            job = execution.run(comparisons.begin(**arguments))
            pool = options["study"].pools.get(pk=job.result["pool_id"])
        return {"pool": pool.name, **pool.counts}


def add_screen_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--runs",
        nargs="+",
        metavar="RUN",
        type=plain,
        help="whose answers are compared; default: all systems and baselines",
    )
    references = parser.add_mutually_exclusive_group()
    references.add_argument(
        "--without-references",
        dest="references",
        action="store_false",
        default=True,
        help="leave out the reference answers, except those named by --runs",
    )
    references.add_argument(
        "--first-reference",
        dest="references",
        action="store_const",
        const="first",
        help="of each question only the first reference answer; default: all",
    )
    parser.add_argument(
        "--setup",
        required=True,
        choices=SETUPS,
        help=(
            "the passages shown: gold (from the truth, or else those offered for the "
            "question) or retrieved (cited by the runs, best rank first)"
        ),
    )
    parser.add_argument("--top", type=int, metavar="N", help="maximum of retrieved passages shown")


def add_question_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--questions",
        type=int,
        metavar="N",
        help="number of questions, answerable or not; default: all that are eligible",
    )
    for quota in QUOTAS:
        parser.add_argument(
            f"--{quota}",
            type=int,
            metavar="N",
            help=f"instead: number of {quota} questions; default: none if the other is given",
        )
    parser.add_argument(
        "--strata",
        nargs="+",
        choices=STRATA,
        default=[],
        help="stratify by: answerable or not, file of the split, first word, length in terciles;"
        " default: not stratified",
    )
    parser.add_argument(
        "--allocation",
        choices=ALLOCATIONS,
        default="proportional",
        help="with --strata: questions per stratum, proportional to its size or equal",
    )
    parser.add_argument(
        "--answered-by",
        choices=ANSWERED_BY,
        default="all",
        help=(
            "eligible questions: answered by every run (also with an empty answer), or "
            "by at least two with text"
        ),
    )
    parser.add_argument(
        "--keep-without-passages",
        action="store_true",
        help="draw from the questions for which the setup has no passage with text, too",
    )

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.commands import number, whole_number
from corpus.commands import DATASET
from corpus.models import References
from jobs.commands import JobCommand
from jobs.models import Job
from scoring.actions import calibration, score_jobs
from scoring.actions.calibration import TwoStages
from scoring.actions.similarity import BERTSCORE
from scoring.commands import name_for_workers
from scoring.registry import MEASURES
from scoring.thresholds import DEFAULT_SCORER


class Command(JobCommand):
    help = "Score the answers to a data set. Existing scores are not computed again."
    named: ClassVar = (DATASET,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--metric",
            action="extend",
            nargs="+",
            choices=score_jobs.METRICS,
            metavar="METRIC",
            help=f"which, one or more of {', '.join(score_jobs.METRICS)};"
            f" default: {', '.join(score_jobs.DEFAULT_METRICS)}",
        )
        parser.add_argument(
            "--scorer",
            default=DEFAULT_SCORER,
            metavar="MODEL",
            help="for sas: a sentence-transformers model (bi-encoder or cross-encoder), by folder or"
            " hub name",
        )
        parser.add_argument(
            "--bf16",
            action="store_true",
            help=(
                "for sas: compute in bfloat16, faster on a GPU, as a separate scorer; "
                "default: float32"
            ),
        )
        parser.add_argument(
            "--named-passages-only",
            action="store_true",
            help=(
                "for mrr, ndcg and recall_at_10: leave out turns whose truth names no "
                "passage; default: derive their relevant passages, as scorer trec_eval-"
                "overlap"
            ),
        )
        parser.add_argument(
            "--references",
            choices=References.values,
            default=References.TRUTH.value,
            help=(
                "for measures against references: those of the truth, with gold the gold answers of"
                " the release that the data set has read too, with silver the silver ones too; of"
                " several the best counts"
            ),
        )
        add_two_stages(parser)

    def act(self, **options: Any) -> Mapping[str, Any]:
        dataset = options["dataset"]
        model = name_for_workers(options["scorer"])
        about = options["about"]
        two_stages = about is not None and TwoStages(
            threshold=about,
            first=name_for_workers(options["first"]),
            most_wrong=options["wrong"],
            n_sample=options["sample"],
            seed=options["seed"],
        )
        requested = list(dict.fromkeys(options["metric"] or score_jobs.DEFAULT_METRICS))
        results = {}
        for metrics in jobs_in_parallel(requested):
            jobs = score_jobs.score(
                dataset=dataset,
                metrics=metrics,
                model=model,
                bf16=options["bf16"],
                two_stages=two_stages or None,
                derive_relevance=not options["named_passages_only"],
                references=References(options["references"]),
                by=options["by"],
            )
            for metric, job in zip(metrics, jobs, strict=True):
                results[metric] = self.done(job, background=options["background"])
        return {"dataset": str(dataset), "metrics": [results[metric] for metric in requested]}

    def done(self, job: Job, *, background: bool) -> dict[str, Any]:
        """The results of the job and, after a calibration, of the scoring job that it started."""
        result = dict(self.run(job, background=background))
        if background or job.kind != calibration.KIND:
            return result
        scoring = Job.objects.select_related("study").get(pk=result.pop("job"))
        return {**self.run(scoring, background=False), "two_stages": result}


def add_two_stages(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("sas in two stages")
    group.add_argument(
        "--about",
        type=number(0, 1),
        metavar="T",
        help=(
            "for sas by a cross-encoder, in two stages: a bi-encoder scores all answers, the"
            " cross-encoder only those near its threshold T"
            " (docs/adr/0003-evidence-threshold.md). The scorer is named two-stage: and the"
            " model; default: one stage"
        ),
    )
    group.add_argument(
        "--first",
        default=DEFAULT_SCORER,
        metavar="MODEL",
        help="with --about: the bi-encoder",
    )
    group.add_argument(
        "--wrong",
        type=number(0.0001, 0.5),
        default=TwoStages.most_wrong,
        metavar="SHARE",
        help="with --about: the largest share of answers on the wrong side of T, with 95 %% confidence",
    )
    group.add_argument(
        "--sample",
        type=whole_number(1, 10**6),
        default=TwoStages.n_sample,
        metavar="N",
        help="with --about: size of the sample scored by both models",
    )
    group.add_argument("--seed", type=int, default=TwoStages.seed, help="of the sample")


def jobs_in_parallel(metrics: list[str]) -> list[list[str]]:
    """Return the metrics in groups to start together: those of a group share their work."""
    groups: dict[str, list[str]] = {}
    for metric in metrics:
        groups.setdefault(_shared_work(metric), []).append(metric)
    return [*groups.values()]


def _shared_work(metric: str) -> str:
    """Return what BERTScore's metrics share, or measures of the same texts; else the metric itself."""
    if metric in MEASURES:
        return MEASURES[metric].inputs
    return "embeddings" if metric in BERTSCORE else metric

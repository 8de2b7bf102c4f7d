from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms

from accounts.commands import FormCommand, Option, number, whole_number
from corpus.commands import DATASET
from jobs.commands import JobCommand
from jobs.models import Job
from scoring.actions import calibration, score_jobs
from scoring.actions.calibration import TwoStages
from scoring.actions.similarity import BERTSCORE
from scoring.commands import name_for_workers
from scoring.forms import ScoreForm
from scoring.registry import MEASURES
from scoring.thresholds import DEFAULT_SCORER

OF_THE_JOB = ("model", "bf16", "derive_relevance", "references")


class AnyModelForm(ScoreForm):
    """The form with any model that the workers find, not only those that a requester may choose."""

    model = forms.CharField(  # type: ignore[assignment]  # any
        initial=DEFAULT_SCORER,
        label="Sentence-transformers model for sas",
        help_text="A bi-encoder or cross-encoder, by folder or hub name.",
    )

    def clean_model(self) -> str:
        return name_for_workers(self.cleaned_data["model"])


class Command(FormCommand, JobCommand):
    help = "Score the answers to a data set. Existing scores are not computed again."
    named: ClassVar = (DATASET,)
    form_class = AnyModelForm
    form_options: ClassVar = {
        "dataset": None,
        "metrics": Option(
            "metric",
            metavar="METRIC",
            help=f"which, one or more of {', '.join(score_jobs.METRICS)} (docs/measures.md);"
            f" default: {', '.join(score_jobs.DEFAULT_METRICS)}",
        ),
        "model": Option("scorer", metavar="MODEL"),
        "derive_relevance": Option(
            "named-passages-only",
            help="for mrr, ndcg and recall_at_10: leave out turns whose truth names no "
            "passage; default: derive their relevant passages, as scorer trec_eval-overlap",
        ),
        "about": Option(metavar="T"),
    }

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        _add_two_stages(parser)

    def act(self, **options: Any) -> Mapping[str, Any]:
        dataset = options["dataset"]
        asked = self.form(options, {"dataset": dataset.pk}, study=options["study"]).cleaned_data
        two_stages = asked["about"] is not None and TwoStages(
            threshold=asked["about"],
            first=name_for_workers(options["first"]),
            most_wrong=options["wrong"],
            n_sample=options["sample"],
            seed=options["seed"],
        )
        requested = list(dict.fromkeys(asked["metrics"]))
        results = {}
        for metrics in jobs_in_parallel(requested):
            jobs = score_jobs.score(
                dataset=dataset,
                metrics=metrics,
                two_stages=two_stages or None,
                **{name: asked[name] for name in OF_THE_JOB},
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


def _add_two_stages(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("sas in two stages")
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

"""Progress of a study through its steps, and the next action."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.db.models import Count
from django.utils import timezone

from accounts.models import Role, Study
from annotation.models import BatchState, Flag
from annotation.queries import batch_progress, completion, few_rows
from annotation.queries import candidates_and_flags as annotation_tables
from annotation.queries.batch_progress import BatchLine
from annotation.queries.completion import Shortfall
from annotation.schemes import ACCEPTANCE, GROUNDING, SchemeRole
from corpus import versions
from corpus.models import Run, Turn
from dashboard import next_steps
from dashboard.changed_versions import ChangedVersion, changed_versions
from dashboard.next_steps import NextAction
from sampling.models import Pool, Purpose
from scoring.models import ImportedScore, Metric


@dataclass(frozen=True)
class StudyProgress:
    """Counts of all steps of a study. `next_step` names the first incomplete one.

    Turns are those of the newest versions, and a run that later versions took along is one run.
    """

    n_datasets: int
    n_versions: int
    n_turns: int
    n_runs: int
    n_answers: int
    is_scored: bool
    n_annotators: int
    n_adjudicators: int
    n_unanswered_flags: int
    n_unread_messages: int
    n_jobs: int
    pools: list[Pool]
    batches: list[BatchLine]
    never_asked: dict[int, int]
    shortfalls: dict[int, Shortfall]
    releases: list[bool]  # whether each is a rehearsal
    changed_versions: list[ChangedVersion]
    now: datetime

    @property
    def acceptance(self) -> list[BatchLine]:
        return [line for line in self.batches if line.batch.scheme == ACCEPTANCE.name]

    @property
    def grounding(self) -> list[BatchLine]:
        return [line for line in self.batches if line.batch.scheme == GROUNDING.name]

    @property
    def labels(self) -> list[BatchLine]:
        """Return the batches of a release on which no answer depends."""
        of_release = (ACCEPTANCE.name, GROUNDING.name)
        return [
            line
            for line in self.batches
            if line.is_released and line.batch.scheme not in of_release
        ]

    @property
    def answer_pools(self) -> list[Pool]:
        return [pool for pool in self.pools if pool.purpose == Purpose.ANSWERS]

    @property
    def newest_to_ask_about(self) -> Pool | None:
        """Return the newest pool of answers that is built and has some; None if there is none."""
        built = (pool for pool in reversed(self.answer_pools) if pool.built_at is not None)
        return next((pool for pool in built if pool.counts.get("n_candidates") != 0), None)

    @property
    def evidence_pools(self) -> list[Pool]:
        return [pool for pool in self.pools if pool.purpose == Purpose.EVIDENCE]

    @property
    def comparisons(self) -> list[Pool]:
        return [pool for pool in self.pools if pool.purpose == Purpose.COMPARISON]

    @property
    def compared(self) -> list[BatchLine]:
        """Return the batches that compare systems."""
        return [line for line in self.batches if line.is_comparison]

    @property
    def written(self) -> list[BatchLine]:
        """Return the batches in which people write answers."""
        return [line for line in self.batches if line.role == SchemeRole.WRITING]

    @property
    def curated(self) -> list[BatchLine]:
        """Return the batches in which people curate questions."""
        return [line for line in self.batches if line.role == SchemeRole.CURATION]

    @property
    def writing_pools(self) -> list[Pool]:
        return [pool for pool in self.pools if pool.purpose == Purpose.WRITING]

    @property
    def curation_pools(self) -> list[Pool]:
        return [pool for pool in self.pools if pool.purpose == Purpose.CURATION]

    @property
    def is_anything_to_judge(self) -> bool:
        """Return whether people have something to judge, or will: some batch is not closed, or there is none."""
        states = [line.batch.state for line in self.batches if not line.batch.is_rehearsal]
        return not states or any(state != BatchState.CLOSED for state in states)

    @property
    def is_comparison(self) -> bool:
        """Return whether the study only compares runs: its steps then lead to no release."""
        return bool(self.comparisons) and len(self.comparisons) == len(self.pools)

    @property
    def is_for_writers(self) -> bool:
        """Return whether people only write answers or curate questions: that needs no runs, and leads to no release."""
        n_of_writers = len(self.writing_pools) + len(self.curation_pools)
        return bool(self.pools) and n_of_writers == len(self.pools) and not self.n_runs

    @property
    def next_step(self) -> str:
        """Return the name of the first incomplete step.

        One of data, runs, scores, pool, acceptance, evidence, grounding, labels, release and done;
        of a study that only compares runs, compared or done; of one for writers, done.
        """
        if self.is_for_writers:
            return "done"
        if self.is_comparison:
            return "compared" if self.next_comparison_action else "done"
        return self._missing or (self.next_action.step if self.next_action else "done")

    @cached_property
    def next_comparison_action(self) -> NextAction | None:
        """Return the next action for batches that compare runs; None if there is none."""
        if not self.comparisons:
            return None
        real = [line for line in self.compared if not line.batch.is_rehearsal]
        return next_steps.next_comparison_action(
            real or self.compared,
            shortfalls=self.shortfalls,
            n_annotators=self.n_annotators,
            now=self.now,
        )

    @property
    def _missing(self) -> str:
        """Return the step that batches need and that is missing."""
        needed = (
            ("data", self.n_datasets),
            ("runs", self.n_runs),
            ("scores", self.is_scored),
            ("pool", self.answer_pools),
        )
        return next((name for name, there in needed if not there), "")

    @cached_property
    def next_action(self) -> NextAction | None:
        """Return the next action for the batches.

        None while an earlier step is missing, or when all is done. Rehearsals only count if there
        are no other batches.
        """
        return None if self._missing else next_steps.next_action(self._situation)

    @cached_property
    def evidence_meanwhile(self) -> NextAction | None:
        """Return the way on to the evidence while another action comes first; None if there is none."""
        return None if self._missing else next_steps.evidence_action(self._situation)

    @cached_property
    def _situation(self) -> next_steps.Situation:
        deciding = [*self.acceptance, *self.grounding]
        is_rehearsal = all(line.batch.is_rehearsal for line in deciding) and bool(deciding)
        real_labels = [line for line in self.labels if not line.batch.is_rehearsal]

        def counting(lines: list[BatchLine]) -> list[BatchLine]:
            return [line for line in lines if line.batch.is_rehearsal == is_rehearsal]

        return next_steps.Situation(
            acceptance=counting(self.acceptance),
            grounding=counting(self.grounding),
            labels=real_labels or self.labels,
            pools=self.pools,
            never_asked=self.never_asked,
            shortfalls=self.shortfalls,
            n_annotators=self.n_annotators,
            n_adjudicators=self.n_adjudicators,
            is_released=is_rehearsal in self.releases,
            changed_versions=self.changed_versions,
            now=self.now,
        )


def study_progress(study: Study) -> StudyProgress:
    """Return the study's counts, in a number of queries that does not grow with it."""
    runs = (
        Run.objects.counting().competing().filter(dataset__study=study, dataset__is_withdrawn=False)
    )
    # Of several versions of a run the first: the last of this order.
    n_answers = dict(runs.order_by("-pk").values_list(versions.first_run(), "n_answers"))
    datasets = study.datasets.counting()
    newest_versions = versions.newest(datasets)
    counts = datasets.aggregate(n_datasets=Count("name", distinct=True), n_versions=Count("pk"))
    members = study.memberships.filter(user__is_simulated=False)
    unanswered = Flag.objects.filter(answers=None)
    flags = few_rows.at(unanswered, "assignment__item__batch__study", [study.pk])
    batches = list(study.batches.counting().order_by("created_at", "pk"))
    lines = batch_progress.batch_lines(batches)
    pools = list(study.pools.filter(is_withdrawn=False).order_by("created_at", "pk"))
    answer_pools = [pool for pool in pools if pool.purpose == Purpose.ANSWERS]
    releases = (
        study.releases.exclude(dataset=None)
        .filter(is_withdrawn=False)
        .values_list("is_rehearsal", "dataset")
    )
    return StudyProgress(
        n_datasets=counts["n_datasets"],
        n_versions=counts["n_versions"],
        n_turns=Turn.objects.filter(conversation__dataset__in=newest_versions).count(),
        n_runs=len(n_answers),
        n_answers=sum(n_answers.values()),
        is_scored=_is_scored(study),
        n_annotators=members.with_role(Role.ANNOTATOR).count(),
        n_adjudicators=members.with_role(Role.ADJUDICATOR).count(),
        n_unanswered_flags=flags.count(),
        n_unread_messages=study.messages.filter(read_at=None).count(),
        n_jobs=study.jobs.unfinished().count(),
        pools=pools,
        batches=lines,
        never_asked=_never_asked(lines, pools),
        shortfalls=completion.shortfalls(study, batches),
        releases=[is_rehearsal for is_rehearsal, _ in releases],
        changed_versions=changed_versions(
            study, answer_pools, lines, {dataset for _, dataset in releases}
        ),
        now=timezone.now(),
    )


def _never_asked(lines: Sequence[BatchLine], pools: Sequence[Pool]) -> dict[int, int]:
    """Return the numbers of accepted answers without an item, by the batches of which the next steps depend on it."""
    acceptance, grounding = (
        [line for line in lines if line.batch.scheme == scheme.name]
        for scheme in (ACCEPTANCE, GROUNDING)
    )
    leading = []
    for line in acceptance:
        is_rehearsal = line.batch.is_rehearsal
        alike = [each for each in grounding if each.batch.is_rehearsal == is_rehearsal]
        if next_steps.leads_to_evidence(line, pools, alike):
            leading.append(line.batch)
    return annotation_tables.n_never_asked(leading) if leading else {}


def _is_scored(study: Study) -> bool:
    """Return whether a pool can be drawn: some answer has a similarity score."""
    imported = ImportedScore.objects.filter(
        answer__run__dataset__study=study, scorer__metric=Metric.SAS
    )
    computed = study.jobs.filter(kind="score", state="done", params__metric=Metric.SAS.value)
    return imported.exists() or computed.exists()

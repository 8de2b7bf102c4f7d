from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Greatest, Least
from django.utils import timezone

from accounts.models import Study, User
from accounts.withdrawable import Withdrawable, WithdrawalRow, row_constraints
from corpus.models import Answer, Citation, Dataset, Passage, Turn, plain_name
from sampling.pools.selection import State
from scoring.models import Scorer

STATES = [state.value for state in State]
WITH_CANDIDATE = [State.DRAWN.value, State.STANDS.value, State.REPRESENTED.value]


class Purpose(models.TextChoices):
    ANSWERS = "answers"  # distinct answers drawn from the runs by a rule
    EVIDENCE = "evidence"  # answers found plausible, with the evidence to judge them by
    COMPARISON = "comparison"  # what chosen runs say to drawn questions, side by side
    REFERENCES = "references"  # evidence for the references of all turns: nobody is asked
    PAIRS = "pairs"  # pairs of accepted answers of a release, to say how they relate
    WRITING = "writing"  # questions with one passage each, from which people write answers
    CURATION = "curation"  # questions with their passages, which people keep, edit or reject


# Batches on these pools add no answer to a data set.
NOT_RELEASED = (Purpose.COMPARISON, Purpose.WRITING, Purpose.CURATION)
# Pools of questions and passages, without candidates.
OF_QUESTIONS = (Purpose.WRITING, Purpose.CURATION)


class PoolQuerySet(models.QuerySet["Pool"]):
    def usable(self) -> "PoolQuerySet":
        """Return the pools that a batch can be made of: built, and neither they nor their data set withdrawn."""
        asking = self.exclude(purpose=Purpose.REFERENCES)
        return asking.filter(
            built_at__isnull=False, is_withdrawn=False, dataset__is_withdrawn=False
        )


class Pool(Withdrawable):
    """The result of a draw, with the rule, the seed and the counts. Never changes.

    A pool is visible once it is built: while `built_at` is None a job still writes it.
    """

    study = models.ForeignKey(Study, models.PROTECT, related_name="pools")
    dataset = models.ForeignKey(Dataset, models.PROTECT, related_name="pools")
    name = models.CharField(max_length=100, validators=[plain_name])
    purpose = models.CharField(max_length=20, choices=Purpose)
    # Every parameter: sampling.Rule, sampling.audit_samples.rule, sampling.evidence.search, sampling.comparisons.rule, sampling.pairs.rule,
    # sampling.writing.rule or sampling.curation.rule settings, as a plain dict.
    rule = models.JSONField()
    scorer = models.ForeignKey(Scorer, models.PROTECT, null=True, related_name="pools")
    # Of an audit sample the pool of whose left-out answers it is (sampling.audit_samples.rule).
    audit_of = models.ForeignKey("self", models.PROTECT, null=True, related_name="audits")
    counts = models.JSONField(default=dict)
    # Where the rule draws some turns: of each that it might have drawn, by its id in files, its probability
    # and that of a would-be candidate under the cap (selection.Odds).
    odds = models.JSONField(default=dict)
    # What was entered at the sampling desk about judging it (judgements, seconds, reward, currency; a batch begins
    # with them); empty where it was drawn without.
    costs = models.JSONField(default=dict)
    is_rehearsal = models.BooleanField(default=False)
    built_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    objects = PoolQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["study_id", "created_at"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["study", "name"], name="sampling_pool_name_is_unique"),
            models.CheckConstraint(
                condition=Q(purpose__in=Purpose.values), name="sampling_pool_purpose_is_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def has_something_to_ask(self) -> bool:
        """Return whether people can be asked about something of it: candidates, or questions."""
        return bool(self.counts.get("n_turns" if self.purpose in OF_QUESTIONS else "n_candidates"))

    @property
    def withdrawn_objection(self) -> str:
        """Why nothing new is made of it while it or its data set is withdrawn; "" while neither is."""
        if self.is_withdrawn:
            return f"the pool {self} is withdrawn: bring it back first"
        return self.dataset.withdrawn_objection


class PoolWithdrawal(WithdrawalRow):
    """A pool was withdrawn, or (`is_withdrawn` false) brought back. Pool.is_withdrawn says the same."""

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="withdrawals")

    class Meta(WithdrawalRow.Meta):
        constraints = row_constraints("pool", "sampling_poolwithdrawal")


class Candidate(models.Model):
    """One distinct answer text of a turn, without outer white space.

    In a pool of evidence or pairs `source` is the candidate that was found plausible.
    """

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="candidates")
    turn = models.ForeignKey(Turn, models.PROTECT, related_name="candidates")
    text = models.TextField()
    text_sha256 = models.CharField(max_length=64)
    score = models.FloatField(null=True)
    inclusion_probability = models.FloatField(default=1.0)
    source = models.ForeignKey("self", models.PROTECT, null=True, related_name="drawn_again")

    class Meta:
        ordering: ClassVar = ["pool_id", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["pool", "turn", "text_sha256"], name="sampling_candidate_text_is_unique"
            ),
            models.CheckConstraint(condition=~Q(text=""), name="sampling_candidate_text_is_said"),
            models.CheckConstraint(
                condition=Q(inclusion_probability__gt=0, inclusion_probability__lte=1),
                name="sampling_candidate_inclusion_is_a_probability",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pool_id}:{self.turn_id}:{self.text_sha256[:12]}"


class Fate(models.Model):
    """The outcome of one answer in the draw of a pool: every answer has exactly one row.

    (Of an audit sample only the drawn answers: the others have their row in the audited pool. Of a
    comparison only the answers of its runs to its questions: drawn, or empty.) `candidate` is the
    one that has the answer's text (drawn: the run is credited) or its bag (represented: no verdict
    is inherited). Where it was left out because it stands, it is that of a pool on an earlier version.
    """

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="fates")
    answer = models.ForeignKey(Answer, models.PROTECT, related_name="fates")
    state = models.CharField(max_length=20, choices=[(state, state) for state in STATES])
    candidate = models.ForeignKey(Candidate, models.PROTECT, null=True, related_name="fates")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["pool", "answer"], name="sampling_fate_once_per_answer"
            ),
            models.CheckConstraint(
                condition=Q(state__in=STATES), name="sampling_fate_state_is_known"
            ),
            models.CheckConstraint(
                condition=Q(state__in=WITH_CANDIDATE, candidate__isnull=False)
                | (~Q(state__in=WITH_CANDIDATE) & Q(candidate=None)),
                name="sampling_fate_candidate_when_drawn_or_represented",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.answer_id}:{self.state}"


class AnswerPair(models.Model):
    """Two candidates of a pool of pairs, in the order in which a screen shows them; positions count from 1."""

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="pairs")
    first = models.ForeignKey(Candidate, models.PROTECT, related_name="pairs_as_first")
    second = models.ForeignKey(Candidate, models.PROTECT, related_name="pairs_as_second")
    position = models.PositiveIntegerField()

    class Meta:
        ordering: ClassVar = ["pool_id", "position"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                Least("first", "second"),
                Greatest("first", "second"),
                name="sampling_answerpair_once_in_either_order",
            ),
            models.UniqueConstraint(
                fields=["pool", "position"], name="sampling_answerpair_position_is_unique"
            ),
            models.CheckConstraint(
                condition=~Q(first=F("second")), name="sampling_answerpair_has_two_answers"
            ),
            models.CheckConstraint(
                condition=Q(position__gte=1), name="sampling_answerpair_counts_from_one"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first_id}:{self.second_id}"


class PoolPassage(models.Model):
    """A passage that is shown for a turn of a comparison or of a pool of writing or curation; positions count from 1."""

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="passages")
    turn = models.ForeignKey(Turn, models.PROTECT, related_name="pool_passages")
    passage = models.ForeignKey(Passage, models.PROTECT, related_name="pool_passages")
    position = models.PositiveIntegerField()

    class Meta:
        ordering: ClassVar = ["pool_id", "turn_id", "position"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["pool", "turn", "passage"], name="sampling_poolpassage_once"
            ),
            models.UniqueConstraint(
                fields=["pool", "turn", "position"], name="sampling_poolpassage_position_is_unique"
            ),
            models.CheckConstraint(
                condition=Q(position__gte=1), name="sampling_poolpassage_counts_from_one"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pool_id}:{self.turn_id}:{self.position}"


class SpanSource(models.TextChoices):
    OVERLAP = "overlap"
    CITED = "cited"


class EvidenceSpan(models.Model):
    """A piece of a passage, half-open `[start, end)` in characters, shown as evidence for a turn.

    The spans of a (pool, turn) in their order are the paragraph that all its items show.
    """

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="spans")
    turn = models.ForeignKey(Turn, models.PROTECT, related_name="spans")
    passage = models.ForeignKey(Passage, models.PROTECT, related_name="spans")
    position = models.PositiveIntegerField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    source = models.CharField(max_length=20, choices=SpanSource, default=SpanSource.OVERLAP)
    sas = models.FloatField(null=True)

    class Meta:
        ordering: ClassVar = ["pool_id", "turn_id", "position"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["pool", "turn", "position"], name="sampling_span_position_is_unique"
            ),
            models.CheckConstraint(
                condition=Q(start__gte=0, start__lt=F("end")), name="sampling_span_is_not_empty"
            ),
            models.CheckConstraint(
                condition=Q(source__in=SpanSource.values), name="sampling_span_source_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.passage_id}[{self.start}:{self.end}]"


class SpanCitation(models.Model):
    """A span that contains a part of an answer's quote.

    It distinguishes "follows from what the run itself cites" from "follows from the pool". A span
    with such a row has the source `cited`.
    """

    span = models.ForeignKey(EvidenceSpan, models.CASCADE, related_name="citations")
    citation = models.ForeignKey(Citation, models.PROTECT, related_name="spans")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["span", "citation"], name="sampling_spancitation_once"),
        ]

    def __str__(self) -> str:
        return f"{self.span_id}:{self.citation_id}"


class SpanMatch(models.Model):
    """An answer that a span was found for, with their token F1. Without a candidate: the reference.

    The candidate is the pool's own or, for an answer that a sample left out, the one found
    plausible.
    """

    span = models.ForeignKey(EvidenceSpan, models.CASCADE, related_name="matches")
    candidate = models.ForeignKey(Candidate, models.PROTECT, null=True, related_name="matches")
    f1 = models.FloatField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["span", "candidate"], name="sampling_spanmatch_once_per_answer"
            ),
            models.UniqueConstraint(
                fields=["span"],
                condition=Q(candidate=None),
                name="sampling_spanmatch_once_for_the_reference",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.span_id}:{self.candidate_id}"

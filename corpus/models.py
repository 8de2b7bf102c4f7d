from typing import ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.db.models.functions import Cast, Concat
from django.utils import timezone

from accounts.models import Study, User
from accounts.withdrawable import Withdrawable, WithdrawalRow, row_constraints
from corpus import names
from jobs.models import Job


def plain_name(name: str) -> None:
    """Validate a name: see corpus.names."""
    if flaw := names.flaw(name):
        raise ValidationError(f"{flaw}: choose another")


def addressable(name: str) -> None:
    """Validate a name whose slashes stay slashes in addresses: see corpus.names."""
    if flaw := names.flaw_of_path(name):
        raise ValidationError(f"{flaw}: choose another")


def _staged_by() -> "models.ForeignKey[Job | None, Job | None]":
    """Return a field for the job that is writing the row and the rows below it.

    It is None once all are written. Until then only the manager `everything` finds the row.
    """
    return models.ForeignKey(Job, models.PROTECT, null=True, editable=False, related_name="+")


# The order in which data sets are offered to look at: the first is the default.


class DatasetQuerySet(models.QuerySet["Dataset"]):
    def counting(self) -> "DatasetQuerySet":
        """Return the versions that are not withdrawn: only these are offered for anything new."""
        return self.filter(is_withdrawn=False)

    def by_name(self, name: str) -> "Dataset":
        """Return the newest version of the name, or the version in `name@version`.

        A withdrawn version is the newest only where all are withdrawn. Raises Dataset.DoesNotExist.
        """
        base, _, version = name.partition("@")
        found = self.filter(name=base)
        if version:
            found = found.filter(version=int(version) if version.isdecimal() else 0)
        newest = found.order_by("is_withdrawn", "-version").first()
        if newest is None:
            raise self.model.DoesNotExist(f"there is no dataset {name}")
        return newest


_Datasets = models.Manager.from_queryset(DatasetQuerySet)


class DatasetManager(_Datasets["Dataset"]):
    """The data sets that are completely written."""

    def get_queryset(self) -> DatasetQuerySet:
        return DatasetQuerySet(self.model, using=self._db).filter(staged_by=None)


class Dataset(Withdrawable):
    """A named, versioned set of conversations. Its content never changes.

    Licence and citation are descriptions, and may be changed: the audit record has each change.
    """

    study = models.ForeignKey(Study, models.PROTECT, related_name="datasets")
    name = models.CharField(max_length=100, validators=[plain_name])
    version = models.PositiveIntegerField(default=1)
    format = models.CharField(max_length=40)
    licence = models.CharField(max_length=200, blank=True, validators=[plain_name])
    citation = models.TextField(blank=True)
    # Of the parsed content, not of the bytes: another indentation is the same data set.
    digest = models.CharField(max_length=64)
    # What was read: [{"name", "sha256", "n_bytes"}], for the manifest of a release.
    files = models.JSONField(default=list)
    # The version whose work is taken along (docs/adr/0035), and how its turns compare with the earlier ones:
    # corpus.same_turns.Comparison as a plain dict.
    continues = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, editable=False, related_name="continued_by"
    )
    comparison = models.JSONField(default=dict, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    staged_by = _staged_by()

    objects = DatasetManager()
    everything = models.Manager["Dataset"]()

    class Meta:
        ordering: ClassVar = ["study_id", "name", "-version"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["study", "name", "version"],
                condition=Q(staged_by=None),
                name="corpus_dataset_version_is_unique",
            ),
            models.CheckConstraint(
                condition=~Q(name__contains="@"),
                name="corpus_dataset_name_has_no_at",
                violation_error_message="a dataset's name has no @: it begins the version",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"

    def clean(self) -> None:
        addressable(self.name)

    @property
    def withdrawn_objection(self) -> str:
        """Why nothing new is made of it while it is withdrawn; "" while it is not."""
        return f"the data set {self} is withdrawn: bring it back first" if self.is_withdrawn else ""


class DatasetWithdrawal(WithdrawalRow):
    """A version was withdrawn, or (`is_withdrawn` false) brought back. Dataset.is_withdrawn says the same."""

    dataset = models.ForeignKey(Dataset, models.PROTECT, related_name="withdrawals")

    class Meta(WithdrawalRow.Meta):
        constraints = row_constraints("dataset", "corpus_datasetwithdrawal")


class Conversation(models.Model):
    """Ordered turns. A single question is a conversation of one."""

    dataset = models.ForeignKey(Dataset, models.PROTECT, related_name="conversations")
    key = models.CharField(max_length=200)
    position = models.PositiveIntegerField()

    class Meta:
        ordering: ClassVar = ["dataset_id", "position"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["dataset", "key"], name="corpus_conversation_key_is_unique"
            ),
            models.UniqueConstraint(
                fields=["dataset", "position"], name="corpus_conversation_position_is_unique"
            ),
        ]

    def __str__(self) -> str:
        return self.key


def turn_key(prefix: str = "") -> Concat:
    """Return an expression for Turn.key.

    `prefix` leads from the queryset's model to the turn, as turn__.
    """
    number = Cast(f"{prefix}number", models.CharField())
    parts = (f"{prefix}conversation__key", models.Value("_"), number)
    return Concat(*parts, output_field=models.CharField())


class TurnQuerySet(models.QuerySet["Turn"]):
    def of(self, dataset: Dataset) -> "TurnQuerySet":
        """Return the data set's turns in its own order."""
        turns = self.filter(conversation__dataset=dataset).select_related("conversation")
        return turns.order_by("conversation__position", "number")


class Turn(models.Model):
    """One question of a conversation.

    `question` is as it was asked (possibly elliptic), `rewrite` stands alone; either may be blank,
    not both. `source` is the truth as it was read, to be written back unchanged.
    """

    conversation = models.ForeignKey(Conversation, models.PROTECT, related_name="turns")
    number = models.PositiveIntegerField()
    question = models.TextField(blank=True)
    rewrite = models.TextField(blank=True)
    truth_passages = models.JSONField(default=list)
    source = models.JSONField(default=dict)
    # The whole line, of a format that is written back byte for byte (a JSON column keeps no order of keys),
    # and the file that it came from, where a data set has several.
    record = models.TextField(blank=True)
    part = models.CharField(max_length=200, blank=True)
    # The turn of the earliest version that is the same as this one: what was decided of it holds here too.
    same_as = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, editable=False, related_name="same_later"
    )

    objects = TurnQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["conversation_id", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["conversation", "number"], name="corpus_turn_number_is_unique"
            ),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def key(self) -> str:
        """Return the turn's id in every file. Reads self.conversation: select it with the turn."""
        return f"{self.conversation.key}_{self.number}"

    @property
    def wordings(self) -> tuple[str, ...]:
        """Return the non-blank wordings of the question: as it was asked, then the rewrite."""
        return tuple(text for text in (self.question, self.rewrite) if text.strip())

    @property
    def standalone(self) -> str:
        """Return the question as a reader without the conversation understands it."""
        return next(reversed(self.wordings), "")


class PassageQuerySet(models.QuerySet["Passage"]):
    def with_text(self) -> "PassageQuerySet":
        """Return the passages whose text is known; the others are only ids that runs cite."""
        return self.exclude(text=None)


class Passage(models.Model):
    """A text that answers may rest on: offered for a turn, or cited by an answer.

    `text` is None if only citations without text name the passage.
    """

    dataset = models.ForeignKey(Dataset, models.PROTECT, related_name="passages")
    # A PostgreSQL index row ends at 2,704 bytes; real ids run to 1,401.
    docid = models.CharField(max_length=2000)
    text = models.TextField(null=True)  # noqa: DJ001  unknown is not the same as empty
    url = models.TextField(blank=True)
    title = models.TextField(blank=True)
    # As the file parts the text, where it does; several may be equal.
    sentences = models.JSONField(default=list)

    objects = PassageQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["dataset_id", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["dataset", "docid"], name="corpus_passage_docid_is_unique"
            ),
            models.CheckConstraint(condition=~Q(docid=""), name="corpus_passage_docid_is_said"),
        ]

    def __str__(self) -> str:
        return self.docid


class Offer(models.Model):
    """A passage that was pooled for a turn, in the order of the file."""

    turn = models.ForeignKey(Turn, models.PROTECT, related_name="offers")
    passage = models.ForeignKey(Passage, models.PROTECT, related_name="offers")
    position = models.PositiveIntegerField()

    class Meta:
        ordering: ClassVar = ["turn_id", "position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["turn", "passage"], name="corpus_offer_once"),
            models.UniqueConstraint(
                fields=["turn", "position"], name="corpus_offer_position_is_unique"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.turn_id}:{self.passage_id}"


class RunKind(models.TextChoices):
    SYSTEM = "system"
    BASELINE = "baseline"
    REFERENCE = "reference"


class RunQuerySet(models.QuerySet["Run"]):
    def counting(self) -> "RunQuerySet":
        """Return the runs that are not withdrawn: only these are drawn from, compared and given out."""
        return self.filter(is_withdrawn=False)


_Runs = models.Manager.from_queryset(RunQuerySet)


class RunManager(_Runs["Run"]):
    """The runs that are completely written."""

    def get_queryset(self) -> RunQuerySet:
        return RunQuerySet(self.model, using=self._db).filter(staged_by=None)


class Run(Withdrawable):
    """One system's answers to a data set.

    References are runs too, so the same code handles both. The answers never change; name, team,
    system, setup and kind do, each time by a RunChange.
    """

    dataset = models.ForeignKey(Dataset, models.PROTECT, related_name="runs")
    name = models.CharField(max_length=200, validators=[plain_name])
    kind = models.CharField(max_length=20, choices=RunKind, default=RunKind.SYSTEM)
    team = models.CharField(max_length=200, blank=True, validators=[plain_name])
    system = models.CharField(max_length=200, blank=True, validators=[plain_name])
    setup = models.CharField(max_length=200, blank=True, validators=[plain_name])
    digest = models.CharField(max_length=64)
    # Of the answers' texts alone: two runs with the same answers are flagged.
    answers_digest = models.CharField(max_length=64, db_index=True)
    files = models.JSONField(default=list)
    # Counted when it was imported, because answers never change: answers, those without text, those that
    # cite a passage.
    n_answers = models.PositiveIntegerField(default=0)
    n_empty = models.PositiveIntegerField(default=0)
    n_citing = models.PositiveIntegerField(default=0)
    # Answers in the file on turns that the data set does not have, left out on request.
    n_left_out = models.PositiveIntegerField(default=0)
    # The run of the version for which it was imported, of which this is the copy in a later version.
    carried_from = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, editable=False, related_name="carried_to"
    )
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    staged_by = _staged_by()

    objects = RunManager()
    everything = models.Manager["Run"]()

    class Meta:
        ordering: ClassVar = ["dataset_id", "name"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["dataset", "name"],
                condition=Q(staged_by=None),
                name="corpus_run_name_is_unique",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=RunKind.values), name="corpus_run_kind_is_known"
            ),
            models.CheckConstraint(
                condition=~Q(name__contains="|"),
                name="corpus_run_name_has_no_bar",
                violation_error_message="a run's name has no |: it parts the names of runs in tables",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class RunWithdrawal(WithdrawalRow):
    """A run was withdrawn, or (`is_withdrawn` false) brought back. Run.is_withdrawn says the same."""

    run = models.ForeignKey(Run, models.PROTECT, related_name="withdrawals")

    class Meta(WithdrawalRow.Meta):
        constraints = row_constraints("run", "corpus_runwithdrawal")


class RunChange(models.Model):
    """The name or the description of a run was changed. Rows are only added.

    `before` and `after` have the fields that changed: name, team, system, setup, kind.
    """

    run = models.ForeignKey(Run, models.PROTECT, related_name="changes")
    before = models.JSONField()
    after = models.JSONField()
    changed_at = models.DateTimeField(default=timezone.now)
    changed_by = models.ForeignKey(User, models.PROTECT, related_name="+")

    class Meta:
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return f"{self.run_id}: {', '.join(self.after)}"


class AnswerQuerySet(models.QuerySet["Answer"]):
    def references(self, dataset: Dataset) -> "AnswerQuerySet":
        return self._of_runs(dataset).filter(run__kind=RunKind.REFERENCE)

    def of_systems(self, dataset: Dataset) -> "AnswerQuerySet":
        """Return the answers of all runs that compete: systems and baselines, none of them withdrawn."""
        return self.of_all_systems(dataset).filter(run__is_withdrawn=False)

    def of_all_systems(self, dataset: Dataset) -> "AnswerQuerySet":
        """Return the answers of systems and baselines, also of withdrawn ones."""
        return self._of_runs(dataset).exclude(run__kind=RunKind.REFERENCE)

    def _of_runs(self, dataset: Dataset) -> "AnswerQuerySet":
        """Return the answers of runs that are completely written."""
        return self.filter(run__dataset=dataset, run__staged_by=None)


class Answer(models.Model):
    """A run's text for a turn, raw. It is compared and shown without outer white space."""

    run = models.ForeignKey(Run, models.PROTECT, related_name="answers")
    turn = models.ForeignKey(Turn, models.PROTECT, related_name="answers")
    text = models.TextField(blank=True)
    rewrite = models.TextField(blank=True)

    objects = AnswerQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["run_id", "turn_id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["run", "turn"], name="corpus_answer_once_per_turn"),
        ]

    def __str__(self) -> str:
        return f"{self.run_id}:{self.turn_id}"


class Citation(models.Model):
    """A passage that an answer rests on.

    Rank and score are None if only a quote names the passage.
    """

    answer = models.ForeignKey(Answer, models.PROTECT, related_name="citations")
    passage = models.ForeignKey(Passage, models.PROTECT, related_name="citations")
    rank = models.PositiveIntegerField(null=True)
    score = models.FloatField(null=True)
    quote = models.TextField(blank=True)
    # Of the quote: "" (there is none), usable, or why not.
    quote_status = models.CharField(max_length=40, blank=True)

    class Meta:
        ordering: ClassVar = ["answer_id", "rank"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["answer", "passage"], name="corpus_citation_once"),
        ]

    def __str__(self) -> str:
        return f"{self.answer_id}:{self.passage_id}"

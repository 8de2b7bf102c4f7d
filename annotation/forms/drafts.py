"""The form of a draft: all settings of a batch."""

from datetime import datetime
from typing import Any

from django import forms
from django.db.models import QuerySet

from accounts.models import Study
from annotation import check_questions, schemes
from annotation.actions.batches import purpose_of
from annotation.check_questions import CheckTextError
from annotation.design import items_ahead
from annotation.forms import prices
from annotation.forms.deadlines import deadline_field, to_utc
from annotation.models import Batch, BatchPurpose, Grouping, Qualification
from annotation.models.limits import (
    LEAST_CONTROL_EVERY,
    LEAST_REPEAT_EVERY,
    LONGEST_CLAIM_SECONDS,
    LONGEST_SKIP_REASON,
    MOST_CONTROL_EVERY,
    MOST_ITEMS_AHEAD,
    MOST_JUDGEMENTS,
    MOST_OPPONENTS,
    MOST_REPEAT_EVERY,
    MOST_SKIP_REASONS,
    SKIP_REASONS,
    require_skip_reasons,
)
from annotation.queries import checks
from annotation.schemes import Shows
from corpus.models import plain_name
from sampling.models import Pool

CHECK_EXAMPLE = (
    "An answer is right, but misspelt. Which label?\n( ) malformed\n(x) plausible\n> Why."
)
SCHEMES = [(name, f"{name}: {schemes.get(name).asks}") for name in schemes.names()]
MOST_MINUTES = LONGEST_CLAIM_SECONDS // 60


def usable_schemes(study: Study) -> list[str]:
    """The schemes that fit one of the study's pools."""
    purposes = set(pools(study).values_list("purpose", flat=True))
    return [name for name in schemes.names() if purpose_of(schemes.get(name)) in purposes]


class PoolField(forms.ModelChoiceField):  # type: ignore[type-arg]  # none at run time
    """The choice of a pool; each is shown with its purpose, because a scheme needs one kind of pool."""

    def label_from_instance(self, obj: Pool) -> str:
        return f"{obj.name} ({obj.purpose})"

    class PurposeSelect(forms.Select):
        """Each option says the purpose of its pool to the script."""

        def create_option(self, name: str, value: Any, *args: Any, **options: Any) -> Any:
            option = super().create_option(name, value, *args, **options)
            if getattr(value, "instance", None):
                option["attrs"]["data-purpose"] = value.instance.purpose
            return option

    widget = PurposeSelect


class DraftForm(prices.PricingForm):
    """All settings of a batch."""

    # The other fields come after these: reward, currency, seconds, seed.
    field_order = (
        *("name", "scheme", "pool", "purpose", "trains_for", "guideline", "check"),
        *("judgements", "grouping"),
        *(
            "qualification",
            "opponents",
            "claim_minutes",
            "items_ahead",
            "largest_share",
            "deadline",
        ),
        *("shows_context", "shows_markdown", "skip_reasons", "control_every", "repeat_every"),
    )

    name = forms.CharField(
        max_length=100,
        validators=[plain_name],
        help_text="Shown to annotators: do not name systems or hypotheses.",
    )
    scheme = forms.ChoiceField(
        label="What is judged",
        choices=SCHEMES,
    )
    pool = forms.ModelChoiceField(Pool.objects.none(), empty_label=None)
    purpose = forms.ChoiceField(
        label="What it is for",
        required=False,  # a page that was opened before this was asked
        choices=[
            (BatchPurpose.WORK.value, "work: its judgements count"),
            (BatchPurpose.PILOT.value, "pilot: the same, in small, before the work"),
            (
                BatchPurpose.TRAINING.value,
                "training: control items only, and after each what was expected",
            ),
        ],
        initial=BatchPurpose.WORK.value,
        help_text="Training asks about nothing of its pool: its items have a known label, everybody judges all of them"
        " in the same order, and they count in no result. They are added on the page of the draft.",
    )
    trains_for = forms.ModelChoiceField(
        Qualification.objects.none(),
        label="The training decides on",
        required=False,
        empty_label="nothing",
        help_text="The qualification whose rule looks at the answers at the end; only for training. Each training for it"
        " is one attempt.",
    )
    guideline = forms.CharField(
        required=False,
        strip=False,  # the text to the letter, as from a file
        widget=forms.Textarea(attrs={"rows": 14}),
        help_text="In Markdown. Shown in full before the first item, and at the press of g after that.",
    )
    check = forms.CharField(
        label="Check of the guideline",
        required=False,
        widget=forms.Textarea(attrs={"rows": 8, "dir": "auto", "placeholder": CHECK_EXAMPLE}),
        help_text="Questions with one right choice each, answered before the first item; two attempts, then the person"
        " cannot work on this batch. A question, its choices with ( ), the right one with (x), and > an explanation;"
        " then an empty line. Empty: no check.",
    )
    judgements = forms.IntegerField(
        label="Judgements of each item",
        min_value=1,
        max_value=MOST_JUDGEMENTS,
        initial=2,
        help_text="By different people. One is too few for a rule: settling sets such an item aside, until an"
        " adjudicator decides it or one more judgement is asked for.",
    )
    grouping = forms.ChoiceField(
        label="Order",
        choices=[
            (Grouping.QUESTION.value, "answers to one question in a row: less to read"),
            (
                Grouping.FEWEST.value,
                "the same, and every item is judged once before any is judged again",
            ),
            (Grouping.NONE.value, "all items shuffled"),
        ],
        initial=Grouping.QUESTION.value,
    )
    claim_minutes = forms.IntegerField(
        label="Minutes for an item",
        min_value=1,
        max_value=MOST_MINUTES,
        initial=30,
        help_text="An item that is not judged within this time is assigned to somebody else.",
    )
    items_ahead = forms.IntegerField(
        label="Items that one person holds",
        min_value=1,
        max_value=MOST_ITEMS_AHEAD,
        required=False,
        help_text="Fetched ahead, so that work goes on without a network. Empty: about ten minutes of work, by the"
        f" seconds that a judgement is expected to take, at most {items_ahead.MOST_BY_DEFAULT}. Fewer when few items"
        " are left.",
    )
    largest_share = forms.IntegerField(
        label="Max. items per annotator (% of the batch\u2019s items)",
        min_value=1,
        max_value=100,
        required=False,
        help_text="Empty: no limit.",
    )
    qualification = forms.ModelChoiceField(
        Qualification.objects.none(),
        label="Who works on it",
        required=False,
        empty_label="every annotator of the study",
        help_text="Or those who hold a qualification, or a group. Others do not see the batch. It is frozen once the"
        " batch opens. Qualifications and groups are made under People.",
    )
    opponents = forms.IntegerField(
        label="Opponents of each answer",
        min_value=1,
        max_value=MOST_OPPONENTS,
        required=False,
        help_text="Only for preference: with how many others of its question an answer is compared. Empty: with"
        " all of them, which makes many pairs if there are many systems.",
    )
    control_every = forms.IntegerField(
        label="One control item in",
        min_value=LEAST_CONTROL_EVERY,
        max_value=MOST_CONTROL_EVERY,
        required=False,
        help_text="Items with a known label, which annotators cannot tell from the others: of so many items, one on"
        " average. They are added on the page of the batch. Empty: none.",
    )
    repeat_every = forms.IntegerField(
        label="One repeat in",
        min_value=LEAST_REPEAT_EVERY,
        max_value=MOST_REPEAT_EVERY,
        required=False,
        help_text="Of so many items, one on average is one that the person judged before, at least 50 items ago: it says"
        " how far people agree with themselves. Not for training, nor for rating, relevance and writing. Empty: none.",
    )
    deadline = deadline_field(help_text="From then on no items are assigned.")
    shows_context = forms.BooleanField(
        label="Show the earlier questions of the conversation", required=False, initial=True
    )
    shows_markdown = forms.BooleanField(
        label="Show Markdown in answers",
        required=False,
        help_text="Tables, lists, code and emphasis are drawn, for every run alike; annotators can also see an answer"
        " as it was written. Without this, all answers are shown as they were written.",
    )
    gives_feedback = forms.BooleanField(
        label="Show annotators how their labels agree with the final ones",
        required=False,
        help_text="Once the batch is closed and settled, each sees the final labels of the items they judged,"
        " and the outcome of their flags; no runs, no scores, no labels of others.",
    )
    skip_reasons = forms.CharField(
        label="Reasons to skip an item",
        required=False,
        initial="\n".join(SKIP_REASONS),
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
        help_text=f"One a line, at most {MOST_SKIP_REASONS}, each of at most {LONGEST_SKIP_REASON} characters:"
        " annotators choose one with a digit, and may add words. Empty: they write why.",
    )
    seed = forms.IntegerField(
        initial=1,
        min_value=0,
        max_value=2**63 - 1,
        help_text="The same seed puts the items into the same order.",
    )

    def __init__(self, study: Study, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        usable = usable_schemes(study)
        scheme = self.fields["scheme"]
        if isinstance(scheme, forms.ChoiceField):
            scheme.choices = [each for each in SCHEMES if each[0] in usable]
        self.fields["pool"] = PoolField(pools(study), empty_label=None)
        for name in ("qualification", "trains_for"):
            asked = self.fields[name]
            if isinstance(asked, forms.ModelChoiceField):
                asked.queryset = study.qualifications.order_by("name")

    def clean_deadline(self) -> datetime | None:
        return to_utc(self.cleaned_data["deadline"])

    def clean_check(self) -> str:
        text: str = self.cleaned_data["check"]
        try:
            check_questions.read(text)
        except CheckTextError as error:
            raise forms.ValidationError(f"It cannot be read: {error}.") from error
        return text

    def clean_skip_reasons(self) -> list[str]:
        lines = [" ".join(line.split()) for line in self.cleaned_data["skip_reasons"].splitlines()]
        reasons = [line for line in lines if line]
        require_skip_reasons(reasons)
        return reasons

    def _takes_opponents(self) -> bool:
        """Whether the scheme compares answers: another one's form hides the field."""
        return schemes.get(self.cleaned_data["scheme"]).shows == Shows.PAIR

    def settings(self) -> dict[str, Any]:
        """The keyword arguments for the actions on batches."""
        cleaned = self.cleaned_data
        share = cleaned["largest_share"]
        return {
            "name": cleaned["name"],
            "scheme": cleaned["scheme"],
            "pool": cleaned["pool"],
            "purpose": cleaned["purpose"] or BatchPurpose.WORK,
            "trains_for": cleaned["trains_for"],
            "guideline": cleaned["guideline"].replace("\r\n", "\n"),
            "check": cleaned["check"],
            "judgements_per_item": cleaned["judgements"],
            "grouping": cleaned["grouping"],
            "qualification": cleaned["qualification"],
            "claim_seconds": cleaned["claim_minutes"] * 60,
            "prefetch_depth": cleaned["items_ahead"],
            "skip_reasons": cleaned["skip_reasons"],
            "largest_share": share / 100 if share else None,
            "opponents_per_answer": cleaned["opponents"] if self._takes_opponents() else None,
            "control_every": cleaned["control_every"],
            "repeat_every": cleaned["repeat_every"],
            "deadline_at": cleaned["deadline"],
            "shows_context": cleaned["shows_context"],
            "shows_markdown": cleaned["shows_markdown"],
            "gives_feedback": cleaned["gives_feedback"],
            "seed": cleaned["seed"],
            **self.pricing(cleaned["scheme"]),
        }

    @staticmethod
    def initial_values(batch: Batch) -> dict[str, Any]:
        """The form's initial values for a draft."""
        share = batch.largest_share
        usual = items_ahead.default_depth(batch.expected_seconds, batch.claim_seconds)
        return {
            "name": batch.name,
            "scheme": batch.scheme,
            "pool": batch.pool_id,
            "purpose": batch.purpose,
            "trains_for": batch.trains_for_id,
            "guideline": batch.guideline.text,
            "check": checks.text_of(batch),
            "judgements": batch.judgements_per_item,
            "grouping": batch.grouping,
            "qualification": batch.qualification_id,
            "claim_minutes": batch.claim_seconds // 60,
            "items_ahead": None if batch.prefetch_depth == usual else batch.prefetch_depth,
            "skip_reasons": "\n".join(batch.skip_reasons),
            "largest_share": round(share * 100) if share else None,
            "opponents": batch.opponents_per_answer,
            "control_every": batch.control_every,
            "repeat_every": batch.repeat_every,
            "deadline": batch.deadline_at,
            "shows_context": batch.shows_context,
            "shows_markdown": batch.shows_markdown,
            "gives_feedback": batch.gives_feedback,
            "seed": batch.seed,
            **prices.initial_pricing(batch),
        }


def pools(study: Study) -> QuerySet[Pool]:
    """The pools that a batch can be made of, newest first."""
    return study.pools.usable().order_by("-created_at", "-pk")

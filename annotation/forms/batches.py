"""Forms for batches: draft, opening, deadline, settlement, evidence, answers to flags."""

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Study
from annotation import schemes
from annotation.actions.batches import purpose_of
from annotation.forms import prices
from annotation.models import Batch, Grouping, Guideline
from annotation.models.limits import (
    LONGEST_CLAIM_SECONDS,
    LONGEST_REASON,
    MOST_JUDGEMENTS,
    MOST_OPPONENTS,
)
from annotation.schemes import Shows
from corpus.models import plain_name
from pages.times import LocalTimeInput, zone_in_help
from sampling.models import Pool
from scoring.thresholds import DEFAULT_SCORER, EVIDENCE, EVIDENCE_BY_KIND
from stats.aggregation import consensus

# Of the initial values of a draft, what belongs to that batch alone.
OF_ONE_BATCH = ("name", "pool", "deadline", "seed")
MOST_MINUTES = LONGEST_CLAIM_SECONDS // 60


def deadline_field(**options: Any) -> forms.DateTimeField:
    options["help_text"] = zone_in_help(options["help_text"])
    return forms.DateTimeField(label="Deadline", required=False, widget=LocalTimeInput, **options)


def to_utc(at: datetime | None) -> datetime | None:
    """Raises ValidationError for a time that UTC cannot express."""
    try:
        return at and at.astimezone(UTC)
    except OverflowError as error:
        raise ValidationError("Enter a valid date/time.") from error


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
        *("name", "scheme", "pool", "guideline", "judgements", "grouping"),
        *("opponents", "claim_minutes", "largest_share", "deadline", "shows_context"),
    )

    name = forms.CharField(
        max_length=100,
        validators=[plain_name],
        help_text="Shown to annotators: do not name systems or hypotheses.",
    )
    scheme = forms.ChoiceField(label="What is judged")
    pool = forms.ModelChoiceField(Pool.objects.none(), empty_label=None)
    guideline = forms.CharField(
        required=False,
        strip=False,  # the text to the letter, as from a file
        widget=forms.Textarea(attrs={"rows": 14}),
        help_text="In Markdown. Shown in full before the first item, and at the press of g after that.",
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
    largest_share = forms.IntegerField(
        label="Max. items per annotator (% of the batch\u2019s items)",
        min_value=1,
        max_value=100,
        required=False,
        help_text="Empty: no limit.",
    )
    opponents = forms.IntegerField(
        label="Opponents of each answer",
        min_value=1,
        max_value=MOST_OPPONENTS,
        required=False,
        help_text="Only for preference: with how many others of its question an answer is compared. Empty: with"
        " all of them, which makes many pairs if there are many systems.",
    )
    deadline = deadline_field(help_text="From then on no items are assigned.")
    shows_context = forms.BooleanField(
        label="Show the earlier questions of the conversation", required=False, initial=True
    )
    seed = forms.IntegerField(
        initial=1,
        min_value=0,
        max_value=2**63 - 1,
        help_text="The same seed puts the items into the same order.",
    )

    def __init__(self, study: Study, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["scheme"] = forms.ChoiceField(
            label="What is judged",
            choices=[(name, f"{name}: {schemes.get(name).asks}") for name in usable_schemes(study)],
        )
        self.fields["pool"] = PoolField(pools(study), empty_label=None)

    def clean_deadline(self) -> datetime | None:
        return to_utc(self.cleaned_data["deadline"])

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
            "guideline": cleaned["guideline"].replace("\r\n", "\n"),
            "judgements_per_item": cleaned["judgements"],
            "grouping": cleaned["grouping"],
            "claim_seconds": cleaned["claim_minutes"] * 60,
            "largest_share": share / 100 if share else None,
            "opponents_per_answer": cleaned["opponents"] if self._takes_opponents() else None,
            "deadline_at": cleaned["deadline"],
            "shows_context": cleaned["shows_context"],
            "seed": cleaned["seed"],
            **self.pricing(cleaned["scheme"]),
        }

    @staticmethod
    def initial_values(batch: Batch) -> dict[str, Any]:
        """The form's initial values for a draft."""
        share = batch.largest_share
        return {
            "name": batch.name,
            "scheme": batch.scheme,
            "pool": batch.pool_id,
            "guideline": batch.guideline.text,
            "judgements": batch.judgements_per_item,
            "grouping": batch.grouping,
            "claim_minutes": batch.claim_seconds // 60,
            "largest_share": round(share * 100) if share else None,
            "opponents": batch.opponents_per_answer,
            "deadline": batch.deadline_at,
            "shows_context": batch.shows_context,
            "seed": batch.seed,
            **prices.initial_pricing(batch),
        }


def pools(study: Study) -> QuerySet[Pool]:
    """The pools that a batch can be made of, newest first."""
    return study.pools.usable().order_by("-created_at", "-pk")


def newest_guideline(study: Study, scheme: str) -> str:
    """The text of the newest guideline of the scheme in the study that is not empty; "" if there is none."""
    used = Guideline.objects.filter(study=study, scheme=scheme, batches__isnull=False)
    newest = used.exclude(text="").order_by("-batches__created_at").first()
    return newest.text if newest else ""


def initial_costs(pool: Pool, scheme: str) -> dict[str, Any]:
    """Initial values of pay, time and judgements: as entered when the pool was drawn, else of the newest batch."""
    if pool.costs:
        return {
            "judgements": pool.costs["judgements"],
            "expected_seconds": pool.costs["seconds"],
            "reward": pool.costs["reward"] or None,
            "currency": pool.costs["currency"],
        }
    return newest_pricing(pool.study, scheme)


def preset_values(study: Study, scheme: str) -> dict[str, Any]:
    """Initial values of the study's first batch of the scheme, in a study that was copied; {} elsewhere."""
    preset = study.batch_presets.filter(scheme=scheme).select_related("guideline").first()
    if preset is None or study.batches.filter(scheme=scheme).exists():
        return {}
    reward = preset.settings["reward"]
    begins_with = preset.settings | {"reward": reward and Decimal(reward)}
    batch = Batch(scheme=scheme, guideline=preset.guideline, **begins_with)
    values = DraftForm.initial_values(batch)
    return {name: value for name, value in values.items() if name not in OF_ONE_BATCH}


def newest_pricing(study: Study, scheme: str) -> dict[str, Any]:
    """Initial values of pay and time from the study's newest batch of the scheme; {} if there is none."""
    newest = study.batches.filter(scheme=scheme).order_by("-created_at", "-pk").first()
    return prices.initial_pricing(newest) if newest else {}


class DeadlineForm(forms.Form):
    deadline_at = deadline_field(help_text="Empty: none.")

    def clean_deadline_at(self) -> datetime | None:
        deadline_at = to_utc(self.cleaned_data["deadline_at"])
        if deadline_at is not None and deadline_at <= timezone.now():
            raise ValidationError("This time has passed: no items could be assigned.")
        return deadline_at


class OpenForm(forms.Form):
    ask_without_evidence = forms.BooleanField(
        label="Ask about answers without evidence too",
        required=False,
        help_text="Otherwise they are set aside as “no evidence” and not judged.",
    )


RULES = {
    "unanimous": "unanimous: all annotators give the same label, otherwise the item is disputed",
    "majority": "majority: more than half give the same label, otherwise the item is disputed",
    "posterior": f"posterior: a label is at least {100 * consensus.LEVEL:.0f} % likely, given the estimated error rates of"
    " the annotators, otherwise the item is disputed; two differing judgements are always disputed",
}


def _rule_choices(figures: Mapping[str, str]) -> list[tuple[str, str]]:
    """Each rule in words, with its sentence in `figures` if it has one."""
    words = {name: RULES.get(name, name) for name in consensus.RULES}
    return [
        (name, f"{text}. {figures[name]}" if name in figures else text)
        for name, text in words.items()
    ]


def _held_items_in_words(n: int) -> str:
    return "item that somebody still holds" if n == 1 else f"{n} items that people still hold"


class SettleForm(forms.Form):
    """The consensus rule, and whether open claims are ended."""

    rule = forms.ChoiceField(choices=_rule_choices({}), widget=forms.RadioSelect)
    expire_claims = forms.BooleanField(
        label="Release the items that people still hold",
        required=False,
        help_text="An item is held by who was assigned it, until they submit it or their time is over."
        " While one is held the batch is not settled.",
    )

    def __init__(self, n_held: int, figures: Mapping[str, str], *args: Any, **options: Any) -> None:
        """`n_held` items are held by somebody; `figures` are sentences on what each rule would do, if computed.

        The question about them is left out where there are none: in a closed batch nobody is given more.
        """
        super().__init__(*args, **options)
        rule = self.fields["rule"]
        if isinstance(rule, forms.ChoiceField):
            rule.choices = _rule_choices(figures)
        if n_held:
            self.fields["expire_claims"].label = f"Release the {_held_items_in_words(n_held)}"
        else:
            del self.fields["expire_claims"]


class EvidenceForm(forms.Form):
    """The search for evidence for the plausible answers of a batch."""

    name = forms.CharField(label="Name of the pool", max_length=100, validators=[plain_name])
    threshold = forms.FloatField(
        label="Least token overlap (F1)",
        initial=0.3,
        min_value=0,
        max_value=1,
        help_text="A stretch of a passage is taken where its overlap with the answer is larger.",
    )
    scorer = forms.CharField(
        label="Similarity model",
        initial=DEFAULT_SCORER,
        help_text="The one that comes with Touchstone, or a folder or name that every worker finds.",
    )
    sas_threshold = forms.FloatField(
        label="Least similarity of a sentence",
        required=False,
        help_text=f"Empty: the model's own. {EVIDENCE[DEFAULT_SCORER]} for the one that comes along: on the"
        " shared task's answers it leaves 55 of 66 questions with evidence, and hardly a sentence about"
        f" something else. {EVIDENCE_BY_KIND['cross-encoder']} for a cross-encoder, as in the paper;"
        f" {EVIDENCE_BY_KIND['bi-encoder']} for another bi-encoder, where nobody has measured it: look at"
        " the evidence before you ask.",
    )
    max_words = forms.IntegerField(
        label="Maximum of words of evidence per question", initial=200, min_value=1
    )
    sample = forms.IntegerField(
        label="Ask about this many answers only",
        required=False,
        min_value=1,
        help_text="Drawn with the seed. Empty: all plausible ones.",
    )
    seed = forms.IntegerField(initial=1, min_value=0, max_value=2**63 - 1)
    only_never_asked = forms.BooleanField(
        label="Ask only about those that have not been asked about yet",
        required=False,
        initial=True,
        help_text="Otherwise the others are judged again, and the verdicts of the newer batch count.",
    )

    def __init__(self, *args: Any, is_first: bool, **options: Any) -> None:
        """`is_first`: the choice between all answers and those never asked about makes no difference."""
        super().__init__(*args, **options)
        if is_first:
            del self.fields["only_never_asked"]
        else:
            self.order_fields(["name", "only_never_asked"])


class FlagAnswerForm(forms.Form):
    text = forms.CharField(
        label="Answer", max_length=LONGEST_REASON, widget=forms.Textarea(attrs={"rows": 2})
    )

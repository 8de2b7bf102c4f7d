"""What the page of a draft shows around its fields: sections, the words of each scheme, a guideline to start from."""

from collections.abc import Iterator
from dataclasses import dataclass

from django import forms
from django.forms import BoundField

from accounts.models import Study
from annotation import schemes
from annotation.actions.batches import purpose_of
from annotation.forms.draft_defaults import newest_guideline
from annotation.schemes import ChoiceScheme, Option, Scheme, Shows

GUIDELINE_SECTION = "What annotators read"
SECTIONS = {
    "Scheme and pool": ("name", "scheme", "pool", "purpose", "trains_for"),
    GUIDELINE_SECTION: ("guideline", "check"),
    "Assignment of items": (
        *(
            "qualification",
            "judgements",
            "grouping",
            "opponents",
            "shows_context",
            "shows_markdown",
        ),
        *("claim_minutes", "items_ahead", "largest_share", "deadline", "skip_reasons"),
        "control_every",
        "repeat_every",
    ),
    "Pay and time": ("reward", "currency", "expected_seconds"),
    "After settling": ("gives_feedback",),
}
LAST_SECTION = "Other settings"


@dataclass(frozen=True)
class Entry:
    """A field with the schemes that need it, separated by spaces; "" if every scheme does."""

    field: BoundField
    schemes: str


@dataclass(frozen=True)
class Section:
    title: str
    entries: list[Entry]

    @property
    def is_of_guideline(self) -> bool:
        return self.title == GUIDELINE_SECTION


@dataclass(frozen=True)
class SchemeWords:
    """What annotators are asked under a scheme, and where the guideline can start from.

    options   the labels with their keys; none for a sheet
    purpose   the kind of pool that it is asked about
    newest    the study's newest guideline of the scheme; "" if there is none
    """

    name: str
    asks: str
    options: tuple[Option, ...]
    purpose: str
    newest: str
    has_template: bool


def sections(form: forms.Form) -> Iterator[Section]:
    """All visible fields of the form: those that no section names come last."""
    named = {name for names in SECTIONS.values() for name in names}
    others = tuple(name for name in form.fields if name not in named)
    for title, names in {**SECTIONS, LAST_SECTION: others}.items():
        entries = [
            Entry(form[name], _schemes_with(name))
            for name in names
            if name in form.fields and not form[name].is_hidden
        ]
        if entries:
            yield Section(title, entries)


def _schemes_with(field: str) -> str:
    compared = [name for name in schemes.names() if schemes.get(name).shows == Shows.PAIR]
    return " ".join(compared) if field == "opponents" else ""


def words_of_schemes(study: Study, names: list[str]) -> list[SchemeWords]:
    return [_words(study, schemes.get(name)) for name in names]


def _words(study: Study, scheme: Scheme) -> SchemeWords:
    return SchemeWords(
        name=scheme.name,
        asks=scheme.asks,
        options=scheme.options if isinstance(scheme, ChoiceScheme) else (),
        purpose=purpose_of(scheme).value,
        newest=newest_guideline(study, scheme.name),
        has_template=bool(scheme.guideline_template),
    )


def with_template(text: str, scheme: str) -> str:
    """The template of the scheme, below the text if there is one: nothing that was written is lost."""
    template = schemes.get(scheme).guideline_template
    unedited = {schemes.get(name).guideline_template.strip() for name in schemes.names()}
    written = text.replace("\r\n", "\n").strip()
    return template if written in unedited | {""} else f"{written}\n\n{template}"

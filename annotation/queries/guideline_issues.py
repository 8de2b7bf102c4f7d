"""Unclear sections of a guideline: how often each was marked while items were settled."""

from collections import Counter
from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.models import Batch, UnclearMark
from annotation.models.limits import LONGEST_SECTION
from pages import markdown

WHOLE = "the whole guideline"


def sections(text: str) -> list[str]:
    """The headings of a guideline in their order. Repeated headings get a number, so that all differ."""
    n_so_far: Counter[str] = Counter()
    headings = []
    for block in markdown.blocks(text):
        if block.kind != "heading":
            continue
        heading = "".join(span.text for span in block.spans).strip()[: LONGEST_SECTION - 6]
        n_so_far[heading] += 1
        headings.append(heading if n_so_far[heading] == 1 else f"{heading} ({n_so_far[heading]})")
    return headings


@dataclass(frozen=True)
class SectionCount:
    """A section (empty: the whole guideline) with the number of items at which it is marked."""

    section: str
    n_items: int

    @property
    def words(self) -> str:
        return self.section or WHOLE


def section_counts(batch: Batch) -> list[SectionCount]:
    """A count for the whole guideline of the batch and for each section in order, also those without a mark."""
    n_items = Counter(current_marks(batch).values_list("section", flat=True))
    known = ["", *sections(batch.guideline.text)]
    return [SectionCount(section, n_items[section]) for section in known]


def current_marks(batch: Batch) -> QuerySet[UnclearMark]:
    """The current marks in the batch: for each item and section the newest, unless it takes the mark back."""
    return UnclearMark.objects.filter(item__batch=batch, replaced_by=None, is_unclear=True)

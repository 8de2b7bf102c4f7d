"""Where a guideline is unclear: its sections, and how often each was marked while items were settled."""

from collections import Counter
from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.models import Batch, UnclearMark
from annotation.models.limits import LONGEST_SECTION
from pages import markdown

WHOLE = "the whole guideline"


def sections(text: str) -> list[str]:
    """The headings of a guideline in their order, each once: a second of the same words has a number."""
    seen: Counter[str] = Counter()
    found = []
    for block in markdown.blocks(text):
        if block.kind != "heading":
            continue
        heading = "".join(span.text for span in block.spans).strip()[: LONGEST_SECTION - 6]
        seen[heading] += 1
        found.append(heading if seen[heading] == 1 else f"{heading} ({seen[heading]})")
    return found


@dataclass(frozen=True)
class Unclear:
    """A section with the number of items at which it is marked; of an empty one the whole guideline."""

    section: str
    n_items: int

    @property
    def words(self) -> str:
        return self.section or WHOLE


def counted(batch: Batch) -> list[Unclear]:
    """Every section of the batch's guideline and the whole, as they stand in it; also those without a mark."""
    n_items = Counter(marks(batch).values_list("section", flat=True))
    known = ["", *sections(batch.guideline.text)]
    return [Unclear(section, n_items[section]) for section in known]


def marks(batch: Batch) -> QuerySet[UnclearMark]:
    """Those that stand: the newest of each item and section, unless it takes the mark back."""
    return UnclearMark.objects.filter(item__batch=batch, replaced_by=None, is_unclear=True)

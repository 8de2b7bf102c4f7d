"""What is warned of at the opening of a batch: annotation/queries/opening_warnings.py."""

from pathlib import Path

from annotation.models import Batch, Guideline
from annotation.queries.opening_warnings import (
    NO_GUIDELINE,
    OF_TEMPLATE,
    PLACEHOLDER,
    guideline_warnings,
)
from annotation.schemes import __path__ as folders
from tests.cases import all_cases

TEMPLATES = sorted(Path(folders[0], "guidelines").glob("*.md"))


@all_cases("path", TEMPLATES, ids=[each.stem for each in TEMPLATES])
def test_a_guideline_that_is_its_template_still_is_warned_of(path):
    batch = Batch(guideline=Guideline(text=path.read_text("utf-8")))

    assert guideline_warnings(batch) == [OF_TEMPLATE]


def test_a_guideline_with_examples_is_not_warned_of_and_none_is():
    assert guideline_warnings(Batch(guideline=Guideline(text="Judge. For example …"))) == []
    assert guideline_warnings(Batch(guideline=Guideline(text=""))) == [NO_GUIDELINE]
    assert PLACEHOLDER in OF_TEMPLATE

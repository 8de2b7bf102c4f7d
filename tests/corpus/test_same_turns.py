"""Which made questions of a new version are the same as before."""

import pytest

from corpus.readers import questions
from corpus.same_turns import Version, changes
from tests.corpus.made_questions import lines, passage, question
from tests.corpus.reader_files import write_file


@pytest.mark.parametrize(
    ("new", "changed"),
    [
        (question(section="Methods"), ()),
        (question(question="Where?"), ("question",)),
        (question(passage=passage(title="Weirs")), ("passages",)),
    ],
)
def test_a_corrected_section_leaves_a_question_the_same_and_a_corrected_title_does_not(
    tmp_path, new, changed
):
    after, before = (
        Version.from_records(questions.read(write_file(tmp_path, lines(each))))
        for each in (new, question())
    )

    assert changes("q1_1", after, before, after.other_texts(before), {}) == changed

"""The lines of formats that are written back as they were read, with the texts that were decided."""

import json

from corpus import clapnq
from corpus.readers.questions import line_of
from exports.curation.next_version import curated_line


def test_a_line_of_made_questions_has_the_decided_texts_and_keeps_the_rest():
    line = line_of({"id": "q1", "question": "Wie?", "answer": "So.", "type": "open", "maker": {}})

    curated = curated_line(line, {"question": "Wie, é?", "type": "recall"}, "questions")

    assert curated == line_of(
        {"id": "q1", "question": "Wie, é?", "answer": "So.", "type": "recall", "maker": {}}
    )


def test_a_line_of_clap_nq_has_the_decided_answer_in_place_of_the_first():
    output = [{"answer": ""}, {"answer": "Oil."}, {"answer": "Gas."}]
    line = clapnq.line_of({"id": "1", "input": "what", "passages": [], "output": output})

    curated = json.loads(curated_line(line, {"question": "what?", "answer": "Coal."}, "clapnq"))

    assert curated["input"] == "what?"
    assert [each["answer"] for each in curated["output"]] == ["", "Coal.", "Gas."]

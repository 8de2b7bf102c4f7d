"""ROUGE-L among answers, chosen sentences and passages of CLAP-NQ, as its paper gives it (Rosenthal et al. 2024)."""

from statistics import fmean

import pytest

from corpus import clapnq
from tests import real_data
from text.rouge import rouge_l

# Of 200 questions; (precision, recall, F1) in percent of the first against the second.
PUBLISHED = {
    ("chosen", "passage"): (100, 46, 61),
    ("answer", "chosen"): (92.5, 73, 80),
    ("answer", "passage"): (93.5, 34, 48),
}


@pytest.mark.real_data
@pytest.mark.parametrize("pair", PUBLISHED, ids=" in ".join)
def test_the_published_figures_are_met_within_a_point(pair):
    file = real_data.folder() / "clapnq" / "dev_answerable.jsonl"
    read = [clapnq.record_of(line) for line in file.read_text(encoding="utf-8").splitlines()]
    texts = [
        {
            "answer": first["answer"],
            "chosen": " ".join(first["selected_sentences"]),
            "passage": record["passages"][0]["text"],
        }
        for record in read
        for first in record["output"][:1]  # the first answer of each question
    ]

    said, of = pair
    found = [rouge_l(each[said], each[of]) for each in texts]

    means = [100 * fmean(values) for values in zip(*found, strict=True)]
    assert means == pytest.approx(PUBLISHED[pair], abs=1)

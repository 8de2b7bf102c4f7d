from annotation.design import screens
from corpus.models import Passage


def test_a_passage_on_a_screen_has_no_name():
    passage = Passage(docid="run7-rank1", title="Tofu", text="It is soy.", sentences=["It is soy."])

    assert screens._passage_payload(passage) == {
        "title": "Tofu",
        "text": "It is soy.",
        "sentences": ["It is soy."],
    }

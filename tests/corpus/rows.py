"""How much the corpus holds, to be compared before and after."""

from corpus.models import Answer, Citation, Conversation, Dataset, Offer, Passage, Run, Turn

TABLES = (Dataset, Conversation, Turn, Passage, Offer, Run, Answer, Citation)


def n_rows() -> dict[str, int]:
    return {model.__name__: model.objects.count() for model in TABLES}

"""The number of rows in the tables of the corpus, staged ones included."""

from corpus.models import Answer, Citation, Conversation, Dataset, Offer, Passage, Run, Turn

TABLES = (Dataset, Conversation, Turn, Passage, Offer, Run, Answer, Citation)


def n_rows() -> dict[str, int]:
    return {model.__name__: model._base_manager.count() for model in TABLES}

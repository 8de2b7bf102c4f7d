"""Names and messages of the code in words."""


def sentence(message: object) -> str:
    """Return an error's message as a sentence: `the job has ended` → `The job has ended.`"""
    text = str(message)
    return f"{text[:1].upper()}{text[1:]}."


def name_in_words(name: str) -> str:
    """Return a name in words: n_items becomes items. A file's name is returned unchanged."""
    if "." in name or "/" in name:
        return name
    return name.removeprefix("n_").replace("_", " ").replace("dataset", "data set")

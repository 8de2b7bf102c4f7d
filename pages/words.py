"""Names and messages of the code as pages show them."""


def sentence(message: object) -> str:
    """An error's message as a sentence: `the job has ended` → `The job has ended.`"""
    text = str(message)
    return f"{text[:1].upper()}{text[1:]}."


def name_in_words(name: str) -> str:
    """n_items: items. The name of a file is returned as it is."""
    if "." in name or "/" in name:
        return name
    return name.removeprefix("n_").replace("_", " ").replace("dataset", "data set")

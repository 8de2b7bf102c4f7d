"""What code says, as a page says it."""


def sentence(said: object) -> str:
    """An error's words as a sentence: `the job has ended` → `The job has ended.`"""
    text = str(said)
    return f"{text[:1].upper()}{text[1:]}."

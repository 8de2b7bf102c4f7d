def is_encodable(text: str) -> bool:
    """Return whether UTF-8 can encode the text; if not, no database can store it.

    Bytes that are not UTF-8 reach Python as surrogates.
    """
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)

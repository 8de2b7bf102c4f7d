def is_encodable(text: str) -> bool:
    """Whether UTF-8 can encode the text: bytes that are not UTF-8 reach Python, but no database takes them."""
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)

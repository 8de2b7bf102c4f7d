"""The cases of letters in a search."""


def spellings(word: str) -> list[str]:
    """Return the word, and where it has letters beyond ASCII also in small letters, in capitals, and capitalised.

    SQLite's LIKE, and PostgreSQL's under the locale C, take capital and small letters for the same in ASCII only. A
    word with other letters in both cases, such as "éÉ", is found as it is written.
    """
    if word.isascii():
        return [word]
    return list(dict.fromkeys((word, word.lower(), word.upper(), word.capitalize())))

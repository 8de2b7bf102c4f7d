"""The words of a question in a text, so that they can be highlighted.

A word of the text is highlighted if its stem is that of a word of the question; stop words never
are. Tokens, stop words and stems are those of the bags (text.bags, all of NLTK's stop words).
Nothing is changed: joined, the pieces are the text again.

>>> highlighted_pieces("The towers stood.", "What is a tower?")
[('The ', False), ('towers', True), (' stood.', False)]
"""

from text import bags


def highlighted_pieces(text: str, question: str) -> list[tuple[str, bool]]:
    """Split the text; each piece says whether it is a word of the question."""
    wanted = {stem for _, _, stem in _stems(question)}
    found: list[tuple[str, bool]] = []
    at = 0
    for start, end, stem in _stems(text):
        if stem not in wanted:
            continue
        if start > at:
            found.append((text[at:start], False))
        found.append((text[start:end], True))
        at = end
    if at < len(text):
        found.append((text[at:], False))
    return found


def _stems(text: str) -> list[tuple[int, int, str]]:
    """Return start, end and stem of each word that is not a stop word."""
    words = bags.located_words(text)
    stems = ((start, end, bags.stem(word, "paper")) for start, end, word in words)
    return [each for each in stems if each[2]]

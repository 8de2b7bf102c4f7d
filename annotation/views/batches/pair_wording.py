"""What a comparison of pairs comes to, in sentences."""

from annotation.design.pairs import Balance


def in_words(found: Balance) -> list[str]:
    """How often runs meet, and what keeps them from meeting."""
    said = []
    if found.least is not None:
        often = f"{found.least}" if found.least == found.most else f"{found.least} to {found.most}"
        said.append(f"Any two runs meet {often} times, in turn on either side.")
    if found.n_alone:
        said.append(f"{_questions(found.n_alone)} only one text as an answer: nothing to compare.")
    if found.n_one_text:
        said.append(
            f"{found.n_one_text} times two runs gave the same text: it stands on the screen once, counts for both,"
            " and they are not compared with each other."
        )
    if not found.is_connected:
        groups = "; ".join(", ".join(names) for names in found.apart)
        said.append(
            f"The runs fall into {len(found.apart)} groups that are never compared ({groups}): nothing will say"
            " which group is better."
        )
    return said


def _questions(n: int) -> str:
    return "1 question has" if n == 1 else f"{n} questions have"

"""The balance of a batch's pairs in words."""

from annotation.design.pairs import Balance


def balance_sentences(balance: Balance) -> list[str]:
    """How often runs meet, and why some do not."""
    sentences = []
    if balance.fewest_meetings is not None:
        fewest, most = balance.fewest_meetings, balance.most_meetings
        often = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        sentences.append(f"Any two runs meet {often} times, in turn on either side.")
    if balance.n_without_pair:
        sentences.append(
            f"{_questions(balance.n_without_pair)} only one text as an answer: nothing to compare."
        )
    if balance.n_same_text:
        sentences.append(
            f"{balance.n_same_text} times two runs gave the same text: it is on the screen once, counts for both,"
            " and they are not compared with each other."
        )
    if not balance.is_connected:
        groups = "; ".join(", ".join(names) for names in balance.groups)
        sentences.append(
            f"The runs fall into {len(balance.groups)} groups that are never compared ({groups}): nothing will say"
            " which group is better."
        )
    return sentences


def _questions(n: int) -> str:
    return "1 question has" if n == 1 else f"{n} questions have"

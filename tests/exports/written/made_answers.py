"""Written answers on plain values."""

from exports.written.answers import Shown, WrittenAnswer

SIX = Shown("q", "T", "a b c d b f", ("a", "b", "c", "d", "b", "f"))


def answer(
    text: str,
    *sentences: int,
    n: int = 1,
    person: str = "A1",
    round: int = 1,
    first: int = 1,
) -> WrittenAnswer:
    """An answer to one question; of round 2 to the judgement `first`."""
    return WrittenAnswer(
        judgement=n,
        turn=1,
        turn_id="1_1",
        batch="R",
        item_id="i",
        first_item_id="",
        annotator=person,
        round=round,
        first=first if round == 2 else None,
        outcome="answered" if text else "unanswerable",
        kept="",
        answer=text,
        sentences=sentences,
        minimal=False,
        reason="",
        active_seconds=1,
        shown=SIX,
    )

"""Batches of sheets with few words, and what somebody says of them."""

from html.parser import HTMLParser

from annotation.models import Batch, Guideline
from annotation.schemes import payloads
from tests.factories import BatchFactory, GuidelineFactory, ItemFactory

QUESTION = "Who built the lighthouse, and when was it lit for the first time?"
ANSWERS = (
    "Masons from the coast built the lighthouse, and it was first lit in 1702.",
    "I do not know.",
    "The lighthouse was designed by an engineer. Its lamp burnt oil at first, and later gas; it was lit for the"
    " first time in the autumn of 1702, and has been lit in every night since, but for two years of war.",
)
PASSAGES = (
    {
        "title": "Lighthouse",
        "text": "",
        "sentences": [
            "The lighthouse stands on a rock before the coast and was built by masons of the guild.",
            "It was lit for the first time in 1702, with oil.",
            "Keepers lived in it until the lamp was made to work by itself.",
        ],
    },
    {
        "title": "The keepers",
        "text": "Four keepers took turns. Their boat came once a week, where the weather let it.",
        "sentences": [],
    },
    {
        "title": "",
        "text": "A tower of the same name stands inland; nobody knows when it was first built.",
        "sentences": [],
    },
)


def content(n_answers: int = 3, n_passages: int = 1) -> dict:
    return payloads.payload(
        question=QUESTION,
        context=[],
        answers=ANSWERS[:n_answers],
        evidence=None,
        passages=PASSAGES[:n_passages],
    )


def batch_of_sheets(study, scheme="rating", n=1, *, payload: dict, **fields) -> Batch:
    """`payload` n times, each with a question of its own where there are several; there is no guideline to read."""
    empty = Guideline.objects.filter(study=study, scheme=scheme, text="").first()
    guideline = empty or GuidelineFactory(study=study, scheme=scheme, text="")
    made = BatchFactory(pool__dataset__study=study, scheme=scheme, guideline=guideline, **fields)
    for position in range(1, n + 1):
        asked = {**payload, "question": f"{payload['question']} ({position})"} if n > 1 else payload
        ItemFactory(batch=made, position=position, payload=asked)
    return made


def ratings(n_answers: int, n_passages: int = 1) -> dict[str, str]:
    """A whole rating: the first answer is faithful, and of several passages the first supports it."""
    said = {"confidence": "3"}
    for n in range(1, n_answers + 1):
        said[f"appropriate.{n}"] = str(1 + n % 4)
        said[f"faithful.{n}"] = "4" if n == 1 else "1"
    if n_passages > 1:
        said |= {f"relevant.{n}": "irrelevant" for n in range(2, n_passages + 1)}
        said |= {"relevant.1": "relevant", "supports.1.1": "yes"}
    return said


FIRST_PART = ("confidence", "appropriate", "unknown", "incoherent")


def first_part(said: dict[str, str]) -> dict[str, str]:
    """What of a rating is said before the passages are shown."""
    return {name: value for name, value in said.items() if name.split(".")[0] in FIRST_PART}


def second_part(said: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in said.items() if name.split(".")[0] not in FIRST_PART}


def hidden_fields(page) -> dict[str, str]:
    form = page.context["form"]
    return {
        "client_id": form["client_id"].value(),
        "shown_at": form["shown_at"].value(),
        "active_seconds": "",
        "comment": "",
    }


def fields_of(page) -> list[tuple[str, str]]:
    """What a browser without a script sends of the page: hidden fields, and what is set and not disabled."""
    parser = _Form()
    parser.feed(page.content.decode())
    return parser.fields


class _Form(HTMLParser):
    """The fields of the form #judgement: those in it, and those that name it."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: list[tuple[str, str]] = []
        self.is_in = self.is_disabled = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        of = dict(attributes)
        if tag == "form":
            self.is_in = of.get("id") == "judgement"
        elif tag == "fieldset":
            self.is_disabled = "disabled" in of
        is_ours = self.is_in or of.get("form") == "judgement"
        if tag != "input" or not is_ours or self.is_disabled:
            return
        is_set = of.get("type") not in ("radio", "checkbox") or "checked" in of
        if is_set and of.get("name"):
            self.fields.append((str(of["name"]), of.get("value") or ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.is_in = False
        elif tag == "fieldset":
            self.is_disabled = False

"""Generated questions and answers like real ones in length and variety, distinct within a turn."""

import random
from collections.abc import Iterator

N_SENTENCES = 4_000
MOST_TURNS = 11  # of a conversation
MOST_ANSWERS = 12  # of a turn


def _parts(text: str) -> list[str]:
    return text.split("|")


_THINGS = _parts(
    "the lighthouse|the old harbour|the treaty|the second album|the northern railway|the observatory|"
    "the garden city|the language reform|the first season|the stone bridge|the vaccine|the orchestra|"
    "the weaving mill|the grain market|the ferry line|the novel|the comet|the water tower|the choir|"
    "the salt road|the expedition|the university|the national park|the printing house"
)
_PEOPLE = _parts(
    "Ada Brandt|Matthias Okoro|Ines Valverde|John Tregarth|Yuki Hayashi|Elif Kaya|Søren Dahl|"
    "Margaret Osei|Luís Figueira|Chiara Montanari|Rania Haddad|Pavel Novák|the town council|"
    "the keepers' guild|a group of engineers|her younger brother|the royal commission"
)
_PLACES = _parts(
    "Bristol|the upper valley|Lisbon|the west coast|Åarhus|Kyoto|the province of Quebec|Izmir|Accra|"
    "the Baltic islands|New South Wales|the old quarter|Milan|the border region"
)
_DEEDS = _parts(
    "designed|rebuilt|abandoned|opened to the public|sold|renamed|recorded|defended|moved|restored|"
    "described for the first time|paid for|criticised|brought back into use"
)
_ENDS = _parts(
    "after a fire had destroyed the upper floors|although the costs were twice what had been planned|"
    "because the winters were too long for the work|and received an award for it in the same year|"
    "which is still disputed among historians|with the help of about three hundred volunteers|"
    "until the war put an end to it|as one can read in the letters of that time|"
    "and later wrote a book of 412 pages about it|so that ships of any size could enter at low tide"
)
_FIRST = _parts(
    "Who {deed} {thing} in {place}?|When was {thing} {deed}?|Why did {person} leave {place}?|"
    "What is {thing} in {place} known for?|How did {person} become famous?|"
    "Which part did {person} play in the history of {thing}?"
)
_LATER = _parts(
    "And what happened then?|Did they ever come back to {place}?|How long did it take?|Who paid for it?|"
    "Was it a success?|What did {person} say about it?|Are there any other interesting facts about {thing}?|"
    "Where can it be seen today?|How many people live there?|What else did they do in {year}?"
)
_SENTENCES = _parts(
    "It was {deed} by {person} in {year}.|{person} {deed} {thing} in {year}, {end}.|"
    "In {year}, {thing} was {deed}, {end}.|{place} is where {person} and {other} first met, {end}.|"
    "They {deed} {thing} together with {person}, {end}.|About {year} people came to see {thing}.|"
    "No.|Yes, {person} did.|According to {person}, {thing} near {place} was {deed} twice, {end}.|"
    "{other} said in {year} that {thing} had been {deed} too early."
)


class Texts:
    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        sentences = {self._filled_in(_SENTENCES) for _ in range(N_SENTENCES)}
        self._sentences = sorted(sentences)

    def conversation(self) -> list[str]:
        """Return the questions of one conversation; later ones refer to earlier ones."""
        n_later = self._random.randrange(MOST_TURNS)
        return [self._filled_in(_FIRST), *(self._filled_in(_LATER) for _ in range(n_later))]

    def answers(self) -> list[str]:
        """Return distinct answers to one question: one to three sentences each."""
        n = self._random.randint(1, MOST_ANSWERS)
        return list(dict.fromkeys(self._answer() for _ in range(n)))

    def _answer(self) -> str:
        return " ".join(self._random.choices(self._sentences, k=self._random.randint(1, 3)))

    def _filled_in(self, templates: list[str]) -> str:
        pick = self._random.choice
        return pick(templates).format(
            thing=pick(_THINGS),
            person=pick(_PEOPLE),
            other=pick(_PEOPLE),
            place=pick(_PLACES),
            deed=pick(_DEEDS),
            end=pick(_ENDS),
            year=self._random.randint(1650, 2020),
        )


def turns(texts: Texts, n_answers: int) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Yield conversations, each with its questions and the answers to each.

    They end when there are enough answers.
    """
    left = n_answers
    while left > 0:
        questions: list[str] = []
        answers: list[list[str]] = []
        for question in texts.conversation():
            if left > 0:
                questions.append(question)
                answers.append(texts.answers()[:left])
                left -= len(answers[-1])
        yield questions, answers

"""The spine once more, as plain Python: what docs/adr/0001-the-spine.md says, without rows or locks.

Where the database counts places on the item, the model counts only the shut ones and the wanted ones and
derives the others from what people hold and said: so the two can disagree. Time is a number of seconds.
"""

from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from typing import Any

DEPTH = 3  # items that a browser may hold
CLAIM_SECONDS = 60
N_EDITABLE = 3


class RefusedError(Exception):
    """The act is refused; `kind` is the name of the exception that the action raises."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


@dataclass(eq=False)
class Said:
    """A judgement."""

    claim: "Claim"
    number: int
    client_id: str
    label: str
    said_at: tuple[int, int]
    is_surplus: bool
    is_withdrawn: bool = False
    reviews: list[bool] = field(default_factory=list)

    @property
    def counts(self) -> bool:
        is_refused = bool(self.reviews) and not self.reviews[-1]
        return not (self.is_surplus or self.is_withdrawn or is_refused)


@dataclass(eq=False)
class Claim:
    """An assignment."""

    item: "Item"
    person: str
    claimed_at: int
    expires_at: int
    state: str = "claimed"
    said: list[Said] = field(default_factory=list)

    def standing(self) -> list[Said]:
        return [said for said in self.said if not said.is_withdrawn]


@dataclass(eq=False)
class Item:
    position: int
    n_wanted: int
    n_shut: int = 0
    claims: dict[str, Claim] = field(default_factory=dict)
    is_excluded: bool = False
    # What an adjudicator said last.
    adjudicated: str | None = None
    # The state, label or reason, source, rule and votes of the current verdict.
    verdict: tuple[Any, ...] | None = None

    @property
    def n_claimed(self) -> int:
        return sum(claim.state == "claimed" for claim in self.claims.values())

    @property
    def counted(self) -> list[Said]:
        return [said for claim in self.claims.values() for said in claim.said if said.counts]

    @property
    def n_open(self) -> int:
        return self.n_wanted - self.n_shut - self.n_claimed - len(self.counted)

    @property
    def round(self) -> int:
        return self.n_wanted - self.n_open

    @property
    def n_claimable(self) -> int:
        return 0 if self.is_excluded else self.n_open

    @property
    def places(self) -> tuple[int, int, int, int]:
        return self.n_wanted, self.n_open, self.n_claimed, len(self.counted)


class Spine:
    """A batch and what is done with it. Every act raises RefusedError where it is refused."""

    def __init__(
        self, people: list[str], n_items: int, n_wanted: int, *, is_fewest_first: bool
    ) -> None:
        self.people = people
        self.is_fewest_first = is_fewest_first
        self.items = [Item(position, n_wanted) for position in range(1, n_items + 1)]
        self.state = "open"
        self.now = 0
        self.cursors = dict.fromkeys(people, (0, 0))
        self.were_here: set[str] = set()
        self.paused: set[str] = set()
        self.n_said = 0

    @property
    def claims(self) -> list[Claim]:
        return [claim for item in self.items for claim in item.claims.values()]

    @property
    def late(self) -> list[Claim]:
        """Claims past their time that can still be submitted."""
        held = [claim for claim in self.claims if claim.state in ("claimed", "expired")]
        return [claim for claim in held if claim.expires_at < self.now]

    @property
    def n_wanted(self) -> int:
        return sum(item.n_wanted for item in self.items)

    @property
    def said(self) -> list[Said]:
        return [said for claim in self.claims for said in claim.said]

    # At the desk

    def feed(
        self, person: str, sent: list[tuple[Claim, str, str]], wanted: int
    ) -> tuple[list[str], list[Claim]]:
        """What becomes of each submission, and all that the person then holds."""
        if wanted:
            self._expire(claim for claim in self.claims if claim.expires_at < self.now)
        outcomes = [self._fed(person, *each) for each in sent]
        self.were_here.add(person)
        held = [c for c in self.claims if c.person == person and c.state == "claimed"]
        n_claimable = len([item for item in self.items if item.n_claimable > 0])
        is_dry = n_claimable <= DEPTH * len(self.were_here - self.paused)
        most = min(len(held) + wanted, DEPTH)
        most = min(most, 2) if is_dry and most > len(held) else most
        if not wanted:
            return outcomes, []
        if most > len(held) and self.state == "open" and person not in self.paused:
            return outcomes, self.claim(person, most)
        return outcomes, sorted(held, key=lambda claim: (claim.claimed_at, claim.item.position))

    def _fed(self, person: str, claim: Claim, client_id: str, label: str) -> str:
        if claim.person != person:
            return "refused"
        try:
            said = self.submit(claim, client_id, label)
        except RefusedError as error:
            return {"AlreadySubmittedError": "already", "NotClaimedError": "skipped"}[error.kind]
        if said.is_withdrawn:
            return "taken_back"
        if said.label != label:
            return "already"
        return "late" if said.is_surplus else "saved"

    def claim(self, person: str, n: int) -> list[Claim]:
        self._expire(claim for claim in self.claims if claim.expires_at < self.now)
        own = [claim for claim in self.claims if claim.person == person]
        held = [claim for claim in own if claim.state == "claimed"]
        held = sorted(held, key=lambda claim: (claim.claimed_at, claim.item.position))[:n]
        if len(held) < n and (self.state != "open" or person in self.paused):
            if not held:
                raise RefusedError("NothingToClaimError")
            self.were_here.add(person)
            return held
        self.were_here.add(person)
        expired = [claim for claim in own if claim.state == "expired"]
        again = [claim for claim in expired if claim.item.n_claimable > 0][: n - len(held)]
        for claim in again:
            claim.state, claim.expires_at = "claimed", self.now + CLAIM_SECONDS
        return held + again + self._hand_out(person, n - len(held) - len(again))

    def _hand_out(self, person: str, n: int) -> list[Claim]:
        fresh = [item for item in self.items if person not in item.claims and item.n_claimable > 0]
        turned = sorted(fresh, key=partial(self._place, self.cursors[person]))[:n]
        if turned:
            self.cursors[person] = (turned[-1].round, turned[-1].position)
        for item in turned:
            item.claims[person] = Claim(item, person, self.now, self.now + CLAIM_SECONDS)
        return [item.claims[person] for item in turned]

    def _place(self, cursor: tuple[int, int], item: Item) -> tuple[object, ...]:
        """The items in their order from the cursor on, and the rest in the same order after them."""
        if not self.is_fewest_first:
            return item.position <= cursor[1], item.position
        order = (item.round, item.position)
        return order <= cursor, order

    def _expire(self, claims: Any) -> None:
        for claim in list(claims):
            if claim.state == "claimed":
                claim.state = "expired"

    def submit(self, claim: Claim, client_id: str, label: str) -> Said:
        for said in claim.said:
            if said.client_id == client_id:
                return said
        if claim.state == "submitted":
            raise RefusedError("AlreadySubmittedError")
        if claim.state == "skipped":
            raise RefusedError("NotClaimedError")
        is_surplus = not self._has_a_place(claim)
        claim.state = "submitted"
        self.n_said += 1
        at = (self.now, self.n_said)
        claim.said.append(Said(claim, len(claim.said) + 1, client_id, label, at, is_surplus))
        return claim.said[-1]

    def _has_a_place(self, claim: Claim) -> bool:
        if self.state == "closed":
            return claim.state == "claimed" and self.now <= claim.expires_at
        return claim.state == "claimed" or claim.item.n_open > 0

    def skip(self, claim: Claim) -> None:
        if claim.state != "claimed":
            raise RefusedError("NotClaimedError")
        claim.state = "skipped"

    def take_back(self, said: Said) -> None:
        own = [each for each in self.said if each.claim.person == said.claim.person]
        standing = sorted((each for each in own if not each.is_withdrawn), key=lambda s: s.said_at)
        if self.state == "closed" or said.reviews or said not in standing[-N_EDITABLE:]:
            raise RefusedError("NotEditableError")
        said.is_withdrawn = True
        if said.is_surplus:
            said.claim.state = "expired"
            return
        said.claim.state, said.claim.expires_at = "claimed", self.now + CLAIM_SECONDS

    # Decisions

    def review(self, said: Said, is_counted: bool) -> None:
        item, before = said.claim.item, said.reviews[-1] if said.reviews else True
        if is_counted and not before:
            if said.is_surplus or said.is_withdrawn:
                raise RefusedError("ReviewError")
            if item.n_shut:
                item.n_shut -= 1
            elif not item.n_open:
                raise RefusedError("ReviewError")
        elif before and not is_counted and said.counts:
            item.n_shut += 1
        said.reviews.append(is_counted)

    def ask_again(self, item: Item) -> None:
        if item.is_excluded:
            raise RefusedError("ReviewError")
        if item.n_shut:
            item.n_shut -= 1
        else:
            item.n_wanted += 1
        if self.state == "closed":
            self.state = "open"

    def change(self, act: str) -> None:
        came_from, leads_to = {
            "pause": (["open"], "paused"),
            "resume": (["paused"], "open"),
            "close": (["open", "paused"], "closed"),
            "reopen": (["closed"], "open"),
        }[act]
        if self.state not in came_from:
            raise RefusedError("BatchError")
        self.state = leads_to

    def pause_person(self, person: str) -> None:
        if person in self.paused:
            raise RefusedError("PauseError")
        self.paused.add(person)
        self.were_here.add(person)

    def resume_person(self, person: str) -> None:
        if person not in self.paused:
            raise RefusedError("PauseError")
        self.paused.remove(person)

    def adjudicate(self, item: Item, label: str) -> None:
        if self.state != "closed" or item.is_excluded:
            raise RefusedError("ReviewError")
        item.adjudicated = label
        self._decide(item, "decided", label, "adjudication")

    def exclude(self, item: Item) -> None:
        if item.is_excluded:
            raise RefusedError("ReviewError")
        item.is_excluded = True
        self._decide(item, "set aside", "excluded", "decision")

    def readmit(self, item: Item) -> None:
        if not item.is_excluded:
            raise RefusedError("ReviewError")
        item.is_excluded = False
        if item.adjudicated is not None:
            self._decide(item, "decided", item.adjudicated, "adjudication")

    def _decide(self, item: Item, state: str, said: str, source: str) -> None:
        """What a person decides keeps the rule and the votes that it came upon."""
        rule, votes = item.verdict[3:] if item.verdict else ("", {})
        item.verdict = (state, said, source, rule, votes)

    def settle(self, rule: str, expire_claims: bool) -> tuple[int, int]:
        """How many verdicts are new, and how many of them replace one."""
        if self.state != "closed":
            raise RefusedError("SettleError")
        self._expire(claim for claim in self.claims if expire_claims or claim.expires_at < self.now)
        if any(claim.state == "claimed" for claim in self.claims):
            raise RefusedError("SettleError")
        n_new = n_superseded = 0
        for item in self.items:
            ending = self._ending(item, rule)
            is_adjudicated = item.verdict and item.verdict[2] == "adjudication"
            if item.is_excluded or is_adjudicated or item.verdict == ending:
                continue
            n_new += 1
            n_superseded += item.verdict is not None
            item.verdict = ending
        return n_new, n_superseded

    def _ending(self, item: Item, rule: str) -> tuple[Any, ...]:
        votes = dict(Counter(said.label for said in item.counted))
        n = sum(votes.values())
        needed = n if rule == "unanimous" else n // 2 + 1
        winners = [label for label, n_votes in votes.items() if n >= 2 and n_votes >= needed]
        who_skipped = {claim.person for claim in item.claims.values() if claim.state == "skipped"}
        if winners:
            state, said = "decided", winners[0]
        elif n >= 2:
            state, said = "disputed", ""
        elif not votes and who_skipped == set(self.people):
            state, said = "set aside", "skipped by all"
        else:
            state, said = "set aside", "too few judgements"
        return state, said, "consensus", rule, votes

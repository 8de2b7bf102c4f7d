"""What judgements cost, how long they take, and what an hour of them pays.

Amounts are Decimal and exact; seconds are active seconds of one judgement (see Judgement). What is not known
is None, and the words beside it say why. A floor is what somebody named says that an hour should pay at least:
US federal minimum (29 U.S.C. 206), and Prolific's lowest and recommended rates
(https://researcher-help.prolific.com, $8/£6 and $12/£9). No floor is made up by exchange rates.
"""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

# ISO 4217, with the sign before the amount.
SIGNS = {
    "USD": "$",
    "GBP": "£",
    "EUR": "€",
    "CHF": "CHF ",
    "CAD": "CA$",
    "AUD": "A$",
}
PLACES = 4  # of a reward, behind the point
SECONDS_PER_HOUR = 3600
CENT = Decimal("0.01")


@dataclass(frozen=True)
class Money:
    """An amount in a currency. In words with two to four places: $0.72, £1.00, $0.065."""

    amount: Decimal
    currency: str

    def __str__(self) -> str:
        shown = f"{self.amount:,.{PLACES}f}"
        whole, _, behind = shown.partition(".")
        return f"{self.sign}{whole}.{behind.rstrip('0').ljust(2, '0')}"

    def times(self, n: float | Decimal) -> "Money":
        return Money(self.amount * Decimal(str(n)), self.currency)

    @property
    def sign(self) -> str:
        return SIGNS[self.currency]

    @property
    def shortest(self) -> Decimal:
        """The amount without zeros behind it: 0.06 for 0.0600."""
        whole = self.amount.normalize()
        return whole.quantize(Decimal(1)) if whole == whole.to_integral_value() else whole

    @property
    def units(self) -> int:
        """In ten-thousandths, which a script can add up without rounding."""
        return int(self.amount.scaleb(PLACES).to_integral_value())


@dataclass(frozen=True)
class Floor:
    """What an hour should pay at least, and who says so."""

    name: str
    per_hour: Money


# By currency, the lowest first.
FLOORS = {
    "USD": (
        Floor("the US federal minimum", Money(Decimal("7.25"), "USD")),
        Floor("Prolific's floor", Money(Decimal(8), "USD")),
        Floor("what Prolific recommends", Money(Decimal(12), "USD")),
    ),
    "GBP": (
        Floor("Prolific's floor", Money(Decimal(6), "GBP")),
        Floor("what Prolific recommends", Money(Decimal(9), "GBP")),
    ),
}


def price(reward: Decimal | None, currency: str) -> Money | None:
    """The price of one judgement; None where it is unpaid."""
    return None if reward is None else Money(reward, currency)


def hours(n: float, seconds: float) -> float:
    """How long `n` judgements of so many seconds take, in hours of one person: 120 of 30 s are 1.0."""
    return n * seconds / SECONDS_PER_HOUR


def work_time(hours: float) -> str:
    """In words: 12 min below an hour, else 1.6 hours; below half a minute "less than a minute"."""
    minutes = round(hours * 60)
    if minutes < 1:
        return "less than a minute"
    return f"{minutes} min" if minutes < 60 else f"{hours:,.1f} hours"


@dataclass(frozen=True)
class Wage:
    """What an hour of judging pays.

    per_hour   rounded to the cent; None where no time is known
    met        the floors of the currency that it reaches, the lowest first
    missed     those above it
    """

    per_hour: Money | None
    met: tuple[Floor, ...] = ()
    missed: tuple[Floor, ...] = ()

    @property
    def is_low(self) -> bool:
        """Whether it is under a floor that is more than a recommendation."""
        return len(self.missed) > 1

    @property
    def against(self) -> str:
        """The wage compared with the floors, in words."""
        if self.per_hour is None:
            return "no time is known yet"
        if not self.met and not self.missed:
            return f"no floor is known for {self.per_hour.currency}"
        if self.missed:
            return f"under {_named(self.missed[0])}"
        return f"at or above {_named(self.met[-1])}"


def _named(floor: Floor) -> str:
    return f"{floor.name}, {floor.per_hour}"


def wage(reward: Money, seconds: float | None) -> Wage:
    """reward * 3600 / seconds, beside the floors of the currency.

    Right: $0.06 in 30 s is $7.20 an hour. Wrong: the mean of each judgement's own wage, in which a single
    quick one weighs the most. Of no time, and of a median of 0 s, it is undefined.
    """
    if not seconds:
        return Wage(None)
    exact = reward.amount * SECONDS_PER_HOUR / Decimal(str(seconds))
    floors = FLOORS.get(reward.currency, ())
    return Wage(
        Money(exact.quantize(CENT, ROUND_HALF_UP), reward.currency),
        met=tuple(each for each in floors if each.per_hour.amount <= exact),
        missed=tuple(each for each in floors if each.per_hour.amount > exact),
    )

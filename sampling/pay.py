"""Cost and duration of judgements, and the hourly pay for them.

Amounts are Decimal and exact; seconds are active seconds of one judgement (see Judgement). An
unknown value is None, with a reason. A floor is the least that a named source says an hour should
pay: US federal minimum (29 U.S.C. 206), and Prolific's lowest and recommended rates
(https://researcher-help.prolific.com, $8/£6 and $12/£9). No floor is derived by exchange rates.
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
    """An amount in a currency. In words with two to four decimals: $0.72, £1.00, $0.065."""

    amount: Decimal
    currency: str

    def __str__(self) -> str:
        text = f"{self.amount:,.{PLACES}f}"
        whole, _, behind = text.partition(".")
        return f"{self.sign}{whole}.{behind.rstrip('0').ljust(2, '0')}"

    def times(self, n: float | Decimal) -> "Money":
        return Money(self.amount * Decimal(str(n)), self.currency)

    @property
    def sign(self) -> str:
        return SIGNS[self.currency]

    @property
    def shortest(self) -> Decimal:
        """Return the amount without trailing zeros: 0.06 for 0.0600."""
        whole = self.amount.normalize()
        return whole.quantize(Decimal(1)) if whole == whole.to_integral_value() else whole

    @property
    def units(self) -> int:
        """Return the amount in ten-thousandths, which a script can add up without rounding."""
        return int(self.amount.scaleb(PLACES).to_integral_value())


@dataclass(frozen=True)
class Floor:
    """The least that an hour should pay, and the source that says so."""

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
    """Return the price of one judgement; None if it is unpaid."""
    return None if reward is None else Money(reward, currency)


def hours(n: float, seconds: float) -> float:
    """Return the duration of `n` judgements, in hours of one person: 120 of 30 s are 1.0."""
    return n * seconds / SECONDS_PER_HOUR


def work_time(hours: float) -> str:
    """Return hours in words: 12 min below an hour, else 1.6 hours.

    "less than a minute" below half a minute.
    """
    minutes = round(hours * 60)
    if minutes < 1:
        return "less than a minute"
    return f"{minutes} min" if minutes < 60 else f"{hours:,.1f} hours"


@dataclass(frozen=True)
class Wage:
    """The hourly pay for judging.

    per_hour   rounded to the cent; None if no time is known
    met        the floors of the currency that it reaches, the lowest first
    missed     those above it
    """

    per_hour: Money | None
    met: tuple[Floor, ...] = ()
    missed: tuple[Floor, ...] = ()

    @property
    def is_low(self) -> bool:
        """Return whether it is below a floor that is more than a recommendation."""
        return len(self.missed) > 1

    @property
    def against(self) -> str:
        """Return the comparison of the wage with the floors, in words."""
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
    """Return reward * 3600 / seconds, with the floors of the currency.

    Right: $0.06 in 30 s is $7.20 an hour. Wrong: the mean of each judgement's own wage, in which a
    single quick one has the greatest weight. Undefined without a time, and for a median of 0 s.
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

"""What people are told before they work: what a judgement pays, how long it takes, who asks."""

from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from accounts.models import Study, User
from annotation.models import Batch, BatchState
from sampling import pay
from sampling.pay import Money


@dataclass(frozen=True)
class Contact:
    """The name and the address of who asks for judgements; `href` is "" if the address is neither e-mail nor web."""

    name: str
    address: str

    @property
    def href(self) -> str:
        if self.address.startswith(("https://", "http://")):
            return self.address
        try:
            validate_email(self.address)
        except ValidationError:
            return ""
        return f"mailto:{self.address}"


@dataclass(frozen=True)
class WorkTerms:
    """The terms of one batch. `per_hour` is what an hour pays at the expected pace; None: unpaid."""

    batch: Batch
    price: Money | None
    seconds: int
    per_hour: Money | None
    contact: Contact


def contact_of(study: Study, default: User) -> Contact:
    """The contact of the study; of one that names nobody, the default by user name."""
    return Contact(study.contact_name or default.username, study.contact_address)


def terms_of(batch: Batch) -> WorkTerms:
    price, seconds = batch.price, batch.expected_seconds
    return WorkTerms(
        batch=batch,
        price=price,
        seconds=seconds,
        per_hour=pay.wage(price, seconds).per_hour if price else None,
        contact=contact_of(batch.study, batch.created_by),
    )


def terms_in(study: Study) -> list[WorkTerms]:
    """The terms of the batches that are open to every annotator of the study, in the order of opening."""
    opened = study.batches.filter(
        state__in=(BatchState.OPEN, BatchState.PAUSED), is_rehearsal=False, qualification=None
    )
    return [terms_of(batch) for batch in opened.select_related("study", "created_by")]

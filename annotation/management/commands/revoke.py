from collections.abc import Mapping
from typing import Any

from annotation.actions import qualifications
from annotation.commands import StandingCommand


class Command(StandingCommand):
    help = "Revoke a qualification of people: their open claims go back, what they judged stays."

    def decide(self, **options: Any) -> Mapping[str, Any]:
        revocation = qualifications.revoke(**options)
        return {"n_revoked": len(revocation.rows), "n_given_back": revocation.n_given_back}

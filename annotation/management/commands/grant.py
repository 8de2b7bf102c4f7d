from collections.abc import Mapping
from typing import Any

from annotation.actions import qualifications
from annotation.commands import StandingCommand


class Command(StandingCommand):
    help = "Grant a qualification to people: they can work on the batches that ask for it."

    def decide(self, **options: Any) -> Mapping[str, Any]:
        return {"n_granted": len(qualifications.grant(**options))}

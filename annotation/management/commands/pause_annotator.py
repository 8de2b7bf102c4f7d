from typing import Any

from annotation.actions import pauses, study_pauses
from annotation.commands import PauseCommand
from annotation.models import Pause


class Command(PauseCommand):
    help = (
        "Pause an annotator in a batch or in the whole study: no new items until resume_annotator."
    )

    def decide(self, **options: Any) -> Pause:
        return pauses.pause(**options)

    def decide_in_study(self, **options: Any) -> list[Pause]:
        return study_pauses.pause(**options)

from typing import Any

from annotation.actions import pauses
from annotation.commands import PauseCommand
from annotation.models import Pause


class Command(PauseCommand):
    help = "Hand one person nothing more of a batch, until resume_annotator."

    def decide(self, **options: Any) -> Pause:
        return pauses.pause(**options)

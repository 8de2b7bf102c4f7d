from typing import Any

from annotation.actions import pauses
from annotation.commands import PauseCommand
from annotation.models import Pause


class Command(PauseCommand):
    help = "Resume a paused annotator in a batch."

    def decide(self, **options: Any) -> Pause:
        return pauses.resume(**options)

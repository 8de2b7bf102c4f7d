from typing import Any

from annotation.actions import pauses
from annotation.commands import PauseCommand
from annotation.models import Pause


class Command(PauseCommand):
    help = "Hand a paused person items of a batch again."

    def decide(self, **options: Any) -> Pause:
        return pauses.resume(**options)

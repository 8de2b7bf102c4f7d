from typing import Any

from annotation.actions import pausing
from annotation.commands import PauseCommand
from annotation.models import Pause


class Command(PauseCommand):
    help = "Hand a paused person items of a batch again."

    def decide(self, **asked: Any) -> Pause:
        return pausing.resume(**asked)

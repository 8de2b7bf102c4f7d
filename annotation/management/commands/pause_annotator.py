from typing import Any

from annotation.actions import pauses
from annotation.commands import PauseCommand
from annotation.models import Pause


class Command(PauseCommand):
    help = "Pause an annotator in a batch: no new items until resume_annotator."

    def decide(self, **options: Any) -> Pause:
        return pauses.pause(**options)

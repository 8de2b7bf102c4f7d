from typing import Any

from sampling.actions import curation_pools
from sampling.forms.curation import CurationForm
from sampling.management.commands import draw_writing
from sampling.models import Pool


class Command(draw_writing.Command):
    help = "Draw random questions with their passages, for people to keep, edit or reject them."
    form_class = CurationForm

    def draw(self, **asked: Any) -> Pool:
        return curation_pools.draw_curation(**asked)

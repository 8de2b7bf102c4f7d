"""What the tests of written answers begin with; tests.parts says how it is made."""

from pathlib import Path

from accounts.models import Study, User
from corpus.models import Dataset
from tests.exports.written import rounds
from tests.parts import part


@part
def lights(study: Study, folder: Path, bob: User, dora: User) -> Dataset:
    """Questions of which two people wrote the answers in two rounds."""
    return rounds.two_rounds(study, folder, bob, dora)

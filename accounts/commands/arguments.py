"""Arguments of commands. Raises CommandError for objects that do not exist."""

import sys
from argparse import ArgumentTypeError
from collections.abc import Callable
from pathlib import Path

from django.core.management.base import CommandError

from accounts.models import Study, User
from text.encoding import is_encodable


def study_by_slug(slug: str) -> Study:
    study = Study.objects.select_related("created_by").filter(slug=slug).first()
    if study is None:
        raise CommandError(f"there is no study {slug}: make it with create_study")
    return study


def user_by_name(name: str) -> User:
    user = User.objects.filter(username=name).first()
    if user is None:
        raise CommandError(f"there is no user {name}: make them with create_user")
    return user


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """Return an argparse type: a whole number from `least` to `most`, both included."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError as error:
            raise ArgumentTypeError(f"{text} is not a whole number") from error
        if not least <= number <= most:
            raise ArgumentTypeError(f"{text} is not between {least} and {most}")
        return number

    return read


def number(least: float, most: float) -> Callable[[str], float]:
    """Return an argparse type: a number from `least` to `most`, both included."""

    def read(text: str) -> float:
        try:
            found = float(text)
        except ValueError as error:
            raise ArgumentTypeError(f"{text} is not a number") from error
        if not least <= found <= most:  # nan is in no range
            raise ArgumentTypeError(f"{text} is not between {least} and {most}")
        return found

    return read


def existing_file(name: str) -> Path:
    """Return the absolute path of a readable file: a worker may have another working folder."""
    path = Path(name)
    try:
        if not path.is_file():
            raise CommandError(f"there is no file {name}")
        path.open("rb").close()
        return _require_utf8(path.resolve())
    except OSError as error:
        raise CommandError(f"the file {name} cannot be read ({error.strerror})") from error


def existing_folder(name: str) -> Path:
    path = Path(name)
    try:
        if not name or not path.is_dir():
            raise CommandError(f"there is no folder {name}")
        return _require_utf8(path.resolve())
    except OSError as error:
        raise CommandError(f"the folder {name} cannot be read ({error.strerror})") from error


def _require_utf8(path: Path) -> Path:
    """Return the path. Raises CommandError if it is not UTF-8 and so cannot be stored with the job.

    A relative path may lie in a folder with such a name.
    """
    if not is_encodable(str(path)):
        raise CommandError(f"{str(path)!a}: the name is not UTF-8; rename it first")
    return path


def password_from_stdin() -> str:
    try:
        password = sys.stdin.readline().rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise CommandError("--password-stdin: the password is not UTF-8") from error
    if not password.strip():
        raise CommandError("--password-stdin: there is no password on standard input")
    if not is_encodable(password):
        raise CommandError("--password-stdin: the password is not UTF-8")
    return password

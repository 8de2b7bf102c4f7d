"""What all commands share: how they are called, who acts in which study, how the outcome is said."""

from accounts.commands.arguments import (
    existing_file,
    existing_folder,
    number,
    password_from_stdin,
    person_called,
    study_called,
    whole_number,
)
from accounts.commands.base import TouchstoneCommand, require_migrated
from accounts.commands.study import StudyCommand, SummaryCommand

__all__ = [
    "StudyCommand",
    "SummaryCommand",
    "TouchstoneCommand",
    "existing_file",
    "existing_folder",
    "number",
    "password_from_stdin",
    "person_called",
    "require_migrated",
    "study_called",
    "whole_number",
]

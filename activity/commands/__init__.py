"""What all commands share: how they are called, who acts in which study, how the outcome is said."""

from activity.commands.acting import JobCommand, StudyCommand, SummaryCommand
from activity.commands.arguments import (
    existing_file,
    existing_folder,
    number,
    password_from_stdin,
    person_called,
    study_called,
    whole_number,
)
from activity.commands.base import TouchstoneCommand, require_migrated

__all__ = [
    "JobCommand",
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

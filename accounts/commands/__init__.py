"""Base classes and arguments of all commands."""

from accounts.commands.administration import AdministratorCommand
from accounts.commands.arguments import (
    existing_file,
    existing_folder,
    number,
    password_from_stdin,
    study_by_slug,
    user_by_name,
    whole_number,
)
from accounts.commands.base import TouchstoneCommand, require_migrated
from accounts.commands.forms import FormCommand, Option
from accounts.commands.study import USER, Named, StudyCommand, SummaryCommand

__all__ = [
    "USER",
    "AdministratorCommand",
    "FormCommand",
    "Named",
    "Option",
    "StudyCommand",
    "SummaryCommand",
    "TouchstoneCommand",
    "existing_file",
    "existing_folder",
    "number",
    "password_from_stdin",
    "require_migrated",
    "study_by_slug",
    "user_by_name",
    "whole_number",
]

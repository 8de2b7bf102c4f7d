"""Errors of a database that is away or busy, and their messages."""

from django.db import InterfaceError, OperationalError

DATABASE_ERRORS = (OperationalError, InterfaceError)


def database_error_message(error: Exception) -> str:
    return f"the database is busy or cannot be reached ({' '.join(str(error).split())})"

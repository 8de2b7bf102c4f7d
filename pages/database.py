"""What a database that is away or busy raises, and how it is said."""

from django.db import InterfaceError, OperationalError

DATABASE_ERRORS = (OperationalError, InterfaceError)


def database_error_message(error: Exception) -> str:
    return f"the database is busy or cannot be reached ({' '.join(str(error).split())})"

"""The error that refuses a backup or its restoration."""


class BackupError(Exception):
    """There is no backup, or nothing was restored; the message says why and what to do."""

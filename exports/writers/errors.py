"""The error that refuses a release."""


class ReleaseError(Exception):
    """The release cannot be made; the message says why and what to do."""

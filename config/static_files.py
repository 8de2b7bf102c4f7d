"""Names and delivery of static files."""

from whitenoise.storage import CompressedManifestStaticFilesStorage as Hashed


class HashedStaticFiles(Hashed):  # type: ignore[misc]
    """Storage that names every file by its content, also where one of our scripts imports another.

    Browsers cache all files for ever, and no file works with another version of its neighbour.
    """

    # Django's own switch for this looks into every app's scripts, and stumbles over those of django_htmx.
    patterns = (*Hashed.patterns, ("js/*.js", Hashed._js_module_import_aggregation_patterns[1]))

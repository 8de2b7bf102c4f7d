"""Names and delivery of static files."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage as Hashed

from config.script_bundles import BundleError, bundle

# Each is delivered as one file with what it imports: a reply for each module would double a first visit.
BUNDLES = ("js/desk/main.js", "js/unsent.js")
Found = Mapping[str, tuple[Any, str]]  # storage and path there, by path


class HashedStaticFiles(Hashed):  # type: ignore[misc]
    """Storage that names every file by its content, also where one of our scripts imports another.

    Browsers cache all files for ever, and no file works with another version of its neighbour.
    """

    # Django's own switch for this looks into every app's scripts, and stumbles over those of django_htmx.
    patterns = (*Hashed.patterns, ("js/*.js", Hashed._js_module_import_aggregation_patterns[1]))
    # A pass gives the final names to scripts that import only scripts with final names, so that a chain of
    # imports takes as many passes as it is long. It ends as soon as all are final.
    max_post_process_passes = 100

    def post_process(self, paths: Found, *args: Any, **options: Any) -> Iterator[Any]:
        yield from super().post_process({**paths, **bundles(paths)}, *args, **options)


def bundles(paths: Found) -> Found:
    """Return the bundles whose files are there. Raises BundleError."""
    made = InMemoryStorage()
    found = {}
    for name in BUNDLES:
        if name in paths:
            content = bundle(name, partial(_text, paths, name))
            found[name] = (made, made.save(name, ContentFile(content.encode())))
    return found


def _text(paths: Found, importer: str, path: str) -> str:
    if path not in paths:
        raise BundleError(f"{importer} imports {path}, which is not there")
    storage, place = paths[path]
    with storage.open(place) as file:
        return str(file.read().decode())

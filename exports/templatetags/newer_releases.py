"""Which releases are not the newest of their kind, for the pages that show them."""

from django import template

from accounts.models import Study
from exports.models import Release

register = template.Library()


@register.simple_tag
def newer_releases(study: Study) -> dict[int, int]:
    """Return the number of the newest release by the primary key of each earlier one; a withdrawn one is not newer.

    They are of the same kind: of the same data set in any version, or both of the comparison; real or rehearsed.
    """
    rows = study.releases.order_by("number").values_list(
        "pk", "number", "is_withdrawn", "contents", "dataset__name", "is_rehearsal"
    )
    newest: dict[tuple[object, ...], int] = {}
    releases: list[tuple[int, int, tuple[object, ...]]] = []
    for pk, number, is_withdrawn, *kind in rows:
        releases.append((pk, number, tuple(kind)))
        if not is_withdrawn:
            newest[tuple(kind)] = number
    return {pk: newest[kind] for pk, number, kind in releases if newest.get(kind, 0) > number}


@register.filter
def newest_after(newer: dict[int, int], release: Release) -> int | None:
    """Return the number of the newest release of this one's kind, of `newer_releases`; None if it is this one."""
    return newer.get(release.pk)

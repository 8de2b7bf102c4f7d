"""The same act by eight requests at the same moment: it is done once, and the others are told."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.attack.site import Found, Reply, Site

N = 8
# In this order, each begins where the one before it ended: who, the address's name, the fields.
ACTS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("requester", "study_new", {"slug": "twice", "title": "Twice"}),
    ("requester", "flag_answer", {"text": "It is not."}),
    ("requester", "invitation_revoke", {}),
    ("requester", "item_exclude", {"exclude-reason": "Broken."}),
    ("requester", "item_readmit", {"readmit-reason": "Whole."}),
    ("requester", "annotator_pause", {"where": "batch", "reason": "Too fast."}),
    ("requester", "annotator_resume", {"reason": "Asked."}),
    ("requester", "batch_pause", {}),
    ("requester", "batch_resume", {}),
    ("requester", "batch_close", {}),
    ("requester", "batch_reopen", {}),
    ("requester", "job_cancel", {}),
    ("requester", "token_revoke", {}),
    ("administrator", "user_deactivate", {}),
    ("administrator", "user_reactivate", {}),
)


def acts(site: Site) -> Found:
    found = Found("the same act eight times at once")
    paths = {each.name: each.path for each in site.targets}
    for person, name, fields in ACTS:
        before = _events(site)

        def send(
            _: int, path: str = paths[name], person: str = person, fields: dict[str, Any] = fields
        ) -> Reply:
            return site.ask("POST", path, person=person, fields=fields)

        with ThreadPoolExecutor(N) as together:
            replies = list(together.map(send, range(N)))
        done = _events(site) - before
        found.tried(bool(done), f"{name}: nothing was done; {[each.status for each in replies]}")
        for reply in replies:
            right = reply.status < 500 and set(done.values()) <= {1}
            found.tried(right, f"{name}: {reply.status}, done {dict(done)}")
    return found


def _events(site: Site) -> Counter[tuple[str, str]]:
    """Return how often each act is on record, by verb and target: one act may revoke several links."""
    rows = site.installation.query("SELECT verb, target, count(*) FROM audit_event GROUP BY 1, 2")
    return Counter({(verb, target): n for verb, target, n in rows})

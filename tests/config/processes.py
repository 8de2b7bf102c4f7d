"""What runs, as the kernel tells it."""

from pathlib import Path

ENDED = "Z"  # it has ended, and whoever started it has not asked yet


def _stat(pid: int) -> list[str]:
    """State, parent, process group, session …; nothing for a process that has ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return []
    fields = text.rpartition(")")[2].split()
    return [] if fields[0] == ENDED else fields


def is_there(pid: int) -> bool:
    return bool(_stat(pid))


def in_session(session: int) -> list[int]:
    """Whoever leads the session, if it is there still, and everything that it started."""
    pids = [int(entry.name) for entry in Path("/proc").glob("[0-9]*")]
    return [pid for pid in pids if _stat(pid)[3:4] == [str(session)]]


def children(parent: int) -> list[int]:
    return [pid for pid in in_session(parent) if _stat(pid)[1:2] == [str(parent)]]

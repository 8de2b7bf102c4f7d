"""Processes as the kernel sees them: memory, time, loaded modules."""

import os
import re
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_COMPILED = re.compile(r"/site-packages/([^/\n]+)/.*\.so")


def in_session(session: int) -> list[int]:
    """Return the session's leader and all processes that it started."""
    return [pid for pid in _all() if _stat(pid)[3:4] == [str(session)]]


def of_database(name: str) -> list[int]:
    """Return PostgreSQL's processes that serve this database: their title contains its name."""
    word = re.compile(rf"\b{re.escape(name)}\b") if name else None
    return [
        pid
        for pid in _all()
        if word and (title := _text(pid, "cmdline")).startswith("postgres:") and word.search(title)
    ]


def cpu_seconds(pids: list[int]) -> float:
    """Return the processor time of those that are alive, with that of their ended children."""
    fields = [_stat(pid) for pid in pids]
    return sum(sum(map(int, each[11:15])) for each in fields if each) / _TICKS


def machine_seconds() -> float:
    """Return the processor time that the whole machine has used."""
    first = Path("/proc/stat").read_text(encoding="utf-8").partition("\n")[0].split()
    user, nice, system, _idle, _waits, irq, softirq, steal = map(int, first[1:9])
    return (user + nice + system + irq + softirq + steal) / _TICKS


def resident_mb(pids: list[int]) -> float:
    """Return the maximum memory that any one of them ever had."""
    held = [re.search(r"VmHWM:\s+(\d+) kB", _text(pid, "status")) for pid in pids]
    return max((int(each[1]) / 1000 for each in held if each), default=0.0)


def loaded(pids: list[int]) -> list[str]:
    """Return packages whose compiled parts any of them has in memory.

    Each of the heavy ones has such parts.
    """
    return sorted({name for pid in pids for name in _COMPILED.findall(_text(pid, "maps"))})


def _all() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").glob("[0-9]*")]


def _stat(pid: int) -> list[str]:
    """Return state, parent, process group, session …; empty for an ended process."""
    return _text(pid, "stat").rpartition(")")[2].split()


def _text(pid: int, what: str) -> str:
    try:
        return Path(f"/proc/{pid}/{what}").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""

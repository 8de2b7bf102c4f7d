"""One person at the desk, in a process of its own, for one task after the other.

    python -m tests.annotation.desk_worker

It reads a task as a line of JSON ('{"task": "work", "batch": 1, "by": "bob", …}'), says "ready" once its
connection stands, waits for a line, does the task (desk_tasks.py) and writes what came of it as JSON. It
ends with its input. Tests let several work on their database at once (racing.py).
"""

import json
import sys

import django


def main() -> None:
    django.setup()
    from django.db import connection  # noqa: PLC0415  only after the setup

    from tests.annotation.desk_tasks import TASKS  # noqa: PLC0415  only after the setup

    for line in iter(sys.stdin.readline, ""):
        options = json.loads(line)
        task = TASKS[options.pop("task")]
        connection.ensure_connection()
        print("ready", flush=True)  # noqa: T201  this is how it speaks
        sys.stdin.readline()
        reported = json.dumps(task(**options))
        connection.close()
        print(reported, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()

"""One person at the desk, in a process of its own.

    python -m tests.annotation.desk_worker '{"task": "work", "batch": 1, "by": "bob", …}'

It says "ready" once its connection stands, waits for a line, does the task (desk_tasks.py) and prints what
came of it as JSON. Tests start several on their database and let them go at once (racing.py).
"""

import json
import sys

import django


def main() -> None:
    django.setup()
    from django.db import connection  # noqa: PLC0415  only after the setup

    from tests.annotation.desk_tasks import TASKS  # noqa: PLC0415  only after the setup

    options = json.loads(sys.argv[1])
    task = TASKS[options.pop("task")]
    connection.ensure_connection()
    print("ready", flush=True)  # noqa: T201  this is how it speaks
    sys.stdin.readline()
    print(json.dumps(task(**options)))  # noqa: T201


if __name__ == "__main__":
    main()

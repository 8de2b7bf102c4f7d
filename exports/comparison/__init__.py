"""Systems' answers compared by people: what their judgements say of the runs. Plain Python."""

"""What a database has besides rows, in a form in which two databases can be compared."""

import re
from collections import Counter

from tests.jobs.installation import Installation

# Words in quotes, and commas outside of parentheses and quotes.
TOKENS = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|[(),]|[^'\"(),]+")
POSTGRESQL = """
    SELECT 'column', table_name, concat_ws(' ', column_name, data_type, character_maximum_length,
        is_nullable, column_default, is_identity)
    FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT 'index', tablename, indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT 'constraint', conrelid::regclass::text, pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
"""
# Names that Django makes of a hash of the columns in their order, and of what the database numbers itself.
MADE_NAMES = re.compile(r"\b(\w+_[0-9a-f]{8}(_\w+)?|\w+_(pkey|key\d*|id_seq))\b")
# After a dump PostgreSQL writes the same condition with these in other places.
CASTS = re.compile(r"::(text|character varying)|[()]|\[\]")


def schema(place: Installation) -> Counter[tuple[str, str]]:
    """Return each (table, column, index or constraint) with how often it is there, whatever their order."""
    if place.database.startswith("sqlite:"):
        rows = place.query("SELECT tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        return Counter(
            (table, _without_made_names(clause)) for table, sql in rows for clause in clauses(sql)
        )
    return Counter(
        (f"{table} {kind}", CASTS.sub("", _without_made_names(definition)))
        for kind, table, definition in place.query(POSTGRESQL)
    )


def clauses(sql: str) -> list[str]:
    """Return the parts of a CREATE TABLE between the outermost commas; any other statement whole."""
    if not sql.startswith("CREATE TABLE"):
        return [sql]
    found, depth = [""], 0
    for token in TOKENS.findall(sql.partition("(")[2].rpartition(")")[0]):
        depth += {"(": 1, ")": -1}.get(token, 0)
        if token == "," and not depth:
            found.append("")
        else:
            found[-1] += token
    return [each.strip() for each in found]


def _without_made_names(definition: str) -> str:
    return MADE_NAMES.sub("…", definition)

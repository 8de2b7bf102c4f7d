"""The size of the tree counts what its docstring says."""

from pathlib import PurePosixPath

from bench import house

TEXTS = {
    PurePosixPath(path): text
    for path, text in {
        "stats/a.py": "def f():\n    def g():\n        return 1\n\n    return g\n",
        "stats/__init__.py": "",
        "jobs/management/commands/run.py": "x = 1\n" * 52,
        "jobs/management/commands/_parts.py": "class A:\n    async def f(self): ...\n",
        "jobs/migrations/0001_initial.py": "x = 1\n" * 100,
        "templates/a.html": "<p>\n</p>\n",
        "static/a.js": "1;\n",
        "tests/test_a.py": "def test_a(): ...\ndef help(): ...\n",
        "bench/load.py": "x = 1\n",
        "docs/adr/0001.md": "one two\n",
        "README.md": "three | four |\n",
        "LICENSE.md": "five\n",
    }.items()
}


def test_each_measure_is_of_its_files():
    assert dict(house.measures(TEXTS)) == {
        "lines of product, .html": "2 in 1 files",
        "lines of product, .js": "1 in 1 files",
        "lines of product, .py": "59 in 4 files",
        "lines of product": "62 in 6 files",
        "Python modules": "4, 3 of them not empty",
        "templates": "1",
        "management commands": "1",
        "test functions": "1",
        "lines of tests, .py": "2 in 1 files",
        "lines of bench, .py": "1 in 1 files",
        "words of documents": "6",
        "functions longer than 50 lines": "0 of 3",
        "lines a function, mean": "2.7",
    }


def test_the_tree_itself_is_counted():
    assert PurePosixPath("bench/house.py") in house.tracked()
    assert any(house.is_command(path) for path in house.tracked())

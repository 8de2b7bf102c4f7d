"""Rows have the numbers that a spreadsheet shows."""

import csv
import io

from corpus.readers.csv_rows import numbered_rows


def test_blank_rows_are_left_out_and_counted_and_cells_that_are_no_columns_are_told():
    reader = csv.DictReader(io.StringIO('a,b\n\n1,"x\ny"\n\n\n2\n3,4,5,6\n'))

    assert list(numbered_rows(reader)) == [
        (3, {"a": "1", "b": "x\ny"}),
        (6, {"a": "2", "b": None}),
        (7, {"a": "3", "b": "4", None: "5,6"}),
    ]

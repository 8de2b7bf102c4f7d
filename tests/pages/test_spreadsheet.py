import csv
import io

import pytest

from pages import spreadsheet


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"])
def test_what_a_spreadsheet_would_run_is_marked_as_text(text):
    assert spreadsheet.cell(text) == f"'{text}"


@pytest.mark.parametrize("value", ["1-1", "a = b", "", " =1", -1, 0.5])
def test_everything_else_stays_as_it_is(value):
    assert spreadsheet.cell(value) == value


def test_a_download_is_csv_that_a_spreadsheet_takes_for_utf_8():
    rows = [["Größe", 'say "so"'], ["=cmd", "two\nlines"]]

    response = spreadsheet.download("sizes.csv", ["what", "how"], rows)

    text = b"".join(response).decode("utf-8-sig")
    assert list(csv.reader(io.StringIO(text, newline=""))) == [
        ["what", "how"],
        ["Größe", 'say "so"'],
        ["'=cmd", "two\nlines"],
    ]
    assert response["Content-Disposition"] == 'attachment; filename="sizes.csv"'
    assert response["Content-Type"] == "text/csv; charset=utf-8"

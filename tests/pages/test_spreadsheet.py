import csv
import io

from pages import spreadsheet
from tests.cases import all_cases


@all_cases("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"])
def test_what_a_spreadsheet_would_run_is_marked_as_text(text):
    assert spreadsheet.cell(text) == f"'{text}"


@all_cases("value", ["1-1", "a = b", "", " =1", -1, 0.5])
def test_everything_else_stays_as_it_is(value):
    assert spreadsheet.cell(value) == value


def test_a_download_is_utf_8_without_a_byte_order_mark():
    rows = [["Größe", 'say "so"'], ["=cmd", "two\nlines"], [True, None]]

    response = spreadsheet.download("sizes.csv", ["what", "how"], rows)

    text = b"".join(response).decode()
    assert list(csv.reader(io.StringIO(text, newline=""))) == [
        ["what", "how"],
        ["Größe", 'say "so"'],
        ["'=cmd", "two\nlines"],
        ["true", ""],
    ]
    assert response["Content-Disposition"] == 'attachment; filename="sizes.csv"'
    assert response["Content-Type"] == "text/csv; charset=utf-8"

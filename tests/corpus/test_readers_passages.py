import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.problems import ImportProblems
from corpus.readers import passages
from corpus.records import PassageRecord
from tests.cases import all_cases
from tests.corpus.reader_files import problem_lines, write_file

HEADER = "turn_id\tpassage_id\tpassage\n"


def table(folder, *rows, header=HEADER):
    return write_file(folder, header + "".join(f"{row}\n" for row in rows), "passages.tsv")


def json_lines(folder, *objects):
    return write_file(
        folder, "".join(f"{json.dumps(each)}\n" for each in objects), "passages.jsonl"
    )


def test_a_row_is_a_passage_offered_for_a_turn(tmp_path):
    path = table(tmp_path, "1_1\thttps://example.org/a_p0\tAll about gold.")

    assert passages.read(path) == (
        PassageRecord("https://example.org/a_p0", "All about gold.", "", "1_1"),
    )


def test_quoted_passages_hold_tabs_quotes_and_line_ends(tmp_path):
    path = table(tmp_path, '1_1\tp1\t"a\tb ""c""\r\nd"', '1_1\tp2\tsays "so"')

    assert [each.text for each in passages.read(path)] == ['a\tb "c"\r\nd', 'says "so"']


def test_passages_may_be_longer_than_the_csv_module_takes_by_itself(tmp_path):
    text = "word " * 50_000

    assert passages.read(table(tmp_path, f"1_1\tp1\t{text}"))[0].text == text


def test_columns_come_in_any_order_with_an_address_and_others_ignored(tmp_path):
    header = "passage\turl\tnote\tpassage_id\tturn_id\n"
    path = table(tmp_path, "gold\thttps://example.org\t?\tp1\t1_1", header=header)

    assert passages.read(path) == (PassageRecord("p1", "gold", "https://example.org", "1_1"),)


def test_a_mark_and_crlf_are_accepted(tmp_path):
    path = write_file(
        tmp_path, "\ufeffturn_id\tpassage_id\tpassage\r\n1_1\tp1\tgold\r\n\r\n", "p.tsv"
    )

    assert passages.read(path) == (PassageRecord("p1", "gold", "", "1_1"),)


@pytest.mark.parametrize("key", ["contents", "text"])
def test_a_json_line_is_a_passage_of_no_turn(tmp_path, key):
    path = json_lines(tmp_path, {"id": "p1", key: "gold", "url": "https://example.org", "n": 3})

    assert passages.read(path) == (PassageRecord("p1", "gold", "https://example.org", None),)


def test_a_json_line_without_address_or_with_null_has_none(tmp_path):
    path = json_lines(tmp_path, {"id": "a", "text": "x"}, {"id": "b", "text": "x", "url": None})

    assert [each.url for each in passages.read(path)] == ["", ""]


def test_of_contents_and_text_contents_counts(tmp_path):
    path = json_lines(tmp_path, {"id": "p1", "text": "short", "contents": "long"})

    assert passages.read(path)[0].text == "long"


@pytest.mark.parametrize("blank", ["", "  ", None])
def test_blank_contents_do_not_hide_the_text(tmp_path, blank):
    path = json_lines(tmp_path, {"id": "p1", "contents": blank, "text": "gold", "url": blank})

    assert passages.read(path) == (PassageRecord("p1", "gold", "", None),)


def test_a_passage_may_be_told_as_empty(tmp_path):
    path = json_lines(tmp_path, {"id": "p1", "contents": ""}, {"id": "p2", "text": " "})

    assert [each.text for each in passages.read(path)] == ["", " "]


def test_a_passage_knows_its_place_in_the_file(tmp_path):
    told = write_file(
        tmp_path, '\n{"id": "a", "text": "A"}\n\n{"id": "b", "text": "B"}\n', "p.jsonl"
    )

    assert [
        each.index for each in passages.read(table(tmp_path, "1_1\ta\tA", "", "1_1\tb\tB"))
    ] == [
        2,
        4,
    ]
    assert [each.index for each in passages.read(told)] == [2, 4]


def test_blank_lines_and_a_mark_are_accepted_in_json_lines(tmp_path):
    path = write_file(
        tmp_path, '\ufeff\r\n{"id": "a", "text": "x\u2028y"}\r\n\r\n', "passages.jsonl"
    )

    assert [each.text for each in passages.read(path)] == ["x\u2028y"]


def test_the_same_passage_of_the_same_turn_counts_once(tmp_path):
    path = table(tmp_path, "1_1\tp1\tgold", "1_1\tp1\tgold", "1_2\tp1\tgold")

    assert [each.turn_id for each in passages.read(path)] == ["1_1", "1_2"]


def test_the_same_json_line_counts_once(tmp_path):
    assert len(passages.read(json_lines(tmp_path, *[{"id": "p1", "text": "gold"}] * 2))) == 1


@pytest.mark.parametrize("turn", ["1_1", "1_2"])
def test_a_passage_with_another_text_is_refused_in_the_same_and_in_another_turn(tmp_path, turn):
    path = table(tmp_path, "1_1\tp1\tgold", f"{turn}\tp1\tsilver")

    assert problem_lines(passages.read, path) == [
        'row 3: passage: "p1" has another text or url than in row 2'
    ]


def test_a_json_line_with_another_address_is_refused(tmp_path):
    path = json_lines(tmp_path, {"id": "a", "text": "x"}, {"id": "a", "text": "x", "url": "u"})

    assert problem_lines(passages.read, path) == [
        'line 2: passage: "a" has another text or url than in line 1'
    ]


@all_cases(
    ("row", "expected"),
    [
        ("1_1\t\tgold", 'passage_id: "" is an empty id'),
        ("1_1\t \tgold", 'passage_id: " " is an empty id'),
        ("p1\t1_1\tgold", 'turn_id: "p1" is not a turn id (<conversation>_<turn>)'),
        ("1_0\tp1\tgold", 'turn_id: "1_0" is not a turn id (<conversation>_<turn>)'),
        ("_1\tp1\tgold", 'turn_id: "_1" is not a turn id (<conversation>_<turn>)'),
        ("1_1\tp1", 'has 2 columns, the header 3; it begins at line 4, turn_id "1_1"'),
        (
            "1_1\tp1\tgold\tsilver",
            'has 4 columns, the header 3; it begins at line 4, turn_id "1_1"',
        ),
        (" \tp1", "has 2 columns, the header 3; it begins at line 4"),
        ("1_1\tp1\tgo\0ld", "passage: character 3 is U+0000, which a database cannot hold"),
        (
            '1_1\tp1\t"gold',
            "is not quoted as RFC 4180: a quote is never closed; it begins at line 4",
        ),
        (
            '1_1\tp1\t"go"ld',
            "is not quoted as RFC 4180: '\t' expected after '\"'; it begins at line 4".replace(
                "\t", "\\t"
            ),
        ),
    ],
)
def test_a_wrong_row_is_named_as_a_spreadsheet_counts_it(tmp_path, row, expected):
    path = table(tmp_path, '1_9\tp9\t"two\nlines"', row)

    assert problem_lines(passages.read, path) == [f"row 3: {expected}"]


def test_a_quote_that_swallows_the_file_is_told_with_the_problems_before_it(tmp_path):
    path = table(tmp_path, "1_1\t\tgold", '1_1\tp1\t"gold', "1_1\tp2\tsilver")

    assert [line.split(":")[0] for line in problem_lines(passages.read, path)] == ["row 2", "row 3"]


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("turn_id\tpassage\n", ['row 1: column "passage_id" is not in the header']),
        (
            "turn_id\tpassage_id\tpassage\tpassage\n",
            ['row 1: column "passage" is 2 times in the header'],
        ),
        (
            "",
            [
                f'row 1: column "{name}" is not in the header'
                for name in ("turn_id", "passage_id", "passage")
            ],
        ),
        (HEADER, ["there is no row under the header"]),
    ],
)
def test_a_header_that_lacks_something_is_named(tmp_path, header, expected):
    assert problem_lines(passages.read, table(tmp_path, header=header)) == expected


@pytest.mark.parametrize(
    ("mark", "named"), [(",", "commas"), (";", "semicolons"), ('","', "commas")]
)
def test_a_table_that_is_separated_otherwise_is_told_so_and_nothing_else(tmp_path, mark, named):
    header = f'"{HEADER.strip()}"\n' if '"' in mark else HEADER

    path = table(tmp_path, "1_1\tp1\tgold", header=header)
    path.write_text(path.read_text(encoding="utf-8").replace("\t", mark), encoding="utf-8-sig")

    assert problem_lines(passages.read, path) == [
        f"row 1: no tab in the header: is the file separated by {named}?"
    ]


def test_a_header_without_any_tab_is_not_always_one_of_commas(tmp_path):
    path = table(tmp_path, header="passages, by turn\n")

    assert problem_lines(passages.read, path)[0] == 'row 1: column "turn_id" is not in the header'


@all_cases(
    ("line", "expected"),
    [
        ('{"id": "a"}', "text: is missing"),
        ('{"text": "x"}', "id: is missing"),
        ('{"id": 3, "text": "x"}', "id: 3 is not text"),
        ('{"id": "", "text": "x"}', 'id: "" is an empty id'),
        ('{"id": "a", "contents": 3}', "contents: 3 is not text"),
        ('{"id": "a", "text": "x", "url": 3}', "url: 3 is not text"),
        ('["a"]', "a list is not an object"),
        ('{"id": "a" "text"}', "not JSON: Expecting ',' delimiter at column 12"),
        ('{"id": "a", "text": "x"} {}', "not JSON: Extra data at column 26"),
        ('{"id": "a", "text": ', "not JSON: Expecting value at column 20"),
        ('{"id": "a"', "not JSON: Expecting ',' delimiter at column 11"),
        ('{"id": "a", "text": "x', "not JSON: Unterminated string starting at column 21"),
        ('{"id": "a", "id": "b", "text": "x"}', 'the key "id" is there twice'),
        ('{"id": "a", "text": "x", "n": NaN}', "NaN is not a number of JSON"),
        ("[" * 100_000, "is nested too deeply to be read"),
    ],
)
def test_a_wrong_line_is_named_and_the_next_ones_are_read(tmp_path, line, expected):
    content = f'{{"id": "z", "text": "x"}}\n\n{line}\n{{"id": ""}}\n'
    path = write_file(tmp_path, content, "passages.jsonl")

    assert problem_lines(passages.read, path) == [
        f"line 3: {expected}",
        'line 4: id: "" is an empty id',
        "line 4: text: is missing",
    ]


def test_a_stream_gives_passages_before_it_has_read_the_whole_file(tmp_path):
    path = table(tmp_path, "1_1\tp1\tgold", "1_1\t\tsilver")
    stream = passages.stream(path)

    assert next(stream).docid == "p1"
    with pytest.raises(ImportProblems, match="row 3: passage_id"):
        next(stream)


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6)


@given(st.dictionaries(texts.filter(str.strip), texts, min_size=1, max_size=4))
def test_passages_written_as_rfc_4180_are_read_the_same(tmp_path_factory, text_of):
    folder = tmp_path_factory.mktemp("passages")
    content = io.StringIO(newline="")
    rows = [("7_1", docid, text) for docid, text in text_of.items()]
    csv.writer(content, delimiter="\t").writerows([HEADER.split(), *rows])

    read = passages.read(write_file(folder, content.getvalue(), "p.tsv"))

    assert [(each.turn_id, each.docid, each.text) for each in read] == rows


@given(st.dictionaries(texts.filter(str.strip), texts, min_size=1, max_size=4))
def test_passages_written_as_json_lines_are_read_the_same(tmp_path_factory, text_of):
    folder = tmp_path_factory.mktemp("passages")
    objects = [{"id": docid, "contents": text} for docid, text in text_of.items()]
    content = "\n".join(json.dumps(each, ensure_ascii=False) for each in objects)

    read = passages.read(write_file(folder, content, "p.jsonl"))

    assert {each.docid: each.text for each in read} == text_of

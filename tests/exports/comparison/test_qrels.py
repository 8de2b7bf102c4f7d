from exports.comparison.qrels import beir, trec

ROWS = [["1_1", "doc 1", 1], ["1_1", "50%", 0]]


def test_ids_with_white_space_stay_one_field():
    assert trec(ROWS) == "1_1 0 doc%201 1\n1_1 0 50%25 0\n"
    assert beir(ROWS) == "query-id\tcorpus-id\tscore\n1_1\tdoc%201\t1\n1_1\t50%25\t0\n"


def test_of_nothing_there_is_the_header_alone():
    assert trec([]) == ""
    assert beir([]) == "query-id\tcorpus-id\tscore\n"

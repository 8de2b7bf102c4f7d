"""What a file of each kind looks like, in three lines. Together they are a small data set that can be imported."""

TRUTH = """\
[{"Conversation_no": 7, "Turn_no": 1, "Truth_rewrite": "What are tides?",
  "Truth_passages": ["tides_p0"],
  "Truth_answer": "The rising and falling of the sea."}]
"""
QUESTIONS = """\
[{"Conversation_no": 7, "Turn_no": 1, "Question": "What are tides?"},
 {"Conversation_no": 7, "Turn_no": 2,
  "Question": "And how fast do they rise?"}]
"""
PASSAGES = """\
turn_id	passage_id	passage
7_1	tides_p0	Twice a day the sea rises and falls.
7_2	fundy_p0	In the Bay of Fundy the tide rises 2.5 metres an hour.
"""
RUN = """\
[{"Conversation_no": 7, "Turn_no": 1, "Model_answer": "The sea going up and down.",
  "Model_passages": {"tides_p0": 17.3},
  "Model_evidence": {"passage_id": "tides_p0", "text": "the sea rises and falls"}}]
"""
# A question a line, so the line is long.
CLAPNQ = (
    '{"id":"7","input":"what are tides",'
    '"passages":[{"title":"Tide","text":"The sea rises. It falls.",'
    '"sentences":["The sea rises.","It falls."]}],'
    '"output":[{"answer":"The sea rising and falling.",'
    '"selected_sentences":["The sea rises.","It falls."],'
    '"meta":{"annotator":[1],"has_minimal_answer":false,'
    '"non_consecutive":false,"round":1,"skip":false}}]}\n'
)
SCORES = """\
id,run,sas
7_1,alder,0.91
7_1,birch,0.38
"""

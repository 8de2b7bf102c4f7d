from annotation.templatetags.desk import piece_html
from text.diff import Change, Piece, Run


def test_words_that_stay_stand_as_they_are_with_their_style():
    piece = Piece(Change.NONE, (Run("Never ", "strong"), Run("a <b>", "")), " ")

    assert piece_html(piece) == '<span class="strong">Never </span>a &lt;b&gt; '


def test_removed_and_added_words_say_so_to_those_who_hear_them():
    removed, added = (
        piece_html(Piece(change, (Run("twice", ""),))) for change in (Change.REMOVED, Change.ADDED)
    )

    hidden = '<span class="visually-hidden">'
    assert removed == f"<del>{hidden}removed: </span>twice{hidden}; </span></del>"
    assert added == f"<ins>{hidden}added: </span>twice{hidden}; </span></ins>"

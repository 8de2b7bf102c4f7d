"""LaTeX in Markdown, left as it was written: its *, _ and \\ are not marks of Markdown."""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

# Formulas end within these lengths, so that texts with many openings and no end are read in a short time.
MOST_LINES = 50
INLINE = re.compile(
    r"\$\$.{1,2000}?\$\$"
    r"|\$(?!\s)[^$\n]{1,500}?(?<!\s)\$(?!\d)"  # between "$5 and $6" there is no formula
    r"|\\\(.{1,2000}?\\\)"
    r"|\\\[.{1,2000}?\\\]",
    re.DOTALL,
)
BLOCK = re.compile(
    r"(?:\$\$.{1,4000}?\$\$|\\\[.{1,4000}?\\\]"
    r"|\\begin\{(?P<name>\w+\*?)\}.{1,4000}?\\end\{(?P=name)\})[ \t]*(?=\n|\Z)",
    re.DOTALL,
)
OPENINGS = ("$$", "\\[", "\\begin{")


def add_to(parser: MarkdownIt) -> None:
    """Let the parser make the tokens latex_inline and latex_block, each with the text of a formula."""
    parser.inline.ruler.before("escape", "latex", _inline)
    parser.block.ruler.before("table", "latex", _block, {"alt": ["paragraph", "blockquote"]})


def _inline(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] not in "$\\":
        return False
    found = INLINE.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        state.push("latex_inline", "", 0).content = found.group()
    state.pos = found.end()
    return True


def _block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    first = state.bMarks[start] + state.tShift[start]
    if state.is_code_block(start) or not state.src.startswith(OPENINGS, first):
        return False
    lines = state.getLines(start, _last_line(state, start, end), state.blkIndent, False)
    found = BLOCK.match(lines.lstrip(" "))
    if found is None:
        return False
    if not silent:
        state.push("latex_block", "", 0).content = found.group().rstrip()
        state.line = start + found.group().count("\n") + 1
    return True


def _last_line(state: StateBlock, start: int, end: int) -> int:
    """The line after the last one that can belong to the formula: those of the same item of a list."""
    line = start + 1
    while line < min(end, start + MOST_LINES) and (
        state.isEmpty(line) or state.sCount[line] >= state.blkIndent
    ):
        line += 1
    return line

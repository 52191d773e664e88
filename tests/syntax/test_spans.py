"""Places: wherever a sentence is in a file, each token and node is where its text is."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from syntax_support import blocks, nodes, parse_text, shipped, vocabulary, war_chest, words_of

from warchest.source.text import Source
from warchest.source.yaml import parse
from warchest.syntax import ast
from warchest.syntax.lexer import scan
from warchest.syntax.parse import parse_block

SENTENCES = [one.text for one in shipped() if one.game.name == "war-chest"]
SPOKEN = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=3)


@st.composite
def laid_out(draw: st.DrawFn, sentences: list[str]) -> str:
    """A file whose one block holds the sentences, with any line ends, indentation and comments."""
    end = draw(st.sampled_from(["\n", "\r\n"]))
    indent = " " * draw(st.integers(1, 6))
    comment = draw(st.sampled_from(["", " # so: it is", "   # `a. b`, |"]))
    gap = st.sampled_from([" ", "  ", f"{comment}{end}{indent}", f"{end}{end}{indent}  ", f"{comment}{end}{indent}   "])
    text = ""
    for sentence in sentences:
        for raw in scan(sentence, 0, len(sentence)):
            tight = raw.text in ",.:" and draw(st.booleans())
            text += ("" if tight or not text else draw(gap)) + raw.text
    before = draw(st.sampled_from(["", f"# a comment{end}", f"other: 1{end}", f'"é": "ü—𝔘"{end}']))
    after = draw(st.sampled_from(["", end, f"{end}last: 2{end}"]))
    marker = draw(st.sampled_from(["|", "|-", "| # why"]))
    return f"{before}text: {marker}{end}{indent}{text}{after}"


@given(SPOKEN.flatmap(lambda spoken: st.tuples(st.just(spoken), laid_out(spoken))))
@settings(max_examples=settings().max_examples * 2, deadline=None, suppress_health_check=list(HealthCheck))
def test_spans_survive_any_layout(case: tuple[list[str], str]) -> None:
    spoken, text = case
    source = Source("laid-out.yaml", text)
    roots, findings = parse(source)
    assert findings == []
    (block,) = blocks(roots[0])
    found, wrong = parse_block(block, war_chest())
    assert wrong == []
    plain, _ = parse_text(" ".join(spoken))
    assert found == plain
    for tree, reference in zip(found, plain, strict=True):
        for node, same in zip(nodes(tree), nodes(reference), strict=True):
            assert node.span.source is source
            assert words_of(node.span.text) == words_of(same.span.text)


def test_nodes_span_their_own_words() -> None:
    for one in shipped():
        words = vocabulary(one.game)
        (tree,), _ = parse_text(one.text, words)
        assert tree.span.text == one.text.rstrip(".").rstrip()
        for node in nodes(tree):
            if isinstance(node, ast.Word):
                spelling = tuple(raw.text for raw in scan(node.span.text, 0, len(node.span.text)))
                assert node.text in words.entries[spelling].values()
            elif isinstance(node, ast.Name):
                assert node.span.one_line in (node.text, words.form("PLURAL", node.text))
            elif isinstance(node, ast.Number):
                assert int(node.span.text) == node.value
            elif isinstance(node, ast.Pronoun):
                assert node.span.text == node.word


def test_nodes_are_nested() -> None:
    for one in shipped():
        (tree,), _ = parse_text(one.text, vocabulary(one.game))
        for node in nodes(tree):
            for inner in nodes(node):
                if isinstance(inner, ast.Arguments) and not inner.span.text:
                    continue  # said with nothing, so nowhere
                assert node.span.start <= inner.span.start <= inner.span.end <= node.span.end


def test_tokens_are_at_their_places() -> None:
    text = "attack  a\r\n  target # why. not\n 1-2 spaces,then `\n."
    for raw in scan(text, 0, len(text)):
        assert text[raw.start : raw.end] == raw.text
    assert [raw.text for raw in scan(text, 0, len(text))] == [
        "attack",
        "a",
        "target",
        "1-2",
        "spaces",
        ",",
        "then",
        "`",
        ".",
    ]

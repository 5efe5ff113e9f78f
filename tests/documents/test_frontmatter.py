"""The first `---` block: what is read, what is refused, and what a rewrite leaves alone."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trinho.documents.fields import MalformedFrontmatterError
from trinho.documents.frontmatter import Block, new_block, plain_fields, read_block, rewrite
from trinho.documents.yaml_events import read_fields

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
newlines = st.sampled_from(["\n", "\r\n", "\r"])


def block_of(text: str) -> Block:
    block = read_block(text)
    assert block is not None
    return block


def values_of(text: str) -> dict[str, str | None]:
    return {field.key: field.value for field in block_of(text).fields}


def fault_of(content: str) -> MalformedFrontmatterError:
    with pytest.raises(MalformedFrontmatterError) as caught:
        read_block(f"---\n{content}---\nbody\n")
    return caught.value


def fault_line(text: str) -> int | None:
    try:
        read_block(text)
    except MalformedFrontmatterError as fault:
        return fault.line
    return None


def rewritten(text: str, **changes: str) -> str:
    return rewrite(block_of(text), changes)


class TestReading:
    @pytest.mark.parametrize(
        "text", ["", "\n---\na: b\n---\n", "text", "----\n", "--- a\n---\n", " ---\n---\n", "***\n"]
    )
    def test_a_text_that_begins_otherwise_has_no_block(self, text: str) -> None:
        assert read_block(text) is None

    def test_only_the_first_block_counts(self) -> None:
        text = "---\na: b\n---\n---\na: c\n---\n"
        assert block_of(text).text == "---\na: b\n---\n"
        assert values_of(text) == {"a": "b"}

    @pytest.mark.parametrize("text", ["---\n---\n", "---\n# nothing yet\n---\n", "---\n\n---"])
    def test_a_block_may_be_empty(self, text: str) -> None:
        assert block_of(text).fields == ()
        assert values_of(rewritten(text, name="x")) == {"name": "x"}

    @pytest.mark.parametrize(
        "raw",
        ["no", "1.10", "12:30:45", "010", "190:20:30", "12e4567", "0x1F", "1_000", "null", "2024-13-45", "~", "true"],
    )
    def test_every_value_stays_the_text_it_is(self, raw: str) -> None:
        assert values_of(f"---\nid: {raw}\non: x\n---\n") == {"id": raw, "on": "x"}

    def test_values_of_every_style(self) -> None:
        text = "---\na: plain\n  goes on # note\nb: 'it''s'\nc: \"q\\n\"\nd: |\n  x\n  y\ne: >-\n  x\n  y\nf:\n---\n"
        assert values_of(text) == {"a": "plain goes on", "b": "it's", "c": "q\n", "d": "x\ny\n", "e": "x y", "f": ""}

    def test_lists_and_maps_are_let_through_unread(self) -> None:
        assert values_of("---\ntags: [a, {b: c}]\nmore:\n- x\n-\n  y: z\nname: n\n---\n") == {
            "tags": None,
            "more": None,
            "name": "n",
        }

    def test_nesting_up_to_the_limit_is_let_through(self) -> None:
        assert values_of("---\na: " + "[" * 7 + "]" * 7 + "\n---\n") == {"a": None}

    def test_exactly_as_many_keys_as_allowed(self) -> None:
        assert len(values_of("---\n" + "".join(f"k{n}: x\n" for n in range(64)) + "---\n")) == 64

    def test_fields_know_their_lines(self) -> None:
        assert [field.line for field in block_of("---\na: |\n  x\n\nb: c\n---\n").fields] == [2, 5]

    @given(newlines, st.booleans())
    def test_any_line_end_and_a_byte_order_mark_are_accepted(self, newline: str, mark: bool) -> None:
        text = ("\ufeff" if mark else "") + newline.join(["---", "a: b", "c: d", "---", "body"])
        assert values_of(text) == {"a": "b", "c": "d"}
        assert block_of(text).newline == newline

    def test_mixed_line_ends_are_accepted(self) -> None:
        assert values_of("---\r\na: b\rc: d\ne: f\r\n---\r") == {"a": "b", "c": "d", "e": "f"}


class TestRefusing:
    @pytest.mark.parametrize(
        ("content", "line", "reason"),
        [
            pytest.param("a: &a [x]\nb: [*a, *a]\n", 2, "anchors", id="alias bomb"),
            pytest.param("a: &a [*a]\n", 2, "anchors", id="recursive alias"),
            pytest.param("a: *b\n", 2, "anchors", id="alias"),
            pytest.param("&a k: v\n", 2, "anchors", id="anchored key"),
            pytest.param("x: y\n<<: {trust: admin}\n", 3, "merge", id="merge key"),
            pytest.param("x:\n  <<: {trust: admin}\n", 3, "merge", id="merge key further in"),
            pytest.param("a: 1\nb: 2\na: 3\n", 4, "`a` stands there twice", id="duplicate"),
            pytest.param("a: 1\n'a': 3\n", 3, "twice", id="duplicate in quotes"),
            pytest.param("a:\n  b: 1\n  b: 2\n", 4, "twice", id="duplicate further in"),
            pytest.param("a: !!python/object:os.system x\n", 2, "tags", id="python tag"),
            pytest.param("a: !foo x\n", 2, "tags", id="own tag"),
            pytest.param("a: !!str x\n", 2, "tags", id="core tag"),
            pytest.param("a: [!foo {}]\n", 2, "tags", id="tag further in"),
            pytest.param("a: b\n--- x\n", 3, "another document", id="second document"),
            pytest.param("# x\n--- {a: b}\n", 3, "another document", id="document marker"),
            pytest.param("%YAML 1.1\n", 3, "document start", id="directive"),
            pytest.param("a: b\n...\n", 3, "document ends", id="end marker"),
            pytest.param("- a\n", 2, "a list", id="list root"),
            pytest.param("just text\n", 2, "single text", id="scalar root"),
            pytest.param("{a: b}\n", 2, "braces", id="flow root"),
            pytest.param("1: x\n", 2, "`1` is no text", id="number as key"),
            pytest.param("1.5e3: x\n", 2, "no text", id="float as key"),
            pytest.param("~: x\n", 2, "no text", id="null as key"),
            pytest.param("true: x\n", 2, "no text", id="boolean as key"),
            pytest.param("'': x\n", 2, "empty", id="empty key"),
            pytest.param("? [a]\n: b\n", 2, "a list or a map", id="list as key"),
            pytest.param("x: {[a]: b}\n", 2, "a list or a map", id="list as key further in"),
            pytest.param("? a\n: b\n", 2, "marked with ?", id="marked key"),
            pytest.param("a: x\n\tb: c\n", 2, "tab", id="tab indent"),
            pytest.param("a:\n\tb: c\n", 3, "begins a line", id="tab before a key"),
            pytest.param("a: b\nc: \x00\n", 3, "U+0000", id="NUL"),
            pytest.param("a: \x1b[0m\n", 2, "U+001B", id="escape"),
            pytest.param("a: x\x85b: y\n", 2, "U+0085", id="NEL"),
            pytest.param("a: x\u2028b: 1\n", 2, "U+2028", id="line separator"),
            pytest.param("a: x\u2029b: 1\n", 2, "U+2029", id="paragraph separator"),
            pytest.param("a: 1\r\nb: 2\rc: \ufeff\n", 4, "U+FEFF", id="mark inside"),
            pytest.param("a: b\nc: 'open\n", 3, "not closed", id="open quote"),
            pytest.param("description: foo: bar\n", 2, "holds `: `", id="second colon"),
            pytest.param("a: b\nno colon\n", 3, "no `key: value`", id="no colon"),
            pytest.param("a: '\\ud800'\nb: \"\\ud800\"\n", 3, "invalid Unicode", id="surrogate escape"),
            pytest.param("".join(f"k{n}: x\n" for n in range(65)), 66, "more than 64 keys", id="too many keys"),
            pytest.param("a: " + "[" * 8 + "]" * 8 + "\n", 2, "deeper than 8", id="too deep"),
            pytest.param("a: " + "x" * 16_400 + "\n", 1, "longer than 16384 bytes", id="too long"),
            pytest.param("a: " + "ế" * 6_000 + "\n", 1, "longer than 16384 bytes", id="too long in bytes"),
        ],
    )
    def test_what_is_dangerous_or_ambiguous_is_refused_with_line_and_reason(
        self, content: str, line: int, reason: str
    ) -> None:
        fault = fault_of(content)
        assert reason in fault.reason
        assert fault.line == line

    @pytest.mark.parametrize(
        "text", ["---", "---\n", "---\na: b\n", "---\na: b\n--- x\n", "\ufeff---\r\n", "---\na: b\n ---\n"]
    )
    def test_an_unterminated_block_is_refused(self, text: str) -> None:
        with pytest.raises(MalformedFrontmatterError, match="line 1: the frontmatter has no closing ---"):
            read_block(text)

    @pytest.mark.parametrize(
        "content",
        [
            "a: " + "[" * 2000 + "\n",
            "? " * 5000 + "\n",
            "- " * 5000 + "\n",
            "a: " + "{" * 16_000 + "\n",
            "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 600)),
            "x" * 16_000 + ": v\n",
            "a: " + "x" * 1_000_000 + "\n",
            "".join(f"k{n}: x\n" for n in range(20_000)),
            "a: x\n" + "---x\n" * 200_000,
        ],
    )
    def test_bombs_are_refused_at_once(self, content: str) -> None:
        before = time.process_time()
        fault_of(content)
        assert time.process_time() - before < 0.05

    @given(st.text(st.sampled_from("ab:-?&*!|>'\"[]{},#% \t\n\r\\~<.é\u2028\x00"), max_size=60))
    def test_any_content_is_read_or_refused_with_a_line_that_exists(self, content: str) -> None:
        text = f"---\n{content}\n---\n"
        line = fault_line(text)
        assert line is None or 1 <= line <= text.count("\n") + text.count("\r") + 1


class TestRewriting:
    def test_only_the_value_changes(self) -> None:
        text = "---\n# on top\nz:   [1,   2] # odd\nname:  'Old'   # why\n\nempty:\nlast: x\n---\n"
        assert rewritten(text, name="New") == text.replace("'Old'", "New")

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("a: |\n  x\n\n  y\n", "a: new\n"),
            ("a: | # why\n  x\n", "a: new # why\n"),
            ("a: >2-\n    x\n\n", "a: new\n\n"),
            ("a: |+\n  x\n\n  \t\n\n", "a: new\n\n"),
            ("a: |\n", "a: new\n"),
            ("a: x\n  goes\n\n  on # why\n", "a: new # why\n"),
            ("a: 'x\n\n  on' # why\n", "a: new # why\n"),
            ("a:\n  x\n", "a:\n  new\n"),
            ("a:\n", "a: new\n"),
            ("a:  # why\n", "a: new  # why\n"),
            ("'a': \"\"\n", "'a': new\n"),
            ("a: 'x'#why\n", "a: new #why\n"),
        ],
    )
    @pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
    def test_values_of_every_style_are_replaced_whole(self, before: str, after: str, newline: str) -> None:
        text, expected = (f"---\nb: c\n{a}# end\nd: e # f\n---\n".replace("\n", newline) for a in (before, after))
        assert rewritten(text, a="new") == expected
        assert values_of(expected) == {"b": "c", "a": "new", "d": "e"}

    def test_missing_keys_go_before_the_closing_line(self) -> None:
        assert (
            rewritten("\ufeff---\r\na: b\n# end\n---", c="d", e="f g")
            == "\ufeff---\r\na: b\n# end\nc: d\r\ne: f g\r\n---"
        )

    def test_missing_keys_are_indented_like_the_others(self) -> None:
        assert rewritten("---\n  a:\n    - b\n---\n", c="d") == "---\n  a:\n    - b\n  c: d\n---\n"

    def test_a_list_is_not_replaced(self) -> None:
        with pytest.raises(MalformedFrontmatterError, match="line 3: `b` holds a list or a map"):
            rewritten("---\na: x\nb: [c]\n---\n", b="d")

    def test_nothing_changed_is_nothing_written(self) -> None:
        text = "---\na: |\n  x\n\nb: [c]   # d\n---  \n"
        assert rewritten(text) == text

    @given(texts, newlines)
    def test_any_value_comes_back(self, value: str, newline: str) -> None:
        assert values_of(rewrite(new_block(newline), {"key": value})) == {"key": value}

    styles = st.sampled_from(
        [
            "{k}: plain",
            "{k}: 'it''s' # c",
            '{k}: "\\u00e9" # c',
            "{k}: |\n  x\n   y\n",
            "{k}: >-  # c\n  x\n\n  y",
            "{k}:",
            "{k}: x\n  y",
            "{k}:   # c",
            "{k}:\n  x",
            "{k}: |+\n  x\n\n\n",
            "# c\n{k}: ế😀 x",
            '{k}: "a\n\n  b"',
            "{k}: [a,\n b]",
            "{k}:\n- a\n- b: c",
        ]
    )

    @given(
        st.lists(styles, min_size=1, max_size=6),
        st.dictionaries(st.sampled_from("abcdefgh"), texts, max_size=4),
        newlines,
    )
    def test_a_rewrite_changes_what_it_is_told_and_nothing_else(
        self, chosen: list[str], changes: dict[str, str], newline: str
    ) -> None:
        lines = [style.format(k=key) for style, key in zip(chosen, "abcdef", strict=False)]
        text = "\n".join(["---", *lines, "---", ""]).replace("\n", newline)
        before = values_of(text)
        changes = {key: value for key, value in changes.items() if before.get(key, "") is not None}
        after = rewrite(block_of(text), changes)
        assert values_of(after) == {**before, **changes}
        assert all(
            line.replace("\n", newline) in after
            for line, key in zip(lines, "abcdef", strict=False)
            if key not in changes
        )


_PIECES = st.one_of(
    st.sampled_from(list(": #\"'\\-[{|>%@`,]?=~&*!\t\n\n\n\u00a0ệ日😀a1")),
    st.sampled_from(["name", "no", "null", ": ", " #", "- ", "<<", "---", "2026-11-30T10:00:00Z"]),
)


@given(st.lists(_PIECES, max_size=24).map("".join), st.booleans())
@settings(max_examples=600)
def test_what_is_read_without_yaml_is_what_libyaml_reads(text: str, keyed: bool) -> None:
    """The reader of simple blocks never answers otherwise than libyaml, to the last span."""
    content = "".join(f"k{n}: {line}\n" for n, line in enumerate(text.split("\n"))) if keyed else text + "\n"
    fields = plain_fields(content, 4)
    if fields is not None:
        assert ("", fields) == read_fields(content, 4)


def test_our_own_blocks_need_no_yaml() -> None:
    """What we write is read by the quick way: the usual case of every cold start."""
    written = rewrite(new_block(), {"name": "Thụt lề", "description": "no: # yes", "version": 3})
    assert plain_fields(written[4:-4], 4) is not None

"""Markdown files as entries, and the laws of writing them back."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trinho.documents.codec import Decoded, Document, UnreadableTextError, decode, encode, first_line
from trinho.documents.fields import MalformedFrontmatterError
from trinho.domain.entry import EntryType, Kind
from trinho.domain.ids import parse_memory_id
from trinho.errors import InvalidEntryError

ID = parse_memory_id("project:alp:goals")
MODIFIED = datetime(2026, 11, 2, 10, tzinfo=UTC)
CREATED = datetime(2026, 1, 2, 3, 4, 5, 6, UTC)

writable = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)
thorny = st.text(st.sampled_from("\n\r\ufeff-a: #\u2028\x85\x1b"), max_size=12)
bodies = writable | thorny | thorny.map(lambda text: "---\n" + text)
instants = st.datetimes(timezones=st.just(UTC))
documents = st.builds(
    Document,
    name=writable.filter(bool),
    description=writable.filter(bool),
    type=st.sampled_from(EntryType),
    kind=st.sampled_from(Kind),
    version=st.integers(1, 10**15 - 1),
    created_at=instants,
    updated_at=instants,
    body=bodies,
)
files = st.sampled_from(
    [
        "body\n",
        "\ufeffbody",
        "\n\nbody\r\n",
        "---\n---",
        "---\nname: x\n---\nbody",
        "---\r\nname:   'x'  # why\r\ntags: [a]\r\n---\r\n\r\nbody\r\n",
        "\ufeff---\rkind: log\rname: |\r  x\r---\r\rbody\r",
        "---\nversion: 3\ntype: note\nname:\ncreated: 2024-01-01\n# end\n---\n\n---\nkind: draft\n---\n",
    ]
).map(str.encode)


def read(text: str | bytes) -> Decoded:
    return decode(text.encode() if isinstance(text, str) else text, ID, MODIFIED)


def document_of(text: str | bytes) -> Document:
    decoded = read(text)
    assert decoded.broken is None
    return decoded.document


class TestReading:
    def test_a_file_that_says_everything(self) -> None:
        text = (
            "---\nname: Goals\ndescription: What we want\ntype: feedback\nkind: decision\nversion: 7\n"
            "created: 2026-01-02T03:04:05.000006Z\nupdated: 2026-11-02T17:00:00+07:00\n---\n\nBe kind.\n"
        )
        decoded = read(text)
        assert decoded.document == Document(
            "Goals", "What we want", EntryType.FEEDBACK, Kind.DECISION, 7, CREATED, MODIFIED, "Be kind."
        )
        assert (decoded.warnings, decoded.broken) == ((), None)

    def test_a_file_without_frontmatter_is_filled_from_its_id_its_body_and_its_date(self) -> None:
        assert document_of("\n## Mục tiêu ##\n\nmore\n") == Document(
            "goals", "Mục tiêu", EntryType.PROJECT, Kind.REFERENCE, None, MODIFIED, MODIFIED, "\n## Mục tiêu ##\n\nmore"
        )

    def test_empty_values_are_missing_ones(self) -> None:
        text = "---\nname:\ndescription: ''\ntype:\nkind:\nversion:\ncreated:\nupdated:\n---\nbody\n"
        assert document_of(text) == document_of("body\n")

    def test_unknown_words_are_told_and_read_as_the_plainest(self) -> None:
        decoded = read('---\nkind: memo\ntype: "no\\u001bte"\n---\nbody\n')
        assert (decoded.document.kind, decoded.document.type) == (Kind.REFERENCE, EntryType.PROJECT)
        assert decoded.warnings == (
            "unknown kind `memo`, read as reference",
            "unknown type `no\\x1bte`, read as project",
        )

    def test_words_are_read_in_any_case(self) -> None:
        assert document_of("---\nkind: Log\ntype: USER\n---\n").kind is Kind.LOG

    def test_a_folded_description_has_no_newline_at_its_end(self) -> None:
        assert document_of("---\ndescription: >\n  one\n  two\n---\n").description == "one two"

    @pytest.mark.parametrize("text", ["0001-01-01", "9999-12-31T23:59:59Z", "2036-01-01"])
    def test_distant_years_are_accepted(self, text: str) -> None:
        assert document_of(f"---\ncreated: {text}\n---\n").created_at.year == int(text[:4])

    @pytest.mark.parametrize(
        ("line", "reason"),
        [
            ("created: 2024-13-45", "created can't be `2024-13-45`: there is no such date"),
            ("updated: 2024-01-01T00:00:00+25:00", "there is no such date, time or offset"),
            ("updated: soon", "updated can't be `soon`: write a date"),
            ("version: " + "9" * 5000, "version can't be"),
            ("version: 1.10", "version can't be `1.10`: write a whole number"),
            ("version: 0", "version can't be `0`"),
            ("name: [a, b]", "`name` holds a list or a map"),
            ("kind: {a: b}", "`kind` holds a list or a map"),
            ("a: &x [*x]", "anchors and aliases"),
            ("\ta: b", "begins a line"),
        ],
    )
    def test_broken_frontmatter_gives_the_raw_text_line_and_reason(self, line: str, reason: str) -> None:
        text = f"\ufeff---\ntags: [a]\n{line}\n---\n\n# Body\n"
        decoded = read(text)
        assert decoded.broken is not None
        assert decoded.broken[0] == 3
        assert reason in decoded.broken[1]
        assert decoded.warnings == (f"broken frontmatter in line 3: {decoded.broken[1]}",)
        assert decoded.document.kind is Kind.REFERENCE
        assert decoded.document.body == text

    @pytest.mark.parametrize("text", ["---", "---\n", "---\nname: x\n"])
    def test_an_unterminated_block_is_broken_in_line_1(self, text: str) -> None:
        broken = read(text).broken
        assert broken is not None
        assert broken[0] == 1

    @pytest.mark.parametrize("confidence", ["nan", ".inf", "-0.5", "1e308", "1.5"])
    def test_an_impossible_confidence_breaks_a_fact(self, confidence: str) -> None:
        broken = read(f"---\nkind: fact\nconfidence: {confidence}\n---\n").broken
        assert broken is not None
        assert broken[0] == 3
        assert "from 0 to 1" in broken[1]

    def test_a_confidence_is_nothing_to_other_kinds(self) -> None:
        assert read("---\nconfidence: high\n---\n").broken is None

    @pytest.mark.parametrize(
        ("raw", "reason"),
        [
            (b"", "empty"),
            (b"\xef\xbb\xbf", "empty"),
            (b"ab\xff", "not UTF-8 at byte 2"),
            (b"---\nname: Ren\xe9\n---\n", "not UTF-8 at byte 13"),
            (b"a\xc0\xaf", "not UTF-8 at byte 1"),
            (b"a\xed\xa0\x80", "not UTF-8 at byte 1"),
            ("a".encode("utf-16"), "not UTF-8 at byte 0, it begins like UTF-16"),
            (b"\xfe\xff\x00a", "not UTF-8 at byte 0, it begins like UTF-16"),
            (b"\x7fELF\x00", "not text, NUL at byte 4"),
        ],
    )
    def test_what_is_no_text_is_unreadable(self, raw: bytes, reason: str) -> None:
        with pytest.raises(UnreadableTextError) as caught:
            read(raw)
        assert caught.value.reason == reason

    @given(st.binary(max_size=80) | st.binary(max_size=60).map(lambda raw: b"---\n" + raw + b"\n---\n"))
    def test_any_bytes_are_an_entry_or_unreadable(self, raw: bytes) -> None:
        try:
            decoded = read(raw)
        except UnreadableTextError:
            return
        assert encode(decoded.document, decoded) == raw

    @pytest.mark.parametrize(
        ("body", "line"),
        [
            ("", ""),
            (" \n\t\r\n", ""),
            ("\r# Title\rtext", "Title"),
            ("###### six", "six"),
            ("#hashtag", "#hashtag"),
            ("#\n---\n* * *\nC# is fine", "C# is fine"),
            ("# F# or C# ##", "F# or C#"),
            ("## ##\n-> x", "-> x"),
            ("#######\n# # #\n####### x", "####### x"),
            ("# a #b", "a #b"),
            ("# a#", "a#"),
            ("# a #", "a"),
            (" " * 500 + "x", "x"),
            ("- item", "- item"),
            ("ế" * 300, "ế" * 200),
            ("a\u2028b\nc", "a\u2028b"),
        ],
    )
    def test_the_first_line_that_says_something(self, body: str, line: str) -> None:
        assert first_line(body) == line

    @pytest.mark.parametrize("line", ["# -" + " " * 395 + "-\n", "-\n", "#\n", "# x" + " " * 395 + "#x", "\r"])
    def test_lines_that_say_nothing_are_passed_at_once(self, line: str) -> None:
        text = line * (2**20 // len(line))
        before = time.process_time()
        first_line(text)
        assert time.process_time() - before < 0.2


class TestWriting:
    def test_a_new_file(self) -> None:
        document = Document("Goals", "say: hello", EntryType.PROJECT, Kind.FACT, 1, CREATED, MODIFIED, "# Body\n---\n")
        assert encode(document).decode() == (
            '---\nname: Goals\ndescription: "say: hello"\ntype: project\nkind: fact\nversion: 1\n'
            "created: 2026-01-02T03:04:05.000006Z\nupdated: 2026-11-02T10:00:00.000000Z\n---\n\n# Body\n---\n\n"
        )

    @given(documents)
    def test_what_was_written_is_read(self, document: Document) -> None:
        assert document_of(encode(document)) == document

    @given(documents, files)
    def test_what_was_written_over_a_file_is_read(self, document: Document, raw: bytes) -> None:
        assert document_of(encode(document, read(raw))) == document

    @given(documents)
    def test_what_didnt_change_is_written_byte_for_byte(self, document: Document) -> None:
        raw = encode(document)
        assert encode(document, read(raw)) == raw

    @given(files)
    def test_a_file_is_written_back_byte_for_byte(self, raw: bytes) -> None:
        decoded = read(raw)
        assert encode(decoded.document, decoded) == raw

    @given(files, documents)
    def test_new_metadata_leaves_the_body_alone(self, raw: bytes, other: Document) -> None:
        decoded = read(raw)
        after = encode(other._replace(body=decoded.document.body), decoded)
        assert after.endswith(decoded.layout.rest.encode())

    @pytest.mark.parametrize("newline", ["\n", "\r\n"])
    def test_an_update_touches_the_keys_that_changed(self, newline: str) -> None:
        text = (
            "\ufeff---\n# ours\nupdated: 2026-01-01 # last\ntags: [a,  b]\nversion: 3\nname: 'Goals'\n"
            "description: |\n  two\n  lines\nkind: log\ncreated: 2026-01-01\n"
            "type: memo\n\n---\n\n\nbody  \n\n"
        ).replace("\n", newline)
        decoded = read(text)
        after = encode(decoded.document._replace(version=4, updated_at=MODIFIED), decoded)
        expected = text.replace("2026-01-01 #", "2026-11-02T10:00:00.000000Z #").replace("version: 3", "version: 4")
        assert after == expected.encode()

    def test_an_update_says_what_was_only_assumed(self) -> None:
        decoded = read("---\r\nname:\r\n---\r\n# Title\r\n")
        after = encode(decoded.document._replace(version=2), decoded)
        assert after.decode() == (
            "---\r\nname: goals\r\ndescription: Title\r\ntype: project\r\nkind: reference\r\nversion: 2\r\n"
            "created: 2026-11-02T10:00:00.000000Z\r\nupdated: 2026-11-02T10:00:00.000000Z\r\n---\r\n# Title\r\n"
        )

    def test_a_file_without_frontmatter_gets_one(self) -> None:
        decoded = read("\ufeff# Title\r\n")
        after = encode(decoded.document._replace(version=2), decoded).decode()
        assert after.startswith("\ufeff---\r\nname: goals\r\n")
        assert after.endswith("---\r\n\r\n# Title\r\n")

    def test_an_assumed_description_follows_the_body(self) -> None:
        decoded = read("# Old\n")
        after = document_of(encode(decoded.document._replace(body="# New"), decoded))
        assert after.description == "New"

    def test_a_new_body_keeps_the_line_ends_around_it(self) -> None:
        decoded = read(b"---\r\nname: x\r\n---\r\n\r\nold\r\n")
        assert encode(decoded.document._replace(body="new"), decoded).endswith(b"---\r\n\r\nnew\r\n")

    def test_broken_frontmatter_is_never_rewritten(self) -> None:
        decoded = read("---\na: [\n---\nbody\n")
        with pytest.raises(MalformedFrontmatterError):
            encode(decoded.document._replace(body="x"), decoded)

    @pytest.mark.parametrize(
        ("change", "field"),
        [
            ({"body": "a\0"}, "body"),
            ({"body": "a\ud800"}, "body"),
            ({"name": "a\ud800"}, "frontmatter"),
            ({"description": "x" * 20_000}, "frontmatter"),
        ],
    )
    def test_what_couldnt_be_read_again_is_not_written(self, change: dict[str, str], field: str) -> None:
        document = document_of("body\n")
        with pytest.raises(InvalidEntryError) as caught:
            encode(document._replace(**change))  # type: ignore[arg-type]
        assert caught.value.fields["field"] == field

    def test_a_confidence_that_is_none_keeps_an_entry_from_becoming_a_fact(self) -> None:
        decoded = read("---\nkind: log\nconfidence: high\n---\nbody\n")
        with pytest.raises(InvalidEntryError, match="kind can't be `fact`") as caught:
            encode(decoded.document._replace(kind=Kind.FACT), decoded)
        assert caught.value.hint.startswith("mend line 3 of the file first")

    def test_the_last_version_that_can_be_read_is_the_last_that_is_written(self) -> None:
        document = document_of("---\nversion: 999999999999998\n---\nbody\n")._replace(version=10**15 - 1)
        assert document_of(encode(document, read("body\n"))) == document
        for over in (None, read("body\n")):
            with pytest.raises(InvalidEntryError, match="version can't be `1000000000000000`"):
                encode(document._replace(version=10**15), over)

    def test_a_block_that_is_full_is_not_overfilled(self) -> None:
        decoded = read("---\n" + "".join(f"k{n}: x\n" for n in range(60)) + "---\nbody\n")
        with pytest.raises(InvalidEntryError, match="frontmatter"):
            encode(decoded.document._replace(version=2), decoded)

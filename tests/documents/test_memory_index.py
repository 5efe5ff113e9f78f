"""The index of a folder: ours among theirs."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trinho.documents.links import targets
from trinho.documents.memory_index import Pointer, is_entry_line, load, pointer_line, refresh
from trinho.documents.visible import is_unseen

A = Pointer("a.md", "Alpha", "first")
B = Pointer("team/b.md", "Beta", "second")
C = Pointer("c.md", "Gamma", "third")
LINE_A = "- [Alpha](a.md) — first"
LINE_B = "- [Beta](team/b.md) — second"
LINE_C = "- [Gamma](c.md) — third"

segments = st.text(st.sampled_from("aế规 ()[]#%&`'_+-.,;!😀\u00a0"), min_size=1, max_size=20).filter(
    lambda text: text.strip(". ") == text
)
paths = st.lists(segments, min_size=1, max_size=3).map(lambda steps: "/".join(steps) + ".md")
words = st.text(max_size=200) | st.text(st.sampled_from("[]()\\`<>!*_|#\n -—a"), max_size=200)
pointers = st.builds(Pointer, target=paths, name=words, description=words)
few = st.lists(
    st.builds(Pointer, st.sampled_from([f"{c}.md" for c in "abcdefgh"]), st.sampled_from("XYZ"), st.just("d")),
    unique_by=lambda pointer: pointer.target,
    max_size=6,
)
hand_lines = st.lists(
    st.sampled_from(
        ["", "# Title", "- [mine](a.md)", "* [[b]]", "prose about [c](c.md)", "- x", "\ufeff", "[D](./d.md)", "\t"]
    )
)
newlines = st.sampled_from(["\n", "\r\n", "\r"])


class TestLine:
    def test_a_line_has_name_file_and_description(self) -> None:
        assert pointer_line(A) == LINE_A
        assert pointer_line(Pointer("a.md", "Alpha", " \n")) == "- [Alpha](a.md)"

    def test_brackets_and_what_could_swallow_a_link_are_disarmed(self) -> None:
        line = pointer_line(Pointer("a.md", "x](evil.md) `\\", "[y](evil.md)\n- [z](evil.md) <!-- `\u202e"))
        assert line == "- [x)(evil.md) '/](a.md) — (y)(evil.md) - (z)(evil.md) ‹!-- '"

    @pytest.mark.parametrize(
        ("target", "written"),
        [
            ("a b.md", "<a b.md>"),
            ("a(b).md", "<a(b).md>"),
            ("a\u00a0b.md", "<a\u00a0b.md>"),
            ("a#b%20.md", "a%23b%2520.md"),
        ],
    )
    def test_targets_are_written_so_that_they_are_read(self, target: str, written: str) -> None:
        assert pointer_line(Pointer(target, "N", "")) == f"- [N]({written})"

    def test_what_a_tag_would_say_points_nowhere(self) -> None:
        line = pointer_line(Pointer("a.md", "href='b.md'", "<a href='c.md'>"))
        assert line is not None
        assert targets(line) == ["a.md"]

    def test_a_file_name_that_leaves_no_room_gets_no_line(self) -> None:
        assert pointer_line(Pointer("x" * 150, "Name", "d")) is None

    @given(pointers)
    def test_a_line_points_to_its_file_alone_and_is_short(self, pointer: Pointer) -> None:
        line = pointer_line(pointer)
        assert line is not None
        assert targets(line) == [pointer.target]
        assert is_entry_line(line)
        assert len(line) < 150
        assert not any(map(is_unseen, line))

    def test_long_texts_are_cut(self) -> None:
        line = pointer_line(Pointer("a.md", "n" * 1000, "d" * 1_000_000))
        assert line == f"- [{'n' * 59}…](a.md) — {'d' * 75}…"
        assert len(line) == 149


class TestRefresh:
    def test_a_missing_index_is_begun(self) -> None:
        assert refresh("", [A, B], {}) == (
            f"# Memory index\n\n{LINE_A}\n{LINE_B}\n",
            {"a.md": LINE_A, "team/b.md": LINE_B},
        )

    def test_no_index_is_begun_for_nothing(self) -> None:
        assert refresh("", [], {}) == ("", {})

    def test_our_lines_are_replaced_where_they_stand(self) -> None:
        text = f"# Mine\n\n{LINE_A}\n## Team\n{LINE_B}\ntail"
        ours = {"a.md": LINE_A, "team/b.md": LINE_B}
        changed, written = refresh(text, [B, Pointer("a.md", "Alpha", "changed")], ours)
        assert changed == text.replace("first", "changed")
        assert written == {"team/b.md": LINE_B, "a.md": "- [Alpha](a.md) — changed"}

    def test_new_lines_follow_the_last_of_ours(self) -> None:
        changed, _ = refresh(f"{LINE_A}\n\nafterword\n", [A, B], {"a.md": LINE_A})
        assert changed == f"{LINE_A}\n{LINE_B}\n\nafterword\n"

    def test_new_lines_take_the_place_of_the_last_that_goes(self) -> None:
        changed, _ = refresh(f"x\n{LINE_A}\nafterword\n", [B], {"a.md": LINE_A})
        assert changed == f"x\n{LINE_B}\nafterword\n"

    def test_new_lines_go_to_the_end_where_none_is_ours(self) -> None:
        assert refresh("# Mine\r\ntext", [A], {})[0] == f"# Mine\r\ntext\r\n{LINE_A}\r\n"

    def test_what_is_no_longer_wanted_goes(self) -> None:
        assert refresh(f"x\n{LINE_A}\n", [], {"a.md": LINE_A}) == ("x\n", {})

    def test_a_line_that_a_person_edited_is_theirs(self) -> None:
        text = "- [Alpha](a.md) — my own words\n"
        assert refresh(text, [A], {"a.md": LINE_A}) == (text, {})
        assert refresh(text, [], {"a.md": LINE_A}) == (text, {})

    @pytest.mark.parametrize(
        "line", ["* [x](./a.md)", "1. [x](<a.md> 't')", "| [[a]] |", "> [x](a.md#top)", "[x](%61.md)"]
    )
    def test_what_a_person_points_to_gets_no_second_line(self, line: str) -> None:
        assert refresh(f"{line}\n", [A], {}) == (f"{line}\n", {})

    def test_a_person_who_points_to_it_too_takes_it_over(self) -> None:
        assert refresh(f"{LINE_A}\n- [mine](a.md)\n", [A], {"a.md": LINE_A}) == ("- [mine](a.md)\n", {})

    def test_prose_that_mentions_a_file_is_no_pointer(self) -> None:
        assert refresh("as [said](a.md)\n", [A], {})[0] == f"as [said](a.md)\n{LINE_A}\n"

    def test_a_line_of_ours_stands_once(self) -> None:
        assert refresh(f"{LINE_A}\n{LINE_A}\n", [A], {"a.md": LINE_A})[0] == f"{LINE_A}\n"

    def test_people_come_first_among_200_lines(self) -> None:
        theirs = "".join(f"- [{n}](their{n}.md)\n" for n in range(198))
        changed, written = refresh(theirs, [A, Pointer("their0.md", "x", "y"), B, C], {"c.md": LINE_C})
        assert changed == f"{theirs}{LINE_A}\n{LINE_B}\n"
        assert list(written) == ["a.md", "team/b.md"]

    def test_people_may_have_more_than_200_lines(self) -> None:
        theirs = "".join(f"- [{n}](their{n}.md)\n" for n in range(201))
        assert refresh(f"{theirs}{LINE_A}\n", [A], {"a.md": LINE_A}) == (theirs, {})

    @given(hand_lines, few, few, newlines)
    def test_a_second_refresh_changes_nothing(
        self, lines: list[str], before: list[Pointer], after: list[Pointer], newline: str
    ) -> None:
        text, ours = refresh(newline.join(lines), before, {})
        once = refresh(text, after, ours)
        assert refresh(once[0], after, once[1]) == once

    @given(hand_lines, few, few)
    def test_what_people_wrote_stays_as_it_is(
        self, lines: list[str], before: list[Pointer], after: list[Pointer]
    ) -> None:
        theirs = "".join(line + "\n" for line in ["# Mine", *lines])
        text, ours = refresh(theirs, before, {})
        text, ours = refresh(text, after, ours)
        assert refresh(text, [], ours) == (theirs, {})

    @given(hand_lines, few)
    def test_every_wanted_file_is_pointed_to_and_by_us_once(self, lines: list[str], wanted: list[Pointer]) -> None:
        text, ours = refresh("\n".join(lines), wanted, {})
        pointed = {target for line in text.splitlines() if is_entry_line(line) for target in targets(line)}
        assert {pointer.target for pointer in wanted} <= pointed
        assert set(ours).isdisjoint(target for line in lines if is_entry_line(line) for target in targets(line))
        assert all(text.count(line) == 1 for line in ours.values())


class TestLoad:
    def test_a_small_index_is_loaded_whole(self) -> None:
        text = "x\n" * 200
        assert load(text) == (text, None)

    def test_lines_beyond_200_are_cut_with_advice(self) -> None:
        text, warning = load("x\n" * 201)
        assert text == "x\n" * 200
        assert warning is not None
        assert "201 lines" in warning
        assert "move detail into the entries" in warning

    def test_bytes_beyond_25000_are_cut_at_a_line_end(self) -> None:
        text, warning = load(("ế" * 99 + "\n") * 150)
        assert text == ("ế" * 99 + "\n") * 83
        assert warning is not None

    @pytest.mark.parametrize(
        ("text", "lines"), [("x\r\n" * 300, 300), ("x\r" * 300, 300), ("\n\r" * 250 + "x", 252), ("\r\n" * 201, 201)]
    )
    def test_lines_are_counted_with_any_end(self, text: str, lines: int) -> None:
        loaded, warning = load(text)
        assert warning is not None
        assert f"has {lines} lines" in warning
        assert text.startswith(loaded)

    def test_a_million_lines_are_no_work(self) -> None:
        before = time.process_time()
        assert load("\n" * 4_000_000)[0] == "\n" * 200
        assert time.process_time() - before < 0.5

    def test_a_line_longer_than_all_is_left_out(self) -> None:
        assert load("x" * 30_000)[0] == ""


def test_what_we_write_is_never_more_than_is_loaded() -> None:
    """Headings and blank lines count, too."""
    wanted = [Pointer(f"n{n}.md", f"n{n}", "") for n in range(300)]
    for text in ("", "# Mine\n\nsome prose\n" * 30):
        refreshed, _ = refresh(text, wanted, {})
        assert load(refreshed)[1] is None
        assert len(refreshed.splitlines()) == 200

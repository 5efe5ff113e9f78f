"""What comes in goes out again, byte for byte."""

from __future__ import annotations

import os
import tempfile
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.cleanroom import Home, Terminal

from trinho.errors import InvalidMemoryIdError, UnauthorizedMemoryAccessError, UsageError

if TYPE_CHECKING:
    from trinho.application.transfer import Imported

REAL = Path(__file__).resolve().parents[3] / "shared" / "data" / "adr"


def bring_in(home: Home, folder: Path, into: str | None = "shared:in", kind: str = "markdown") -> Imported:
    with home.memory() as memory:
        return memory.import_from(kind, str(folder), into=into)


def put(folder: Path, **files: str | bytes) -> Path:
    """A folder with these files; `__` in a name is a separator."""
    for name, content in files.items():
        path = folder / (name.replace("__", "/") + ".md")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


@pytest.fixture
def source(tmp_path: Path) -> Path:
    made = tmp_path / "source"
    made.mkdir()
    return made


class TestImport:
    """Each file becomes one entry, all in one run; what is faulty stops nothing else."""

    def test_shapes_of_real_files(self, home: Home, source: Path) -> None:
        files = {
            "sentence": "---\nname: Ann leads the team\ndescription: 'Quotes \" — and: colons'\ntype: user\n---\n\nX\n",
            "extra": "---\nname: a-slug\noriginSessionId: 0190\nlist:\n  - x\n---\n\n| a |\n|---|\n\n```sh\n---\n```\n",
            "crlf": "---\r\nname: x\r\n---\r\n\r\nText.\r\n",
            "plain": "No frontmatter, no newline at the end",
            "mark": "\ufeff---\nname: x\n---\nTiếng Việt, 日本語\n",
            "logs__2026__11__2026-11-30": "- 10:00 began\n",
        }
        report = bring_in(home, put(source, **files))
        assert [path for path, _ in report.added] == [str(source / f"{n.replace('__', '/')}.md") for n in sorted(files)]
        for name, content in files.items():
            assert (home.root / "shared/in" / f"{name.replace('__', '/')}.md").read_bytes() == content.encode()

    def test_again_adds_nothing(self, home: Home, source: Path) -> None:
        put(source, a="1\n", sub__b="2\n", MEMORY="- [A](a.md)\n")
        first = bring_in(home, source)
        before = {path: path.read_bytes() for path in home.root.glob("shared/**/*.md")}
        again = bring_in(home, source)
        assert (again.run, again.added, again.skipped) == (None, [], [])
        assert again.unchanged == first.added
        assert {path: path.read_bytes() for path in home.root.glob("shared/**/*.md")} == before

    def test_one_run_and_one_undo(self, home: Home, source: Path) -> None:
        put(source, a="1\n", b="2\n", c="3\n")
        run = bring_in(home, source).run
        lines = [line for line in home.audit() if line["operation"] == "import"]
        assert [(line["id"], line["result"], line["run"]) for line in lines] == [
            (f"shared:in:{name}", "allowed", run) for name in "abc"
        ]
        with home.memory() as memory:
            assert len(memory.undo().entries) == 3
        assert list(home.root.glob("shared/in/*")) == []

    def test_what_exists_is_never_overwritten(self, home: Home, source: Path) -> None:
        home.write("shared/in/a.md", "mine\n")
        report = bring_in(home, put(source, a="theirs\n", b="new\n"))
        assert report.skipped == [(str(source / "a.md"), "`shared:in:a` exists with other content")]
        assert [str(id) for _, id in report.added] == ["shared:in:b"]
        assert (home.root / "shared/in/a.md").read_text(encoding="utf-8") == "mine\n"

    def test_what_is_left_out_has_a_reason(self, home: Home, source: Path) -> None:
        put(source, broken="---\nname: x\nx: [\n---\n", empty="", latin=b"caf\xe9", nul=b"a\0b", sound="x\n")
        reasons = {Path(path).name: reason for path, reason in bring_in(home, source).skipped}
        assert reasons.pop("broken.md").startswith("broken frontmatter in line ")
        assert reasons == {
            "empty.md": "empty",
            "latin.md": "not UTF-8 at byte 3",
            "nul.md": "not text, NUL at byte 1",
        }

    def test_twins(self, home: Home, source: Path) -> None:
        """Names that a file system may take for one: the first in the order of paths comes in."""
        put(source, Read="1\n", read="2\n", **{unicodedata.normalize("NFD", "é"): "3\n", "é": "4\n"})
        put(source, **{"odd:name": "5\n", "odd?name": "6\n"})
        report = bring_in(home, source)
        reasons = [reason for _, reason in report.skipped]
        assert len(report.added) == 3
        assert [reason.split("`")[1] for reason in reasons] == ["odd:name.md", "Read.md", "é.md"]
        assert bring_in(home, source).skipped == report.skipped

    def test_a_folder_in_the_way_of_a_file(self, home: Home, source: Path) -> None:
        """`x?.md` would be x.md, which is a folder here."""
        report = bring_in(home, put(source, **{"x.md__in": "1\n", "x?": "2\n", "other": "3\n"}))
        assert [str(id) for _, id in report.added] == ["shared:in:other", "shared:in:x.md:in"]
        assert len(report.skipped) == 1

    def test_a_folder_of_the_root_in_the_way(self, home: Home, source: Path) -> None:
        home.write("shared/in/x.md/y.md", "mine\n")
        home.write("shared/in/sub", "a file where a folder should go\n")
        report = bring_in(home, put(source, x="1\n", sub__a="2\n", other="3\n"))
        assert [str(id) for _, id in report.added] == ["shared:in:other"]
        assert len(report.skipped) == 2

    def test_too_many_segments(self, home: Home, source: Path) -> None:
        report = bring_in(home, put(source, **{"__".join("d" * 30): "deep\n", "a": "1\n"}), "shared:in:to:this")
        assert [reason for _, reason in report.skipped] == ["more than 32 segments"]

    def test_names_are_told_of(self, home: Home, source: Path) -> None:
        with open(os.path.join(os.fsencode(source), b"caf\xe9.md"), "w", encoding="utf-8") as file:
            file.write("x\n")
        (note,) = bring_in(home, source).notes
        assert note == (f"{source}/caf\\xe9.md", None, "its name can't be an id; it goes by `shared:in:caf`")

    def test_a_version_that_the_file_declares(self, home: Home, source: Path) -> None:
        bring_in(home, put(source, a="---\nname: x\nversion: 7\n---\n\nText.\n"))
        with home.memory() as memory:
            assert memory.get("shared:in:a").version == 7


class TestWhoMay:
    """A person, into a branch, from outside of the root; every refusal is audited, and nothing is read before it."""

    def test_no_agent(self, home: Home, source: Path) -> None:
        with home.memory("main") as memory, pytest.raises(UnauthorizedMemoryAccessError) as denied:
            memory.import_from("markdown", str(source / "not even there"))
        assert denied.value.error_code == "RESERVED_FOR_PRINCIPAL"
        assert home.told()[-1] == ("main", "import", None, "denied", "RESERVED_FOR_PRINCIPAL")

    def test_no_branch(self, home: Home, source: Path) -> None:
        with pytest.raises(InvalidMemoryIdError):
            bring_in(home, source, "no branch")
        assert home.told()[-1] == ("principal", "import", "no branch", "error", "INVALID_MEMORY_ID")

    def test_not_the_root_itself(self, home: Home) -> None:
        home.write("shared/a.md", "x\n")
        with pytest.raises(UsageError, match="is inside the memory root"):
            bring_in(home, home.root / "shared")
        assert home.told()[-1] == ("principal", "import", "shared:in", "error", "USAGE")


class TestExport:
    """What the actor may read, as it is."""

    def test_files_and_indexes(self, home: Home, source: Path, tmp_path: Path) -> None:
        bring_in(home, put(source, a="1\n", sub__b=b"\xef\xbb\xbf2"), "project:alp")
        home.write("shared/broken.md", b"---\nname: [\n---\n\xff")
        with home.memory() as memory:
            memory.export_to(str(tmp_path / "out"))
        out = {str(path.relative_to(tmp_path / "out")): path.read_bytes() for path in (tmp_path / "out").rglob("*.md")}
        assert out == {name: (home.root / name).read_bytes() for name in out}
        assert sorted(out) == [
            "projects/alp/MEMORY.md",
            "projects/alp/a.md",
            "projects/alp/sub/b.md",
            "shared/broken.md",
        ]

    def test_an_index_shows_only_what_may_be_seen(self, home: Home) -> None:
        home.write("projects/alp/facts/x.md", "open\n")
        home.write("projects/alp/goals.md", "closed\n")
        index = "# Head\n\n- [X](facts/x.md)\n- [G](goals.md)\n- [B](facts/x.md) [[goals]]\n- [U](https://a.example)\n"
        home.write("projects/alp/MEMORY.md", index)
        with home.memory() as memory:
            assert memory.export("project:alp").indexes == (("projects/alp/MEMORY.md", index.encode()),)
            narrow = memory.export("project:alp:facts").indexes
        assert narrow == (("projects/alp/MEMORY.md", b"- [X](facts/x.md)\n"),)

    def test_what_cannot_be_read(self, home: Home, tmp_path: Path) -> None:
        home.write("shared/a.md", "x\n")
        (home.root / "shared/link.md").symlink_to("a.md")
        (home.root / "shared/.hidden.md").write_text("x", encoding="utf-8")
        home.write("shared/CON.md", "x\n")
        with home.memory() as memory:
            skipped = dict(memory.export_to(str(tmp_path / "out")).skipped)
        assert sorted(skipped) == ["shared/CON.md", "shared/link.md"]
        with home.memory("search") as memory:  # a name that is no id is nobody's to read
            assert [path for path, _ in memory.export().skipped] == ["shared/link.md"]

    def test_not_into_the_root(self, home: Home) -> None:
        home.write("shared/a.md", "x\n")
        with home.memory() as memory, pytest.raises(UsageError, match="is inside the memory root"):
            memory.export_to(str(home.root / "out"))
        assert not (home.root / "out").exists()


NAMES = st.one_of(
    st.sampled_from([b"MEMORY", b"a", b"A", b"a.md", b"CON", b"x y", b"..x", b"caf\xe9", "é".encode(), b"e\xcc\x81"]),
    st.binary(min_size=1, max_size=12).map(lambda raw: raw.replace(b"/", b"_").replace(b"\0", b"_")),
).filter(lambda name: name not in (b".", b".."))
PATHS = st.lists(NAMES, min_size=1, max_size=3).map(tuple)
CONTENTS = st.one_of(
    st.text().map(str.encode),
    st.binary(max_size=40),
    st.text(max_size=20).map(lambda text: f"---\nname: {text}\nversion: 3\n---\n{text}\r\n".encode()),
)


class TestRoundTrip:
    """Whatever lies in a folder: what is accepted comes back byte for byte, and a second time nothing comes in."""

    @settings(max_examples=12, deadline=None)
    @example(
        {(b"MEMORY",): b"- [a](a.md)\n", (b"a",): b"x", (b"team", b"MEMORY"): b"y", (b"team", b"z"): b"z"},
        "project:alp",
    )
    @example({(b"a.md", b"x"): b"1", (b"a?",): b"2", (b"A",): b"3", (b"a",): b"4"}, "shared:in")
    @given(st.dictionaries(PATHS, CONTENTS, max_size=6), st.sampled_from(["shared:in", "shared", "project:alp"]))
    def test_holds(self, files: dict[tuple[bytes, ...], bytes], into: str) -> None:
        with tempfile.TemporaryDirectory() as made:
            home, source = Home(Path(made) / "home"), Path(made) / "source"
            source.mkdir()
            written = [parts for parts, raw in files.items() if write_raw(source, parts, raw)]
            first, again = bring_in(home, source, into), bring_in(home, source, into)
            indexes = sum("its lines are those of" in note.note for note in first.notes)
            met = [parts for parts in written if not any(part.startswith(b".") for part in parts[:-1])]
            assert len(first.added) + len(first.skipped) + indexes == len(met)
            assert (again.run, again.added, again.unchanged) == (None, [], first.added)
            assert again.skipped == first.skipped
            with home.memory() as memory:
                memory.export_to(str(Path(made) / "out"))
                given_back = [
                    (path, (Path(made) / "out" / memory.file_of(id)).read_bytes()) for path, id in first.added
                ]
            assert set(given_back) <= {(escaped(source, parts), files[parts]) for parts in written}


def write_raw(folder: Path, parts: tuple[bytes, ...], raw: bytes) -> bool:
    """Write a file unless a file is in the way of its folders; answers with whether it did."""
    path = os.path.join(os.fsencode(folder), *parts) + b".md"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "xb") as file:
            file.write(raw)
    except OSError:
        return False
    return True


def escaped(folder: Path, parts: tuple[bytes, ...]) -> str:
    """How a report names a file."""
    path = os.path.join(os.fsencode(folder), *parts) + b".md"
    return path.decode(errors="backslashreplace")


@pytest.mark.skipif(not REAL.is_dir(), reason="../shared/data/adr isn't there")
def test_real_decision_records(home: Home, tmp_path: Path) -> None:
    """Records of a public project: names with spaces, and one of 300 kB."""
    report = bring_in(home, REAL, None)
    assert report.skipped == []
    with home.memory() as memory:
        memory.export_to(str(tmp_path / "out"))
    sources = [path for path in REAL.rglob("*.md") if ".claude" not in path.parts]
    assert len(report.added) == len(sources) > 40
    for path in sources:
        assert (tmp_path / "out/shared/adr" / path.relative_to(REAL)).read_bytes() == path.read_bytes()


def test_a_file_that_lacks_quotes_comes_in_as_it_is(home: Home, trinho: Terminal) -> None:
    """As models write descriptions; `doctor --fix` makes it recallable, and another import leaves it alone."""
    text = "---\nname: x\ndescription: use tabs: always\n---\nbody\n"
    (home.folder / "in").mkdir()
    (home.folder / "in/x.md").write_text(text)
    line = ("import", "markdown", str(home.folder / "in"), "--into", "shared:a", "--json")
    report = trinho(*line).json
    assert ([each["id"] for each in report["added"]], report["skipped"]) == (["shared:a:x"], [])
    assert (report["notes"][0]["line"], "doctor --fix" in report["notes"][0]["note"]) == (3, True)
    assert (home.root / "shared/a/x.md").read_text() == text
    assert trinho(*line).json["unchanged"]
    assert trinho("doctor", "--fix").status == 0
    assert [each["id"] for each in trinho("search", "tabs", "--json").json["results"]] == ["shared:a:x"]
    assert trinho(*line).json["added"] == []

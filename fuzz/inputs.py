"""Inputs that are worth keeping: what a search begins with, and what once broke a law."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_MARKS = "\u0301\u0316".encode()
_BOMB = b"---\na: &a [x,x,x,x]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\n---\n"

# What the formats are made of
WORDS: tuple[bytes, ...] = (
    *(b"shared:", b"project:", b"private:", b":", b"*", b"team", b"MEMORY", b"..", b"con", b"%2e", b"\0", b"\n", b"\r"),
    *(b"---\n", b"name: ", b"description: ", b"type: ", b"kind: fact\n", b"version: ", b"created: ", b"confidence: "),
    *(b": ", b" # ", b"'", b'"', b"|\n  ", b">-\n  ", b"- ", b"[", b"]", b"{", b"}", b"&a ", b"*a", b"!!str ", b"<<: "),
    *(b"- [", b"](", b"a.md", b"team/b (1).md", b")", b"[[", b"]]", b"<a href='", b"> ", b"%23", b"\\", b"\t"),
    *("ế".encode(), "\u0301".encode(), "\ufeff".encode(), "\u2028".encode(), "\u202e".encode(), "\u0430".encode()),
)

SEEDS: Mapping[str, tuple[bytes, ...]] = {
    "memory_id": (
        b"",
        b"shared:team:indentation",
        b"project:lantern:team:MEMORY",
        "private:worker:quy-ước:thụt-lề".encode(),
        b"shared:" + _MARKS,
        b"shared:con.txt",
        b"shared:%2e%2e",
        b"shared:..:x",
        b"shared:a\x00b",
        b"shared:\xff\xfe",
        "shared:аpple".encode(),
        b"shared" + b":a" * 40,
    ),
    "grant": (
        b"",
        b"shared\nshared:*\nshared:team\nshared:team:*\nshared:team:x",
        b"project:*\nproject:*:facts\nproject:*:facts:*\nproject:lantern:facts:x\nprivate:lantern:facts:x",
        b"private:worker:*\nprivate:worker\nprivate:*\nprivate:worker:a:b",
        b"project:*:*\nproject:a:*\nproject:a:b\n*\nshared:*:x",
        "project:quy-ước:*".encode(),
    ),
    "frontmatter": (
        b"",
        b"# Title\n\nbody\n",
        b"\xef\xbb\xbf---\r\nname: 'x'  # why\r\ntags: [a, {b: c}]\r\n---\r\n\r\nbody\r\n",
        (
            b"---\nname: Goals\ndescription: What we want\ntype: feedback\nkind: decision\nversion: 7\n"
            b"created: 2026-01-02T03:04:05.000006Z\nupdated: 2026-11-02T17:00:00+07:00\n---\n\nBe kind.\n"
        ),
        b"---\rkind: log\rname: |\r  x\r---\r\rbody\r",
        b"---\nname: >2-\n    x\n\ndescription:\n  goes\n\n  on # why\n# end\n---\n---\nkind: draft\n---\n",
        b'---\n"name" : "q\\n\\u00e9"\nversion:\nkind: fact\nconfidence: 0.5\n---',
        b"---\n  name: x\n  a:\n  - b\n---\n",
        b"---\nkind: memo\ntype: ''\ncreated: 0001-01-01\n---\n",
        b"---\nnull: x\nname: no\n---\nno",
        b"---\nname: no\n---\n",
        b"x:a # b: c",
        b"---\r# x:\n# y\rname: x\r---\rbody",
        _BOMB,
        b"---\na: " + b"[" * 2000 + b"\n---\n",
        b"---\n" + b"".join(b"k%d: x\n" % n for n in range(70)) + b"---\n",
        b"\xff\xfe-\x00",
        b"a\x00b",
    ),
    "memory_index": (
        b"",
        b"# Memory index\n\n- [Alpha](a.md) \xe2\x80\x94 first\n",
        b"# Mine\r\n* [[a]]\r\n1. [x](<team/b (1).md> 't')\r\ntail\x00[y](evil.md)\n- [z](evil.md) <!-- `",
        b"- [x](./team/../a.md#top)\n[x]: <%61.md>\n<a href='a.md'>a</a>\n> [s](https://x.y)\nprose [a](a.md)",
        b"\r\n\n\r\n\xff\n",
        b"# Mine\n\0[[b]] [c](c.md)\n[[c]]",
        b"x\x00" + _MARKS * 40,
    ),
}

FINDINGS: Mapping[str, tuple[bytes, ...]] = {
    "memory_id": (),
    "grant": (),
    "frontmatter": (
        b"---\nkind: log\nconfidence: 1.5\n---\n",  # became a fact that was broken
        b"---\nname: 'x'#why\n---\n",  # the comment became part of the name
        b"---\nversion: 999999999999999\n---\n",  # the next version was broken
        b"\x1f# -" + b" " * 395 + b"-\n",  # a long way to the first line that says something
    ),
    "memory_index": (
        b"# Mine\n\0<a href='b.md'>\nhref='b.md'",  # a description that pointed somewhere
        b"\x1d\xb7M\n\r\n\n",  # people's lines leave little room for ours
        b"\x1d\xeeM" + b"\xff" * 114 + b"\n\xef\xb8\x80\nM\n",  # people's lines leave room for just ours
    ),
}

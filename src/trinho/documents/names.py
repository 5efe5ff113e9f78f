"""Names for new entries, made from any text."""

from __future__ import annotations

import re
import unicodedata

from trinho.documents.visible import is_unseen
from trinho.domain.ids import LATIN_TWINS, MAX_SEGMENT_BYTES, segment_fault

_NAMELESS = "memory"
# Longer text is cut first, so that normalising thousands of stacked marks can't take long.
_MAX_CHARACTERS = 400
_GAPS = re.compile(r"[-\s]+")
_TWINS = str.maketrans(LATIN_TWINS)


def segment_from(text: str) -> str:
    """A valid segment of an ID that still reads like the text, in small letters of its own language."""
    cut = _cut(_cleaned(text))
    # INVARIANT: a cleaned and cut segment can only be at fault for mixed alphabets or as a device name.
    if segment_fault(cut):
        cut = _cut(_beside_devices(_without_twins(cut)))
    return cut or _NAMELESS


def _cleaned(text: str) -> str:
    lowered = _nfc(_nfc(text[:_MAX_CHARACTERS]).lower())
    kept = _nfc("".join(map(_kept, lowered)))
    return _trimmed(_GAPS.sub("-", kept))


def _kept(character: str) -> str:
    if is_unseen(character) and not character.isspace():
        return ""
    if character in "_.-" or unicodedata.category(character)[0] in "LMN":
        return character
    return " "


def _without_twins(text: str) -> str:
    """Latin letters in place of the foreign ones that look the same; ids refuse the mixture."""
    return _nfc(text.translate(_TWINS))


def _beside_devices(text: str) -> str:
    stem, dot, tail = text.partition(".")
    return f"{stem}-{_NAMELESS}{dot}{tail}" if stem and segment_fault(stem) else text


def _cut(text: str) -> str:
    if len(text.encode()) <= MAX_SEGMENT_BYTES:
        return text
    cut = text.encode()[:MAX_SEGMENT_BYTES].decode(errors="ignore")
    word_end = cut.rfind("-")
    return _trimmed(cut[:word_end] if word_end > len(cut) // 2 else cut)


def _trimmed(text: str) -> str:
    return text.strip(" -.")


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)

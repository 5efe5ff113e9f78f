"""Characters that draw nothing, and could hide text from the person who reads along."""

from __future__ import annotations

# The inside of a class of characters: bidi and other invisible marks, line separators, lone surrogates
UNSEEN = "\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff\ud800-\udfff"

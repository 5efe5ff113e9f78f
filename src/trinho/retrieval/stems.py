"""Words brought to one form: "deployed" and "deploys" to "deploy", "went" to "go"."""

from __future__ import annotations

from functools import cache, lru_cache

import Stemmer

# What no rule about endings reaches: verbs and nouns that change within
_IRREGULAR = """arise arose arisen|awake awoke awoken|bear bore borne|beat beaten|become became|begin began begun
bend bent|bite bit bitten|bleed bled|blow blew blown|break broke broken|bring brought|build built|burn burnt|buy bought
catch caught|choose chose chosen|cling clung|come came|creep crept|deal dealt|dig dug|do did done does|draw drew drawn
dream dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought
find found|flee fled|fly flew flown flies|forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven
freeze froze frozen|get got gotten|give gave given|go went gone goes|grind ground|grow grew grown|hang hung
have had has|hear heard|hide hid hidden|hold held|keep kept|kneel knelt|know knew known|lay laid|lead led|lean leant
leap leapt|learn learnt|leave left|lend lent|lie lay lain|light lit|lose lost|make made|mean meant|meet met|pay paid
prove proven|ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought|sell sold
send sent|sew sewn|shake shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung
sink sank sunk|sit sat|sleep slept|slide slid|speak spoke spoken|speed sped|spell spelt|spend spent|spill spilt
spin spun|spring sprang sprung|stand stood|steal stole stolen|stick stuck|sting stung
strike struck|strive strove striven
swear swore sworn|sweep swept|swell swollen|swim swam swum|swing swung|take took taken|teach taught|tear tore torn
tell told|think thought|throw threw thrown|tread trod trodden|understand understood|undo undid undone|wake woke woken
wear wore worn|weave wove woven|weep wept|win won|wind wound|withdraw withdrew withdrawn|write wrote written
overwrite overwrote overwritten|rewrite rewrote rewritten|rebuild rebuilt|undergo underwent
redo redid redone
man men|woman women|child children|person people|foot feet|tooth teeth|goose geese|mouse mice
life lives|wife wives
knife knives|leaf leaves|half halves|shelf shelves|self selves|index indices indexes|vertex vertices|matrix matrices
criterion criteria|phenomenon phenomena|analysis analyses|crisis crises|thesis theses|hypothesis hypotheses|axis axes
good better best|bad worse worst|far further farther|old elder eldest"""

_english = Stemmer.Stemmer("english", 0)  # our cache below holds what the table changes too
_SHORTEST = 3
COMMON = 2  # characters that a regular word has in common with its stem


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """The form that stands for a folded word and its inflections; words of other languages and names stay."""
    if len(word) < _SHORTEST or not (word.isascii() and word.isalpha()):
        return word
    stemmed: str = _english.stemWord(_BASE.get(word, word))
    return stemmed


_BASE = {
    form: forms[0]
    for forms in (group.split() for line in _IRREGULAR.splitlines() for group in line.split("|"))
    for form in forms[1:]
}


@cache
def _changed() -> dict[str, set[str]]:
    changed: dict[str, set[str]] = {}
    for form, base in _BASE.items():
        if form[:COMMON] != (beginning := stem(base)[:COMMON]):
            changed.setdefault(beginning, set()).add(form[:COMMON])
    return changed


def beginnings(stemmed: str) -> list[str]:
    """How words of this stem begin, to COMMON characters."""
    own = stemmed[:COMMON]
    return [own, *sorted(_changed().get(own, ()))]

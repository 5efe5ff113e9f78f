"""What each part of recall by words is worth: `python -m benchmarks.ablation`.

Every part is taken away alone, on every set. Beside the loss stands its 95 % interval by paired bootstrap over the
queries: an interval that holds 0 means that the set doesn't show a difference.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from random import Random
from typing import TYPE_CHECKING, NamedTuple
from unittest.mock import patch

from benchmarks import recall
from benchmarks.recall import Ranked, reciprocal
from trinho.retrieval import lexical, meanings, words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_ROUNDS = 1000
_SEED = 11


class Part(NamedTuple):
    """A part of recall, and what stands in its place when it is taken away."""

    name: str
    without: Mapping[tuple[object, str], object]


PARTS = (
    Part("words side by side", {(lexical, "PAIR_WEIGHT"): 0.0}),
    Part("other words for the same", {(lexical, "meanings_of"): lambda _: ()}),
    Part("accents tell words apart", {(lexical, "OTHER_ACCENTS"): 1.0}),
    Part("name and ID weigh more", {(lexical, "HEAD_WEIGHT"): 1.0}),
    Part("lines around a line of a log", {(lexical, "NEIGHBOURS"): {}}),
    Part("length of a text", {(lexical, "B"): 0.0}),
    Part("stems", {(words, "stem"): lambda word: word}),
    Part("stop words", {(words, "STOP_WORDS"): frozenset()}),
    Part("nothing where nothing answers", {(lexical, "suffices"): lambda *_: True}),
)
SETS: Mapping[str, Callable[[], list[Ranked]]] = {
    "LoCoMo": recall.locomo,
    "XQuAD-vi": recall.xquad,
    "XQuAD-vi, bare": lambda: recall.xquad(bare=True),
    "coding notes": lambda: [each for each in recall.coding() if each.relevant],
}


def main() -> None:
    """Print the table, a line for each part and set."""
    for name, asked in SETS.items():
        whole = [reciprocal(each) for each in asked()]
        print(f"{name}: MRR {sum(whole) / len(whole):.3f}, {len(whole)} queries")
        for part in PARTS:
            with _without(part):
                less = [reciprocal(each) for each in asked()]
            lost, low, high = difference(whole, less)
            print(f"    without {part.name:<32} {-lost:+.3f}   [{-high:+.3f}, {-low:+.3f}]", flush=True)


def difference(one: Sequence[float], other: Sequence[float]) -> tuple[float, float, float]:
    """How much larger the mean of `one` is, and the 95 % interval of that by resampling the pairs."""
    pairs = [a - b for a, b in zip(one, other, strict=True)]
    random = Random(_SEED)
    means = sorted(sum(random.choices(pairs, k=len(pairs))) / len(pairs) for _ in range(_ROUNDS))
    return sum(pairs) / len(pairs), means[_ROUNDS * 25 // 1000], means[_ROUNDS * 975 // 1000]


@contextmanager
def _without(part: Part) -> Iterator[None]:
    with ExitStack() as changes:
        for (place, name), instead in part.without.items():
            changes.enter_context(patch.object(place, name, instead))
        meanings._phrases.cache_clear()  # made of stems
        yield
    meanings._phrases.cache_clear()


if __name__ == "__main__":
    main()

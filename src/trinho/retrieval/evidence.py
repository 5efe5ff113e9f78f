"""When what was found is worth showing: rather nothing than the least bad entry.

Age is no evidence, and words are where they are rare enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from trinho.retrieval.lexical import Scored

# An entry that covers so much of the query speaks of it; one that covers less must hold something rare
ENOUGH_COVERAGE = 0.5
# One that covers less than this says nothing about a name that it lacks
COVERAGE_WITHOUT_A_NAME = 0.3
# Of what one word weighs that no entry has
LEAST_SCORE = 0.35
LEAST_SCORE_FOR_A_TASK = 0.15
# In fewer entries no word is common, and what shares one may as well be shown
FEWEST_ENTRIES = 50


class Gaps(NamedTuple):
    """Whether the query is a question, and whether it asks about a code or a name that no entry has.

    What else an entry says is then no answer.
    """

    is_question: bool = False
    code: bool = False
    name: bool = False


def suffices(best: Scored, entries: int, unheard_of: float, gaps: Gaps) -> bool:
    """Whether the best that was found is an answer.

    `unheard_of` is the weight of a word that none of the entries has.
    """
    if best.coverage >= ENOUGH_COVERAGE:
        return True
    if gaps.code or (gaps.name and best.coverage < COVERAGE_WITHOUT_A_NAME):
        return False
    least = LEAST_SCORE if gaps.is_question else LEAST_SCORE_FOR_A_TASK
    return entries < FEWEST_ENTRIES or best.score >= least * unheard_of

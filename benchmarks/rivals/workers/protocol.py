"""The worker's side of the conversation: a question a line, an answer a line with the CPU time used so far."""

import json
import os
import sys
import time

ANSWERS = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # what a library prints is no answer


def serve(open_store):
    """`open_store(folder)` gives the functions that add and that search."""
    add = search = None
    for line in sys.stdin:
        question = json.loads(line)
        found = []
        if question["do"] == "open":
            add, search = open_store(sys.argv[1])
        elif question["do"] == "add":
            add(question["id"], question["text"])
        else:
            found = list(search(question["query"], question["most"]))
        ANSWERS.write(json.dumps({"found": found, "cpu_ms": time.process_time() * 1000}) + "\n")
        ANSWERS.flush()

#!/usr/bin/python3
"""Runs notebooks by Jupyter's own client (Debian's python3-nbclient), with a kernel that `ppl kernel install` has installed.

Usage: check.py [--write] NOTEBOOK...

Compares what each cell prints as text with what the notebook has, or with --write writes the notebook anew. Afterwards asks a kernel what
else clients ask: completion, explanation, interrupts by message and by signal, restart, and that it is gone when shut down.
"""
import os
import signal
import sys
import threading

import jupyter_client.manager
import nbclient
import nbformat


def text(cell):
    """What a cell shows, as text."""
    return [o.get("text") or o.get("data", {}).get("text/plain") or o.get("traceback") for o in cell.get("outputs", [])]


def run(path, write):
    """The number of cells that differ."""
    book = nbformat.read(path, 4)
    before = [text(c) for c in book.cells]
    nbclient.NotebookClient(book, timeout=300, record_timing=False, resources={"metadata": {"path": os.path.dirname(path) or "."}}).execute()
    if write:
        book.metadata.pop("language_info", None)
        nbformat.write(book, path)
        return 0
    different = [i for i, c in enumerate(book.cells) if text(c) != before[i]]
    for i in different:
        print(f"{path}: cell {i + 1} had {before[i]}, shows {text(book.cells[i])}")
    print(f"{path}: {len(book.cells)} cells, {len(different)} differ")
    return len(different)


def ask():
    """What clients ask beside running cells; the number of wrong answers."""
    manager, client = jupyter_client.manager.start_new_kernel(kernel_name="ppl")
    seen = []

    def hear(message):
        if message["msg_type"] in ("stream", "error"):
            seen.append(message["content"].get("text") or message["content"]["evalue"])

    def execute(code):
        seen.clear()
        return client.execute_interactive(code, output_hook=hear, timeout=60)["content"]["status"]

    pid = manager.provisioner.pid
    execute("parameters { real mu; }\nmodel { mu ~ normal(0, 1); }")
    answers = {
        "completion": client.complete("std_normal_r", reply=True, timeout=10)["content"]["matches"] == ["std_normal_rng"],
        "explanation": "mu" in client.inspect("mu", 1, reply=True, timeout=10)["content"]["data"]["text/plain"],
        "heartbeat": client.hb_channel.is_beating(),
    }
    for how, stop in {"message": manager.interrupt_kernel, "signal": lambda: os.kill(pid, signal.SIGINT)}.items():
        threading.Timer(1.5, stop).start()
        status = execute(":run nuts(chains = 1, draws = 100000000, thin = 1000)")
        answers["interrupt by " + how] = status == "error" and any("draws so far are kept" in s for s in seen)
    answers["an error"] = execute("undeclared") == "error" and '"undeclared" is not declared' in seen[-1]
    manager.restart_kernel()
    client.wait_for_ready(timeout=20)
    answers["restart"] = execute("mu") == "error" and execute("1 + 1") == "ok" and seen == ["2\n"]
    pid = manager.provisioner.pid
    manager.shutdown_kernel()
    answers["shutdown"] = not os.path.exists(f"/proc/{pid}")
    for name, right in answers.items():
        print(f"{name}: {'as it should be' if right else 'WRONG'}")
    return list(answers.values()).count(False)


if __name__ == "__main__":
    paths = [a for a in sys.argv[1:] if a != "--write"]
    sys.exit(min(1, sum(run(p, "--write" in sys.argv) for p in paths) + ask()))

# SPDX-License-Identifier: Apache-2.0
"""Tenon's side: the program parity_engine, and tensors as its lines hold them (tests/parity/main.cpp)."""
import json
import subprocess

import torch

from drawing import NAMES, TYPES

BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def hexadecimal(dense):
    """The bytes of a dense tensor."""
    if dense.numel() == 0:
        return ""
    if dense.dtype == torch.bool:
        dense = dense.to(torch.uint8)
    return dense.reshape(-1).view(BITS[dense.element_size()]).numpy().tobytes().hex()


def encoded(view, blocked=False):
    """A tensor with the memory it looks into."""
    if view.numel() == 0:
        memory = view.reshape(-1)
    else:
        last = view.storage_offset() + sum((n - 1) * s for n, s in zip(view.shape, view.stride()))
        memory = torch.as_strided(view, (last + 1,), (1,), 0)
    text = {"type": NAMES[view.dtype], "sizes": list(view.shape), "strides": list(view.stride()),
            "offset": view.storage_offset() if view.numel() else 0, "data": hexadecimal(memory)}
    if blocked:
        text["blocked"] = True
    return text


def decoded(text):
    if text is None:
        return None
    dtype = TYPES[text["type"]]
    data = bytearray.fromhex(text["data"])
    if not data:
        return torch.empty(text["sizes"], dtype=dtype)
    return torch.frombuffer(data, dtype=dtype).clone().reshape(text["sizes"])


class Tenon:
    """The running program; started again if a case ends it."""

    def __init__(self, program):
        self.program = program
        self.start()

    def start(self):
        self.process = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, request):
        line = json.dumps(request, separators=(",", ":")).encode() + b"\n"
        try:
            self.process.stdin.write(line)
            self.process.stdin.flush()
            reply = self.process.stdout.readline()
        except BrokenPipeError:
            reply = b""
        if reply:
            return json.loads(reply)
        status = self.process.wait()
        self.start()
        return {"error": f"the program ended with status {status}"}

    def close(self):
        self.process.stdin.close()
        self.process.wait()

    def listing(self):
        return self.ask({"list": True})

    def run(self, case, dy, weights=None):
        """@param dy a gradient (or None) for each output @param weights of each leaf's gradient, for second derivatives"""
        inputs = [None if i is None else encoded(i.view, i.layout == "blocked") for i in case.inputs]
        leaves = [k for k, i in enumerate(case.inputs) if i is not None and i.grad]
        request = {"call": case.call, "params": case.params, "inputs": inputs, "leaves": leaves,
                   "dy": [None if d is None else encoded(d) for d in dy]}
        if weights is not None:
            request["weights"] = [encoded(w) for w in weights]
        reply = self.ask(request)
        for part in ("outputs", "grads", "traced", "second"):
            if part in reply:
                reply[part] = [decoded(t) for t in reply[part]]
        return reply

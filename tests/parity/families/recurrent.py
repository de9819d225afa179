# SPDX-License-Identifier: Apache-2.0
"""Recurrent networks: kinds, layers, directions, start states, lengths."""
import torch

from drawing import Case

KINDS = {"rnn_tanh": (1, torch.nn.RNN, {}), "rnn_relu": (1, torch.nn.RNN, {"nonlinearity": "relu"}),
         "lstm": (4, torch.nn.LSTM, {}), "gru": (3, torch.nn.GRU, {})}


def weights(d, dtype, gates, width, hidden, bias):
    sizes = [[gates * hidden, width], [gates * hidden, hidden]] + [[gates * hidden]] * (2 * bias)
    return [d.tensor(s, dtype, -0.7, 0.7, lies=False) for s in sizes]


def network(kind):
    gates, module, more = KINDS[kind]

    def draw(d):
        dtype, layers, both, bias = d.type(), d.int(1, 2), d.chance(0.4), d.chance(0.7)
        batch_first, steps, batch, width, hidden = d.chance(0.4), d.int(1, 5), d.int(1, 3), d.int(1, 5), d.choice([1, 3, 8])
        sides = 2 if both else 1
        states = (2 if kind == "lstm" else 1) if d.chance(0.6) else 0
        lengths = [d.int(1, steps) for _ in range(batch)] if d.chance(0.3) else []
        inputs = [d.tensor([batch, steps, width] if batch_first else [steps, batch, width], dtype)]
        inputs += [d.tensor([layers * sides, batch, hidden], dtype) for _ in range(states)]
        for layer in range(layers):
            for _ in range(sides):
                inputs += weights(d, dtype, gates, width if layer == 0 else sides * hidden, hidden, bias)

        def run(x, *rest):
            net = module(width, hidden, layers, bias=bias, batch_first=batch_first, bidirectional=both, **more).to(x.dtype)
            net._flat_weights = list(rest[states:])
            start = None if not states else tuple(rest[:2]) if kind == "lstm" else rest[0]
            if lengths:
                packed = torch.nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first, False)
                y, end = net(packed, start)
                y, _ = torch.nn.utils.rnn.pad_packed_sequence(y, batch_first, total_length=steps)
            else:
                y, end = net(x, start)
            return [y, *end] if kind == "lstm" else [y, end]
        return Case("recurrent", inputs, run,
                    {"kind": kind, "both": both, "batch_first": batch_first, "states": states, "bias": bias,
                     "lengths": lengths})
    return draw


CASES = {kind: network(kind) for kind in KINDS}

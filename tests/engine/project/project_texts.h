// SPDX-License-Identifier: Apache-2.0
// Project files that several tests read. The full one is canonical: what projectText() writes.
#pragma once

namespace tenon {

inline constexpr const char* kSmallProject = R"({"format_version": 1,
"graph": {"nodes": [{"type": "relu", "id": "a"}]}})";

inline constexpr const char* kFullProject = R"({
  "format_version": 1,
  "name": "Test \"project\"",
  "data": {
    "reader": {"type": "idx", "images": "data/images.gz", "labels": "/abs/labels.gz"},
    "split": {"type": "fraction", "fraction": 0.25, "seed": 7},
    "transforms": [
      {"type": "scale", "by": 0.00392156862745098}
    ],
    "classes": ["a", "b"],
    "cache": {"mode": ["x"]}
  },
  "graph": {
    "nodes": [
      {"id": "join", "type": "concat", "dim": 1},
      {"id": "in", "type": "input", "shape": [2, 3]}
    ],
    "edges": [
      {"from": "in", "to": "join"},
      {"from": "in", "from_port": "image", "to": "join", "to_port": "b"}
    ]
  },
  "train": {
    "epochs": 3,
    "batch_size": 16,
    "seed": 9,
    "device": "cuda:1",
    "threads": 2,
    "workers": 0,
    "deterministic": true,
    "log_every": 5,
    "validate_every": 2,
    "loss": {"type": "cross_entropy"},
    "optimizer": {"type": "sgd", "lr": 0.01, "momentum": 0.9},
    "schedule": {"type": "step", "every": 2, "factor": 0.5},
    "metrics": [
      "accuracy",
      {"type": "top_k", "k": 3}
    ],
    "checkpoint": {"every_steps": 100, "keep": 2, "best_by": "accuracy", "compress": true},
    "epoch": 5
  },
  "layout": {
    "positions": {"in": [0, -20.5], "join": [0, 80]},
    "notes": [
      {"id": "n1", "text": "two\nlines", "box": [1, 2, 3, 4]}
    ],
    "frames": [
      {"id": "f1", "title": "All", "box": [-10, -10, 200, 100]}
    ]
  },
  "x_future": {
    "a": null
  }
}
)";

}  // namespace tenon

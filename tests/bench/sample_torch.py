#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Trains the Fashion-MNIST sample's recipe on PyTorch, an epoch for each line read from standard input.

The network is the `cnn` of the peer's script; recipe: AdamW, peak rate 2e-3, weight decay 0.01, one cycle over all epochs,
batch 128, images scaled to 0..1 and normalized. All images lie in memory as normalized floats, so no loader is in the way.
After each epoch one JSON line: epoch, seconds (training and test), test accuracy in percent.
"""
import argparse
import gzip
import importlib.util
import json
import pathlib
import sys
import time

import numpy
import torch
import torch.nn.functional as F

FOLDER = pathlib.Path("/usr/share/datasets/fashion-mnist")


def read_idx(name, header):
    with gzip.open(FOLDER / name) as file:
        return numpy.frombuffer(file.read(), dtype=numpy.uint8, offset=header).copy()


def read_split(prefix):
    images = torch.from_numpy(read_idx(f"{prefix}-images-idx3-ubyte.gz", 16)).view(-1, 1, 28, 28)
    labels = torch.from_numpy(read_idx(f"{prefix}-labels-idx1-ubyte.gz", 8)).long()
    return (images.float() / 255 - 0.286) / 0.353, labels


def peer_net(script):
    spec = importlib.util.spec_from_file_location("peer", script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Cnn()


class Training:
    def __init__(self, args):
        torch.manual_seed(args.seed)
        torch.set_num_threads(args.threads)
        self.layout = torch.channels_last if args.channels_last else torch.contiguous_format
        self.images, self.labels = read_split("train")
        self.test_images, self.test_labels = read_split("t10k")
        self.model = peer_net(args.peer_script).to(memory_format=self.layout)
        self.batch = 128
        steps = args.epochs * ((len(self.images) + self.batch - 1) // self.batch)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=2e-3, weight_decay=0.01, foreach=args.foreach)
        self.schedule = torch.optim.lr_scheduler.OneCycleLR(self.optimizer, max_lr=2e-3, total_steps=steps)

    def epoch(self):
        self.model.train()
        order = torch.randperm(len(self.images))
        for start in range(0, len(order), self.batch):
            chosen = order[start:start + self.batch]
            images = self.images[chosen].contiguous(memory_format=self.layout)
            self.optimizer.zero_grad(set_to_none=True)
            F.cross_entropy(self.model(images), self.labels[chosen]).backward()
            self.optimizer.step()
            self.schedule.step()

    def accuracy(self):
        self.model.eval()
        right = 0
        with torch.no_grad():
            for start in range(0, len(self.test_images), 500):
                images = self.test_images[start:start + 500].contiguous(memory_format=self.layout)
                right += (self.model(images).argmax(1) == self.test_labels[start:start + 500]).sum().item()
        return 100 * right / len(self.test_images)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--peer-script", required=True)
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--epochs", type=int, default=5)
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--channels-last", action="store_true")
    p.add_argument("--foreach", action="store_true")
    args = p.parse_args()
    training = Training(args)
    print(json.dumps({"ready": True}), flush=True)
    for number, _ in enumerate(sys.stdin, 1):
        start = time.perf_counter()
        training.epoch()
        accuracy = training.accuracy()
        print(json.dumps({"epoch": number, "seconds": time.perf_counter() - start, "accuracy": accuracy}), flush=True)


if __name__ == "__main__":
    main()

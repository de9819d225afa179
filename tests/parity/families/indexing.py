# SPDX-License-Identifier: Apache-2.0
"""Reading and writing at places, order."""
import torch
import torch.nn.functional as F

from drawing import EVERY, FLOATS, INTEGERS, Case, only


def placed(d, unique):
    """Sizes of a tensor, an axis, and indices into it that are no longer along any other."""
    sizes = d.shape(1, 3)
    axis = d.int(0, len(sizes) - 1)
    own = [d.int(1, size) for size in sizes]
    if not unique:
        own[axis] = d.int(1, 6)
        return sizes, axis, d.indices(own, sizes[axis])
    index = torch.rand(own[:axis] + [sizes[axis]] + own[axis + 1:], generator=d.generator).argsort(axis)
    return sizes, axis, d.plain(index.narrow(axis, 0, own[axis]).contiguous())


def gather(d):
    sizes, axis, index = placed(d, False)
    return Case("gather", [d.tensor(sizes, d.type(EVERY)), index], lambda x, i: torch.gather(x, axis, i), {"axis": axis})


def scatter(d):
    sizes, axis, index = placed(d, True)
    dtype = d.type(EVERY)
    return Case("scatter", [d.tensor(sizes, dtype), index, d.tensor(index.value.shape, dtype)],
                lambda x, i, s: torch.scatter(x, axis, i, s), {"axis": axis})


def scatter_value(d):
    sizes, axis, index = placed(d, True)
    value = d.int(0, 5)
    return Case("scatterValue", [d.tensor(sizes, d.type(FLOATS + INTEGERS)), index],
                lambda x, i: torch.scatter(x, axis, i, value), {"axis": axis, "value": value})


def scatter_add(d):
    sizes, axis, index = placed(d, False)
    dtype = d.type(FLOATS + (torch.int64, torch.int32))
    return Case("scatterAdd", [d.tensor(sizes, dtype), index, d.tensor(index.value.shape, dtype)],
                lambda x, i, s: torch.scatter_add(x, axis, i, s), {"axis": axis})


def index_select(d):
    sizes = d.shape(1, 4)
    axis = d.axis(len(sizes))
    return Case("indexSelect", [d.tensor(sizes, d.type(EVERY)), d.indices([d.int(1, 6)], sizes[axis])],
                lambda x, i: torch.index_select(x, axis, i), {"axis": axis})


def index_add(d):
    sizes, dtype = d.shape(1, 4), d.type(FLOATS + (torch.int64, torch.int32))
    axis = d.axis(len(sizes))
    source = list(sizes)
    source[axis] = d.int(1, 6)
    return Case("indexAdd", [d.tensor(sizes, dtype), d.indices([source[axis]], sizes[axis]), d.tensor(source, dtype)],
                lambda x, i, s: torch.index_add(x, axis, i, s), {"axis": axis})


def masked_fill(d):
    sizes, value = d.shape(), d.int(0, 5)
    return Case("maskedFill", [d.tensor(sizes, d.type(FLOATS + INTEGERS)), d.tensor(d.broadcast(sizes), torch.bool)],
                lambda x, m: x.masked_fill(m, value), {"value": value})


def masked_select(d):
    sizes = d.shape()
    return Case("maskedSelect", [d.tensor(sizes, d.type(EVERY)), d.tensor(d.broadcast(sizes), torch.bool)],
                torch.masked_select)


def embedding(d):
    rows = d.int(1, 9)
    padding = d.int(0, rows - 1) if d.chance(0.4) else -1
    return Case("embedding", [d.tensor([rows, d.int(1, 9)], d.type()), d.indices(d.shape(0, 3), rows)],
                lambda w, i: F.embedding(i, w, None if padding < 0 else padding), {"padding": padding})


def one_hot(d):
    classes = d.int(1, 7)
    return Case("oneHot", [d.indices(d.shape(1, 3), classes)], lambda i: F.one_hot(i, classes), {"classes": classes})


def sort(d):
    sizes, descending = d.shape(1, 3), d.chance(0.5)
    axis = d.axis(len(sizes))
    dtype = d.type(FLOATS + (torch.int64, torch.int32, torch.uint8))
    x = d.whole(sizes, dtype) if d.chance(0.3) else d.distinct(sizes, dtype)
    return Case("sortWithIndices", [x], lambda x: torch.sort(x, dim=axis, descending=descending, stable=True),
                {"axis": axis, "descending": descending})


def topk(d):
    sizes, largest = d.shape(1, 3), d.chance(0.5)
    axis = d.axis(len(sizes))
    k = d.int(1, sizes[axis])
    return Case("topkWithIndices", [d.distinct(sizes, d.type(FLOATS))], lambda x: torch.topk(x, k, axis, largest),
                {"axis": axis, "k": k, "largest": largest})


CASES = {"gather": gather, "scatter": scatter, "scatterValue": scatter_value, "scatterAdd": scatter_add,
         "indexSelect": index_select, "indexAdd": index_add, "maskedFill": masked_fill, "maskedSelect": masked_select,
         "embedding": embedding, "oneHot": one_hot, "sortWithIndices": sort, "topkWithIndices": topk,
         "sort": only("sort", sort, 0), "sortIndices": only("sortIndices", sort, 1), "topk": only("topk", topk, 0)}

# SPDX-License-Identifier: Apache-2.0
"""Losses with every reduction, weights, ignored targets and smoothing."""
import torch
import torch.nn.functional as F

from drawing import HALVES, Case

REDUCED = {"mean": torch.mean, "sum": torch.sum, "none": lambda loss: loss}


def reduction(d):
    return d.choice(["mean", "sum", "none"])


def of_pair(name, function, low=-2.0, high=2.0, target_low=-2.0, target_high=2.0, **options):
    """Loss of x and a target of its shape. @param options name: (lowest, highest) of each number it takes"""
    def draw(d):
        sizes, dtype, reduced = d.shape(1, 3), d.type(), reduction(d)
        numbers = {key: d.number(*limits) for key, limits in options.items()}
        return Case(name, [d.tensor(sizes, dtype, low, high), d.tensor(sizes, dtype, target_low, target_high)],
                    lambda x, t: function(x, t, reduced, **numbers), dict(numbers, reduction=reduced))
    return draw


def of_signs(name, function, **options):
    """Loss of one or two tensors of one axis and targets of 1 and -1."""
    def draw(d):
        count, dtype, reduced = d.int(1, 9), d.type(), reduction(d)
        numbers = {key: d.number(*limits) for key, limits in options.items()}
        signs = d.plain(torch.where(d.uniform([count], 0, 1) < 0.5, -1, 1).to(dtype))
        inputs = [d.tensor([count], dtype) for _ in range(2 if name == "marginRankingLoss" else 1)]
        return Case(name, inputs + [signs], lambda *x: function(*x, reduced, **numbers), dict(numbers, reduction=reduced))
    return draw


def classes(d):
    """Sizes of logits and their targets; a loss that ignores everything is NaN on both sides."""
    count, places = d.int(1, 6), d.shape(0, 2, 3)
    rows = d.int(1, 6)
    return count, [rows, count] + places, d.indices([rows] + places, count)


def numbers_of(d, count, low, high, dtype):
    """A list of numbers for the parameters, and as a tensor; none now and then. Of 16 bits they are such numbers."""
    if d.chance(0.4):
        return None, lambda like: None
    numbers = [d.number(low, high) for _ in range(count)]
    if dtype in HALVES:
        numbers = torch.tensor(numbers).to(dtype).tolist()
    return numbers, lambda like: torch.tensor(numbers, dtype=like.dtype)


def of_classes(name, function, smooths, weighs):
    def draw(d):
        (count, sizes, targets), dtype = classes(d), d.type()
        weight, weights = numbers_of(d, count, 0.2, 3, dtype) if weighs else (None, lambda like: None)
        smoothing = d.choice([0.0, 0.1, 0.3]) if smooths else 0.0
        ignore, reduced = d.choice([-100, -100, 0]), reduction(d)
        more = {"label_smoothing": smoothing} if smooths else {}
        x = d.tensor(sizes, dtype, -4, 4)
        nothing = reduced == "mean" and name.endswith("rossEntropy") and bool((targets.value == ignore).all())
        return Case(name, [x, targets],
                    lambda x, t: function(x, t, weights(x), ignore_index=ignore, reduction=reduced, **more),
                    {"weight": weight, "smoothing": smoothing, "ignore": ignore, "reduction": reduced},
                    excluded="ignored" if nothing and x.value.dtype == torch.float64 else "")
    return draw


def of_probabilities(d):
    (count, sizes, _), dtype = classes(d), d.type()
    weight, weights = numbers_of(d, count, 0.2, 3, dtype)
    smoothing, reduced = d.choice([0.0, 0.2]), reduction(d)
    return Case("crossEntropyOfProbabilities", [d.tensor(sizes, dtype, -4, 4), d.tensor(sizes, dtype, 0, 1)],
                lambda x, t: F.cross_entropy(x, t, weights(x), reduction=reduced, label_smoothing=smoothing),
                {"weight": weight, "smoothing": smoothing, "ignore": -100, "reduction": reduced})


def bce(d):
    sizes, dtype, reduced = d.shape(1, 3), d.type(), reduction(d)
    weight, weights = numbers_of(d, sizes[-1], 0.2, 3, dtype)
    return Case("bceLoss", [d.tensor(sizes, dtype, 0.02, 0.98), d.tensor(sizes, dtype, 0, 1)],
                lambda x, t: F.binary_cross_entropy(x, t, weights(x), reduction=reduced),
                {"weight": weight, "reduction": reduced})


def bce_with_logits(d):
    sizes, dtype, reduced = d.shape(1, 3), d.type(), reduction(d)
    (weight, weights), (positive, positives) = (numbers_of(d, sizes[-1], 0.2, 3, dtype) for _ in range(2))
    return Case("bceWithLogitsLoss", [d.tensor(sizes, dtype, -9, 9), d.tensor(sizes, dtype, 0, 1)],
                lambda x, t: F.binary_cross_entropy_with_logits(x, t, weights(x), reduction=reduced,
                                                                pos_weight=positives(x)),
                {"weight": weight, "positive": positive, "reduction": reduced})


def smooth_l1(x, t, reduced, beta):
    """Composed: PyTorch differentiates smooth_l1_loss in the input only."""
    return F.huber_loss(x, t, reduction=reduced, delta=beta) / beta


def hinge(x, t, reduced, margin):
    """Composed: PyTorch lacks it."""
    return REDUCED[reduced](torch.clamp_min(margin - t * x, 0))


def focal(x, t, reduced, alpha, gamma):
    """Composed: PyTorch lacks it."""
    p = torch.sigmoid(x)
    wanted = p * t + (1 - p) * (1 - t)
    loss = F.binary_cross_entropy_with_logits(x, t, reduction="none") * (1 - wanted)**gamma
    return REDUCED[reduced](loss if alpha < 0 else loss * (alpha * t + (1 - alpha) * (1 - t)))


def dice(d):
    """Composed: PyTorch lacks it."""
    sizes, dtype, reduced, smooth = d.shape(2, 4), d.type(), reduction(d), d.number(0.1, 2)
    axes = tuple(range(1, len(sizes)))
    return Case("diceLoss", [d.tensor(sizes, dtype, 0, 1), d.tensor(sizes, dtype, 0, 1)],
                lambda x, t: REDUCED[reduced](1 - (2 * (x * t).sum(axes) + smooth) / (x.sum(axes) + t.sum(axes) + smooth)),
                {"reduction": reduced, "smooth": smooth})


def kl_divergence(d):
    sizes, dtype, reduced, log = d.shape(1, 3), d.type(), reduction(d), d.chance(0.5)
    low, high = (-3, 0) if log else (0.05, 1)
    return Case("klDivergence", [d.tensor(sizes, dtype, -3, 0), d.tensor(sizes, dtype, low, high)],
                lambda x, t: F.kl_div(x, t, reduction=reduced, log_target=log), {"log": log, "reduction": reduced})


def ctc(d):
    """Behind a log-softmax: PyTorch's gradient by log-probabilities is the one by logits."""
    frames, samples, count, most = d.int(1, 8), d.int(1, 4), d.int(2, 5), d.int(1, 3)
    blank, zero, reduced = d.int(0, count - 1), d.chance(0.5), reduction(d)
    labels = d.indices([samples, most], count - 1).value
    lengths = [torch.tensor([d.int(low, high) for _ in range(samples)]) for low, high in ((1, frames), (0, most))]
    inputs = [d.tensor([frames, samples, count], d.type(), -3, 3), d.plain(labels + (labels >= blank))]
    return Case("ctcLoss", inputs + [d.plain(n) for n in lengths],
                lambda x, t, i, l: F.ctc_loss(F.log_softmax(x, 2), t, i, l, blank, reduced, zero),
                {"blank": blank, "zero": zero, "reduction": reduced})


def triplet(d):
    dtype, reduced = d.type(), reduction(d)
    # PyTorch's norm of one number is its absolute value, whose gradient no rounding moves: Tenon's goes the way of all norms
    sizes = [d.int(1, 6), d.int(2 if dtype in HALVES else 1, 9)]
    margin, order, swap = d.number(0.1, 2), d.choice([1.0, 2.0, 2.0, 3.0]), d.chance(0.5)
    return Case("tripletLoss", [d.tensor(sizes, dtype) for _ in range(3)],
                lambda a, p, n: F.triplet_margin_loss(a, p, n, margin, order, swap=swap, reduction=reduced),
                {"margin": margin, "order": order, "swap": swap, "reduction": reduced})


def cosine_embedding(d):
    sizes, dtype, reduced, margin = [d.int(1, 6), d.int(1, 9)], d.type(), reduction(d), d.number(-0.5, 0.5)
    signs = d.plain(torch.where(d.uniform(sizes[:1], 0, 1) < 0.5, -1, 1).to(dtype))
    return Case("cosineEmbeddingLoss", [d.tensor(sizes, dtype), d.tensor(sizes, dtype), signs],
                lambda a, b, t: F.cosine_embedding_loss(a, b, t, margin, reduction=reduced),
                {"margin": margin, "reduction": reduced})


CASES = {
    "mseLoss": of_pair("mseLoss", lambda x, t, r: F.mse_loss(x, t, reduction=r)),
    "l1Loss": of_pair("l1Loss", lambda x, t, r: F.l1_loss(x, t, reduction=r)),
    "smoothL1Loss": of_pair("smoothL1Loss", smooth_l1, beta=(0.2, 2)),
    "huberLoss": of_pair("huberLoss", lambda x, t, r, delta: F.huber_loss(x, t, reduction=r, delta=delta), delta=(0.2, 2)),
    "focalLoss": of_pair("focalLoss", focal, -4, 4, 0, 1, alpha=(-0.3, 1), gamma=(0, 3)),
    "crossEntropy": of_classes("crossEntropy", F.cross_entropy, True, False),
    "weightedCrossEntropy": of_classes("weightedCrossEntropy", F.cross_entropy, True, True),
    "nllLoss": of_classes("nllLoss", F.nll_loss, False, True),
    "crossEntropyOfProbabilities": of_probabilities, "bceLoss": bce, "bceWithLogitsLoss": bce_with_logits,
    "ctcLoss": ctc, "diceLoss": dice, "klDivergence": kl_divergence, "tripletLoss": triplet, "cosineEmbeddingLoss": cosine_embedding,
    "hingeLoss": of_signs("hingeLoss", hinge, margin=(0.2, 2)),
    "hingeEmbeddingLoss": of_signs("hingeEmbeddingLoss", lambda x, t, r, margin: F.hinge_embedding_loss(
        x, t, margin, reduction=r), margin=(0.2, 2)),
    "marginRankingLoss": of_signs("marginRankingLoss", lambda a, b, t, r, margin: F.margin_ranking_loss(
        a, b, t, margin, reduction=r), margin=(0, 1))}

# SPDX-License-Identifier: Apache-2.0
"""Cases of layers: a module of PyTorch and the layer of Tenon with the same weights, and what holds of random layers."""
import torch
from torch import nn

from comparing import ROUNDING
from drawing import Case
from layer_modules import Function, called, rectified, weights_of


def weight(d, name, own, dtype):
    """A drawn weight, dense as those of a model are. @param own the module's"""
    if not own.is_floating_point():  # batches so far
        return d.tensor(own.shape, own.dtype, 0, 9, grad=False, lies=False)
    if name.endswith("running_var"):
        low, high = 0.5, 2
    else:  # of one axis: a normalization's scale
        low, high = (0.5, 1.5) if name.endswith("weight") and own.dim() == 1 else (-0.7, 0.7)
    return d.tensor(own.shape, dtype, low, high, grad=own.requires_grad, lies=False)


def layer(d, module, inputs, settings=None, training=None, weights_type=None, zeros=(), absorbs=""):
    """A case of the layer that is being drawn.

    @param weights_type if not that of the first input @param zeros weights of the module that Tenon's layer has not
    @param absorbs "relu": the layer computes the one that follows as well
    """
    dtype, training = inputs[0].value.dtype, d.chance(0.6) if training is None else training
    module = module if isinstance(module, nn.Module) else Function(module)
    module.train(training)
    own = weights_of(module)
    names = [name for name in own if name not in zeros]
    weights = [weight(d, name, own[name], weights_type or dtype) for name in names]
    buffers = [name for name in names if not own[name].requires_grad]
    count = len(inputs)

    def run(*tensors):
        given = dict(zip(names, tensors[count:]))
        given.update({name: given[name].clone() for name in buffers})
        given.update({name: torch.zeros(own[name].shape, dtype=tensors[0].dtype) for name in zeros})
        y = called(module, given, tensors[:count])
        y = list(y) if isinstance(y, tuple) else [rectified(y) if absorbs else y]
        return y + [given[name] for name in buffers]
    types = None
    if weights_type is not None:
        types = [dtype if dtype.is_floating_point else weights_type] + [
            weights_type if own[name].is_floating_point() else own[name].dtype for name in buffers]
    return Case("layer", inputs + weights, run, types=types,
                params={"settings": settings or {}, "training": training, "weights": names,
                        "seed": d.int(0, 2**31), "absorbs": absorbs})


def for_axes(axes, values):
    """A setting as a form has it: a number for one axis, else a list."""
    return values[0] if axes == 1 else values


def each(d, axes, low, high):
    return [d.int(low, high) for _ in range(axes)]


def spread(d, sizes, dtype):
    """Of equal numbers the variance is nothing but the rounding of their mean."""
    return d.tensor(sizes, dtype, expands=False)


def axis_of(d, ndim):
    """An axis other than the batch, counted from either end."""
    axis = d.int(1, ndim - 1)
    return axis - ndim if d.chance(0.4) else axis


def kept_by(p, axes):
    """What holds where parts are dropped at a chance of p: each place of the first `axes` (all: None) axes."""
    def holds(x, y, dx, dy):
        found, share = [], 2 * ROUNDING.get(y.dtype, 5e-7)  # the factor's and the product's
        x, y, dx, dy = (t.double().reshape(*t.shape[:axes], -1) for t in (x, y, dx, dy))
        kept = (y != 0).any(-1, keepdim=True)
        scale = kept.double() * (1 / (1 - p) if p < 1 else 0)
        for what, got, wanted in (("output 0", y, x * scale), ("gradient of input 0", dx, dy * scale)):
            off = (got - wanted).abs() > share * (1 + wanted.abs())
            if off.any():
                found.append(f"{what}: {int(off.sum())} of {off.numel()} elements are not what a kept part divided by "
                             f"{1 - p:.3g}, or zero, makes them")
        count, total = int(kept.sum()), kept.numel()
        # Hoeffding 1963: once in 2e9 times it is further off
        if abs(count - total * (1 - p)) > (3.3 * total**0.5 if 0 < p < 1 else 0):
            found.append(f"output 0: {count} of {total} are kept, wanted about {total * (1 - p):.6g}")
        return found
    return holds

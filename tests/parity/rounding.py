# SPDX-License-Identifier: Apache-2.0
"""PyTorch as it would compute in a 16-bit floating type: what every operator gives is rounded to the type.

PyTorch 1.13 has few operators in f16 on a CPU, and what its kernels round inside differs from one to the next. So here the
operators compute in f64 and what each gives is rounded, forward and backward, as a dispatch mode sees them. It is rounded
to either neighbour at random, the more often to the nearer: a result of a few numbers is else exact by luck, and its error
says nothing. What PyTorch keeps in f32 beside a result of 16 bits (a norm's mean, CTC's alphas) stays as it is.
"""
import torch
from torch.utils._python_dispatch import TorchDispatchMode

DIGITS = {torch.float16: 11, torch.bfloat16: 8}  # of a number's significand, in bits
LEAST = {torch.float16: -24, torch.bfloat16: -133}  # power of two of the smallest number above zero
REACH = 4  # so many times what PyTorch's roundings move a number may Tenon's move it
# operators whose derivative jumps: distances of their arguments from where it does
BENDS = {
    "relu": lambda x: [x.clone()], "clamp_min": lambda x, low: [x - low], "hardtanh": lambda x, low=-1, high=1: [x - low, x - high],
    "clamp": lambda x, *limits: [x - limit for limit in limits if limit is not None], "gt": lambda x, y: [x - y],
    "minimum": lambda x, y: [x - y], "maximum": lambda x, y: [x - y]}


def rounded(x, dtype, generator):
    """Each number of an f64 tensor as one of its two neighbours in `dtype`, or itself."""
    _, exponent = torch.frexp(x)
    step = torch.ldexp(torch.ones_like(x), (exponent - DIGITS[dtype]).clamp(min=LEAST[dtype]))
    y = torch.floor(x / step + torch.rand(x.shape, dtype=x.dtype, generator=generator)) * step
    return torch.where(torch.isfinite(x), y, x)


class Rounding(TorchDispatchMode):
    """While it is entered, what PyTorch's operators give in f64 is rounded, in place, and bends are noted.

    @param dtype a 16-bit type; None: nothing is rounded
    """

    rounds = False  # whether one is entered that rounds

    def __init__(self, dtype=None, seed=0):
        super().__init__()
        self.dtype, self.generator, self.bends = dtype, torch.Generator().manual_seed(seed), []

    def __enter__(self):
        Rounding.rounds = self.dtype is not None
        return super().__enter__()

    def __exit__(self, *raised):
        Rounding.rounds = False
        return super().__exit__(*raised)

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        name = function._schema.name.split("::")[1]
        bend = BENDS.get(name.rstrip("_"))
        if bend and isinstance(args[0], torch.Tensor) and args[0].dtype == torch.float64:
            self.bends += bend(*args)
        given = function(*args, **(kwargs or {}))
        if self.dtype is None:
            return given
        results = given if isinstance(given, (list, tuple)) else [given]
        if isinstance(given, tuple) and not name.endswith("backward"):
            results = given[:1]
        looks = [r.alias_info is not None and not r.alias_info.is_write for r in function._schema.returns]
        for result in [] if any(looks) else results:  # what is a view was rounded already, or must not be
            if isinstance(result, torch.Tensor) and result.dtype == torch.float64:
                result.copy_(rounded(result, self.dtype, self.generator))
        return given


def at_a_bend(exact, runs):
    """Whether roundings may have taken a number to the other side of where a derivative jumps.

    @param exact the distances of the run that rounds nothing @param runs those of each run that does
    """
    for k, distance in enumerate(exact):
        moved = [(run[k] - distance).abs() for run in runs if len(run) == len(exact) and run[k].shape == distance.shape]
        spread = max((m.nan_to_num(nan=0.0, posinf=0.0).max().item() for m in moved if m.numel()), default=0.0)
        if spread > 0 and bool((distance.abs() <= REACH * spread).any()):
            return True
    return False

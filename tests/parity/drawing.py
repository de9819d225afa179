# SPDX-License-Identifier: Apache-2.0
"""Draws the inputs of parity cases: shapes, types, numbers and how they lie in memory."""
import dataclasses
import random
import typing

import torch

TYPES = {"f32": torch.float32, "f64": torch.float64, "f16": torch.float16, "bf16": torch.bfloat16, "i64": torch.int64,
         "i32": torch.int32, "i8": torch.int8, "u8": torch.uint8, "bool": torch.bool}
NAMES = {dtype: name for name, dtype in TYPES.items()}
HALVES = (torch.float16, torch.bfloat16)
SINGLE = (torch.float32, torch.float64)
FLOATS = SINGLE + HALVES
INTEGERS = (torch.int64, torch.int32, torch.int8, torch.uint8)
EVERY = FLOATS + INTEGERS + (torch.bool,)

# how many neighbouring whole numbers a type holds, where they are few
DISTINCT = {torch.float16: 2048, torch.bfloat16: 256, torch.int8: 128, torch.uint8: 256}


@dataclasses.dataclass
class Input:
    """A tensor of a case. `value` holds its elements, `view` the same elements as they lie for Tenon."""
    value: torch.Tensor
    view: torch.Tensor
    grad: bool
    layout: str


@dataclasses.dataclass
class Case:
    """What both sides compute: `call` is Tenon's function (tests/parity/functions), `reference` PyTorch's."""
    call: str
    inputs: list
    reference: typing.Callable
    params: dict = dataclasses.field(default_factory=dict)
    floating: typing.Optional[torch.dtype] = None  # type of floating results, where types are mixed
    types: typing.Optional[list] = None  # of each result, where they differ
    holds: typing.Optional[typing.Callable] = None  # what is wrong with random results: see comparing.held
    refused: str = ""  # words of the error with which Tenon refuses it: a type that it does not take by design
    excluded: str = ""  # key of exclusions.REASONS: the case is not compared


def only(call, draw_all, output):
    """Cases of a function that gives one of the outputs of another, whose cases `draw_all` draws."""
    def draw(d):
        case = draw_all(d)
        return dataclasses.replace(case, call=call, reference=lambda *x: case.reference(*x)[output])
    return draw


def part(call, draw_all):
    """The same where a parameter says which."""
    def draw(d):
        case = draw_all(d)
        chosen = d.int(0, len(case.reference(case.inputs[0].value)) - 1)
        return dataclasses.replace(only(call, lambda d: case, chosen)(d), params={**case.params, "part": chosen})
    return draw


class Draw:
    """Random choices of one case; equal seeds and names give equal cases."""

    def __init__(self, seed, name, number):
        self.rng = random.Random(f"{seed}/{name}/{number}")
        self.generator = torch.Generator().manual_seed(self.rng.getrandbits(62))

    def choice(self, options):
        return self.rng.choice(list(options))

    def chance(self, p):
        return self.rng.random() < p

    def int(self, low, high):
        """A whole number, both ends included."""
        return self.rng.randint(low, high)

    def number(self, low, high):
        return round(self.rng.uniform(low, high), 3)

    def type(self, types=FLOATS):
        """One of the types; f32 comes twice as often as any other."""
        types = list(types)
        return self.choice(types + [torch.float32] * (torch.float32 in types))

    def beside(self, dtype):
        """The type of weights beside an input: f32 for most halves, as where types are mixed."""
        return torch.float32 if dtype in HALVES and self.chance(0.7) else dtype

    def shape(self, low=0, high=4, largest=5):
        """Sizes of low to high axes; now and then one is 1, or long enough for vectors and their tails."""
        sizes = [self.int(1, largest) for _ in range(self.int(low, high))]
        if sizes and self.chance(0.25):
            sizes[self.int(0, len(sizes) - 1)] = self.choice([1, 7, 8, 9, 16, 17, 33])
        return sizes

    def axis(self, axes):
        """An axis, counted from either end."""
        return self.int(-axes, axes - 1)

    def axes(self, axes):
        return sorted(self.rng.sample(range(axes), self.int(1, axes)))

    def order(self, count):
        return self.rng.sample(range(count), count)

    def sample(self, options, count):
        return self.rng.sample(list(options), count)

    def broadcast(self, sizes):
        """Sizes that broadcast to `sizes`."""
        sizes = [1 if self.chance(0.2) else size for size in sizes]
        return sizes[self.int(0, len(sizes)) if self.chance(0.25) else 0:]

    def uniform(self, sizes, low, high):
        return low + (high - low) * torch.rand(sizes, dtype=torch.float64, generator=self.generator)

    def indices(self, sizes, count):
        return self.plain(torch.randint(0, count, list(sizes), generator=self.generator))

    def tensor(self, sizes, dtype=torch.float32, low=-2.0, high=2.0, grad=True, lies=True, expands=True):
        """Numbers of any size in low .. high, whole ones for integers.

        @param lies false: dense always @param expands false: no elements are equal because they are one in memory
        """
        if dtype == torch.bool:
            value = self.uniform(sizes, 0, 1) < 0.5
        elif dtype.is_floating_point:
            value = self.uniform(sizes, low, high).to(dtype)
        else:
            low = max(low, 0) if dtype == torch.uint8 else low
            value = torch.floor(self.uniform(sizes, low, high + 1)).clamp(max=high).to(dtype)
        return self.laid(value, grad, lies, expands)

    def whole(self, sizes, dtype, low=-3, high=3, grad=False):
        """Few whole numbers, so that many are equal."""
        if dtype == torch.bool:
            return self.tensor(sizes, dtype, grad=False)
        low = max(low, 0) if dtype == torch.uint8 else low
        value = torch.randint(low, high + 1, list(sizes), generator=self.generator)
        return self.laid(value.to(dtype), grad)

    def distinct(self, sizes, dtype=torch.float32, grad=True):
        """Numbers that all differ; many of them are f32 or i64, where the type has not so many."""
        count = 1
        for size in sizes:
            count *= size
        if count > DISTINCT.get(dtype, count):
            dtype = torch.float32 if dtype.is_floating_point else torch.int64
        order = torch.randperm(count, generator=self.generator)
        if not dtype.is_floating_point:
            return self.laid(order.reshape(sizes).to(dtype), False, expands=False)
        return self.laid(((order.double() - count // 2) / 8).reshape(sizes).to(dtype), grad, expands=False)

    def signed(self, given):
        """The same numbers, about half of them negative, where the type has negative ones."""
        if given.value.dtype in (torch.uint8, torch.bool):
            return given
        sign = torch.where(self.uniform(given.value.shape, 0, 1) < 0.5, -1, 1).to(given.value.dtype)
        return self.laid(given.value * sign, given.grad)

    def corners(self, sizes, dtype):
        """Numbers among which are infinities, NaN, zeros of both signs, huge and tiny ones; no gradient."""
        special = torch.tensor([float("inf"), float("-inf"), float("nan"), 0.0, -0.0, 1.0, -1.0, 50.0, -50.0, 1e-30, -3e4])
        value = self.uniform(sizes, -2, 2)
        places = self.uniform(sizes, 0, 1) < 0.5
        chosen = special[torch.randint(0, len(special), list(sizes), generator=self.generator)]
        return self.laid(torch.where(places, chosen.double(), value).to(dtype), False)

    def plain(self, value, grad=False):
        """A tensor that lies dense."""
        return Input(value, value, grad, "dense")

    def laid(self, value, grad=True, lies=True, expands=True):
        grad = grad and value.dtype.is_floating_point
        if not lies or value.dim() == 0 or value.numel() == 0 or self.chance(0.4):
            return self.plain(value, grad)
        layouts = ["sliced"] + ["expanded"] * expands
        if value.dim() > 1:
            layouts += ["transposed"] * 2 + ["blocked"] * value.dtype.is_floating_point
        layout = self.choice(layouts)
        if layout == "blocked":
            return Input(value, value, grad, layout)
        if layout == "transposed":
            order = self.order(value.dim())
            back = [order.index(i) for i in range(value.dim())]
            return Input(value, value.permute(order).contiguous().permute(back), grad, layout)
        axis = self.int(0, value.dim() - 1)
        if layout == "expanded":
            view = value.narrow(axis, 0, 1).contiguous().expand(value.shape)
            return Input(view.contiguous(), view, grad, layout)
        sizes, start, step = list(value.shape), self.int(0, 2), self.int(1, 2)
        sizes[axis] = start + sizes[axis] * step + self.int(0, 2)
        around = torch.full(sizes, 77, dtype=torch.int64).to(value.dtype)
        view = around.narrow(axis, start, (value.shape[axis] - 1) * step + 1)
        view = view[(slice(None),) * axis + (slice(None, None, step),)]
        view.copy_(value)
        return Input(value, view, grad, layout)


def described(given):
    """An input in a few words, for messages."""
    if given is None:
        return "none"
    return f"{NAMES[given.value.dtype]} {list(given.value.shape)} {given.layout}"

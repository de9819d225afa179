# SPDX-License-Identifier: Apache-2.0
"""What PyTorch computes for a case, and whether Tenon's numbers are near enough.

The reference of every floating result is PyTorch's in f64 from the very numbers that Tenon was given. Allowed are
- f64: PyTorch's default tolerances (torch.testing);
- f32: these, and twice the greatest error of PyTorch's own f32 result (of numbers above 1 as a share of them), up to 1e-3,
  so that ill-conditioned cases are judged by what f32 can do; an element that PyTorch's has further off, as where a function
  jumps, may itself be as far off;
- f16, bf16: the reference is rounded to the type; two roundings of the element, which are one to two steps of the type, and
  twice the greatest error of PyTorch whose operators each round what they give (rounding.py): where an operator is one
  kernel on both sides that is a step of the tensor's largest number, where many follow each other it is what their roundings
  grow to. Wider gradients in such a case are judged alike: they are made of gradients of these types, as PyTorch's are.
  Where roundings reach a bend (a ReLU's input is nearer to 0 than they move it) either side's gradient is right, and
  gradients are counted and not compared.
Integers and bools must be equal. A gradient that one side leaves out is zero.

Of most cases in f64 the second derivative is compared too: gradients by the inputs and by the outputs' gradients of the
first gradients, weighted with drawn numbers. The rule that Tenon differentiates then may be another than the one it uses
where nobody asks, so that the first gradients are compared once more.
"""
import contextlib
import dataclasses
import typing

import torch

from drawing import HALVES, NAMES
from rounding import Rounding, at_a_bend

ROUNDING = {torch.float16: 2.0**-11, torch.bfloat16: 2.0**-8}  # how far off, relatively, rounding may be
# relative, absolute: torch.testing's defaults; two roundings, and what f32 inside of a kernel is off by
TOLERANCES = {torch.float64: (1e-7, 1e-7), torch.float32: (1.3e-6, 1e-5),
              torch.float16: (2 * ROUNDING[torch.float16], 1e-6), torch.bfloat16: (2 * ROUNDING[torch.bfloat16], 1e-6)}
SECOND = 0.7  # share of the f64 cases that want second derivatives
ROUNDED_RUNS = 3  # of PyTorch with rounding operators
FEW_NUMBERS, RUNS_OF_FEW = 64, 24  # a case of few numbers may be exact by luck, three times in a row
MOST_OF_F32 = 1e-3  # what the worst element of a tensor may allow the others


@dataclasses.dataclass
class Computed:
    outputs: list
    grads: list  # one for each leaf, or None
    second: typing.Optional[list]  # one for each leaf and each output's gradient, or None; None: not wanted, or it has none


def second_order(grads, over, weights):
    """Gradients by `over` of the weighted gradients; None where PyTorch defines none."""
    pairs = [(g, w) for g, w in zip(grads, weights) if g is not None and g.requires_grad]
    if not pairs:
        return [None] * len(over)
    try:
        return list(torch.autograd.grad([g for g, _ in pairs], over, [w for _, w in pairs], allow_unused=True))
    except RuntimeError:
        return None


def computed(case, wide, dy, weights=None):
    """PyTorch's results; `wide`: in f64.

    @param dy a function from outputs to their gradients @param weights of each leaf's gradient, for second derivatives
    """
    tensors, leaves = [], []
    for given in case.inputs:
        if given is None:
            tensors.append(None)
            continue
        t = given.value.detach().clone()
        if wide and t.is_floating_point():
            t = t.double()
        if given.grad:
            leaves.append(t.requires_grad_())
        tensors.append(t)
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64 if wide else torch.float32)
    try:
        outputs = case.reference(*tensors)
    finally:
        torch.set_default_dtype(before)
    outputs = list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]
    roots = [(y, d.to(y.dtype, copy=True)) for y, d in zip(outputs, dy(outputs)) if d is not None]
    grads, second = [], None
    if roots and leaves:
        ys, ds = [y for y, _ in roots], [d for _, d in roots]
        if weights is not None:
            ds = [d.requires_grad_() for d in ds]
        grads = torch.autograd.grad(ys, leaves, ds, allow_unused=True, create_graph=weights is not None)
        if weights is not None:
            second = second_order(grads, leaves + ds, weights)
    return Computed([y.detach() for y in outputs], [None if g is None else g.detach() for g in grads], second)


def spelled_attention():
    """While it is entered, PyTorch 2's attention is made of operators, whose results round, as Tenon's is; 1.13 has no other."""
    kernels = getattr(torch.nn, "attention", None)
    return kernels.sdpa_kernel(kernels.SDPBackend.MATH) if kernels else contextlib.nullcontext()


def with_roundings(case, dy):
    """A case with a 16-bit type: the exact results, those of PyTorch that rounds, whether they disagree about a bend."""
    found, bends = [], []
    numbers = sum(i.value.numel() for i in case.inputs if i is not None)
    for run in range(1 + (RUNS_OF_FEW if numbers <= FEW_NUMBERS else ROUNDED_RUNS)):
        with spelled_attention(), Rounding(coarsest(case) if run else None, run) as rounding:
            found.append(computed(case, True, dy))
        bends.append(rounding.bends)
    return found[0], found[1:], at_a_bend(bends[0], bends[1:])


def weights_of_gradients(case, draw, share):
    """Numbers to weigh each leaf's gradient with; None for a case without second derivatives."""
    floating = [i for i in case.inputs if i is not None and i.value.is_floating_point()]
    leaves = [i for i in floating if i.grad]
    if not leaves or any(i.value.dtype != torch.float64 for i in floating) or not draw.chance(share):
        return None
    return [draw.uniform(i.value.shape, -1, 1) for i in leaves]


def has_halves(case):
    return any(i is not None and i.value.dtype in HALVES for i in case.inputs) or case.floating in HALVES


def coarsest(case):
    """The type with the fewest digits among a case's."""
    types = {i.value.dtype for i in case.inputs if i is not None} | {case.floating}
    return next((t for t in (torch.bfloat16, torch.float16, torch.float32) if t in types), None)


def result_type(case, output, exact, same):
    """The type Tenon's result must have. @param output its number"""
    if case.types is not None:
        return case.types[output]
    if exact.dtype == torch.int16:
        return torch.int32  # PyTorch's i16, of i8 with u8, is i32 in Tenon
    if not exact.is_floating_point():
        return exact.dtype
    if case.floating is not None:
        return case.floating
    if same is not None:
        return same.dtype
    return next(i.value.dtype for i in case.inputs if i is not None and i.value.is_floating_point())


class Gradients:
    """Draws the gradients of the outputs once, and gives the same to every run."""

    def __init__(self, case, draw):
        self.case, self.draw, self.drawn = case, draw, None

    def __call__(self, outputs):
        if self.drawn is None:
            self.drawn = []
            for k, y in enumerate(outputs):
                if y.requires_grad:
                    dtype = result_type(self.case, k, y, None) if has_halves(self.case) else None
                    self.drawn.append(self.draw.uniform(y.shape, -1, 1).to(dtype or torch.float32))
                else:
                    self.drawn.append(None)
        return self.drawn


def errors(run, exact, relative):
    """How far off each element of a run of PyTorch is; 0 where it is not finite.

    @param relative numbers above 1 as a share of them
    """
    off = (run.double() - exact).abs() / (exact.abs().clamp(min=1) if relative else 1)
    return torch.where(torch.isfinite(off), off, torch.zeros_like(off))


def greatest(tensor):
    return tensor.max().item() if tensor.numel() else 0.0


def difference(got, exact, same, dtype, judged=None, rounded=()):
    """None if `got` is near enough, else what is wrong.

    @param same PyTorch's result in the case's own types @param judged the type whose tolerance counts, if not its own
    @param rounded those of PyTorch that rounds to the case's 16-bit type; None: a gradient that it leaves out
    """
    judged = judged or dtype
    if got is None:
        got = torch.zeros(exact.shape, dtype=dtype)
    if got.dtype != dtype:
        return f"type {NAMES[got.dtype]}, wanted {NAMES[dtype]}"
    if got.shape != exact.shape:
        return f"shape {list(got.shape)}, wanted {list(exact.shape)}"
    if not dtype.is_floating_point:
        wanted = exact if same is None else same
        wrong = got.long() != wanted.long()
    else:
        wanted = exact.float().to(dtype).double() if dtype in HALVES else exact.double()
        got = got.double()
        rtol, atol = TOLERANCES[judged]
        allowed = atol + rtol * wanted.abs()
        if judged in HALVES:
            runs = [run for run in rounded if run is not None]
            allowed = allowed + 2 * max((greatest(errors(run, exact, False)) for run in runs), default=0.0)
        elif same is not None and same.dtype == torch.float32:
            off = 2 * errors(same, exact, True)
            allowed = allowed + off.clamp(min=min(greatest(off), MOST_OF_F32)) * wanted.abs().clamp(min=1)
        equal = (got == wanted) | (torch.isnan(got) & torch.isnan(wanted))
        wrong = ~(equal | ((got - wanted).abs() <= allowed))
    if not wrong.any():
        return None
    off = torch.where(wrong, (got.double() - wanted.double()).abs(), torch.zeros((), dtype=torch.float64))
    off = torch.nan_to_num(off, nan=float("inf"))
    at = int(off.reshape(-1).argmax())
    return (f"{int(wrong.sum())} of {wrong.numel()} elements differ, most by {off.max().item():.6g}: element {at} is "
            f"{got.reshape(-1)[at].item()!r}, wanted {wanted.reshape(-1)[at].item()!r}")


@dataclasses.dataclass
class Found:
    """What comparing a case found."""
    faults: list  # everything in which Tenon and PyTorch differ, as texts
    ops: typing.Optional[list] = None  # operators that ran; None: it was refused
    bent: bool = False  # gradients were not compared: roundings reach a bend
    second: str = ""  # "compared", or whose second derivative there is not: "PyTorch", "Tenon"


def held(case, reply, given):
    """Faults of random results, whose reference is their input: `holds` gets input, result, and the gradients of both."""
    x, y, dx = case.inputs[0].value, reply["outputs"][0], reply["grads"][0]
    return case.holds(x, y, torch.zeros_like(x) if dx is None else dx, given[0])


def wrong_outputs(exact, same, types, reply, rounded):
    found = []
    if len(reply["outputs"]) != len(types):
        found.append(f"{len(reply['outputs'])} outputs, wanted {len(types)}")
    for k, (got, wanted, dtype) in enumerate(zip(reply["outputs"], exact.outputs, types)):
        wrong = difference(got, wanted, same.outputs[k] if same else None, dtype,
                           rounded=[run.outputs[k] for run in rounded])
        if wrong:
            found.append(f"output {k}: {wrong}")
    return found


def wrong_gradients(case, exact, same, got, what, rounded=()):
    """@param got Tenon's gradient of each leaf"""
    found = []
    leaves = [(k, i) for k, i in enumerate(case.inputs) if i is not None and i.grad]
    for n, (k, leaf) in enumerate(leaves if exact.grads else []):
        wide = exact.grads[n] if exact.grads[n] is not None else torch.zeros(leaf.value.shape, dtype=torch.float64)
        narrow = same.grads[n] if same else None
        wrong = difference(got[n] if got else None, wide, narrow, leaf.value.dtype, coarsest(case),
                           [run.grads[n] for run in rounded])
        if wrong:
            found.append(f"{what} of input {k}: {wrong}")
    return found


def wrong_seconds(case, exact, given, reply):
    """The first gradients as Tenon computes them to be differentiated, and the gradients of these."""
    found = wrong_gradients(case, exact, None, reply["traced"], "gradient to be differentiated")
    over = [(f"input {k}", i.value) for k, i in enumerate(case.inputs) if i is not None and i.grad]
    over += [(f"the gradient of output {k}", d) for k, d in enumerate(given) if d is not None]
    for n, (place, by) in enumerate(over):
        wanted = exact.second[n] if exact.second[n] is not None else torch.zeros(by.shape, dtype=torch.float64)
        wrong = difference(reply["second"][n] if reply["second"] else None, wanted, None, by.dtype, coarsest(case))
        if wrong:
            found.append(f"second derivative by {place}: {wrong}")
    return found


def refused(case, reply):
    """A case that Tenon is to refuse."""
    if case.refused in reply.get("error", ""):
        return Found([])
    return Found([f"wanted a refusal with '{case.refused}', got " + (reply.get("error") or "results")])


def compared(case, draw, tenon, share=SECOND):
    """@param share of f64 cases whose second derivatives are compared"""
    dy = Gradients(case, draw)
    if case.refused:
        return refused(case, tenon.run(case, []))
    weights = weights_of_gradients(case, draw, share)
    same, rounded, bent = None, [], False
    if has_halves(case):
        exact, rounded, bent = with_roundings(case, dy)
    else:
        exact, same = computed(case, True, dy, weights), computed(case, False, dy)
    types = [result_type(case, k, y, same.outputs[k] if same else None) for k, y in enumerate(exact.outputs)]
    given = [None if d is None else d.to(t) for d, t in zip(dy.drawn, types)] if dy.drawn else []
    wants_second = exact.second is not None and not case.holds
    reply = tenon.run(case, given, weights if wants_second else None)
    if "error" in reply:
        return Found(["Tenon refused: " + reply["error"]])
    if case.holds:
        return Found(held(case, reply, given), reply["ops"])
    found = wrong_outputs(exact, same, types, reply, rounded)
    if not bent:
        found += wrong_gradients(case, exact, same, reply["grads"], "gradient", rounded)
    if not wants_second:
        return Found(found, reply["ops"], bent, "PyTorch" if weights and exact.grads else "")
    if "second" not in reply:
        return Found(found + ["Tenon has no second derivative: " + reply["no_second"]], reply["ops"])
    return Found(found + wrong_seconds(case, exact, given, reply), reply["ops"], bent, "compared")

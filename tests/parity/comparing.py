# SPDX-License-Identifier: Apache-2.0
"""What PyTorch computes for a case, and whether Tenon's numbers are near enough.

The reference of every floating result is PyTorch's in f64 from the very numbers that Tenon was given. Allowed are
PyTorch's default tolerances of the type (torch.testing), and beside them
- f32: twice the greatest error of PyTorch's own f32 result (of numbers above 1 as a share of them), so that
  ill-conditioned cases are judged by what f32 can do;
- f16, bf16: the reference is rounded to the type; four roundings of the largest number of the tensor (or of 1), since
  gradients are made of saved results that were rounded. Wider gradients in such a case are judged alike: they are made of
  gradients of these types, as PyTorch's are.
Integers and bools must be equal. A gradient that one side leaves out is zero.
"""
import dataclasses

import torch

from drawing import HALVES, NAMES

# relative, absolute: torch.testing's defaults
TOLERANCES = {torch.float64: (1e-7, 1e-7), torch.float32: (1.3e-6, 1e-5), torch.float16: (1e-3, 1e-5),
              torch.bfloat16: (1.6e-2, 1e-5)}
ROUNDING = {torch.float16: 2.0**-11, torch.bfloat16: 2.0**-8}


@dataclasses.dataclass
class Computed:
    outputs: list
    grads: list  # one for each leaf, or None


def computed(case, wide, dy):
    """PyTorch's results; `wide`: in f64. @param dy a function from outputs to their gradients"""
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
    roots = [(y, d.to(y.dtype)) for y, d in zip(outputs, dy(outputs)) if d is not None]
    grads = []
    if roots and leaves:
        grads = torch.autograd.grad([y for y, _ in roots], leaves, [d for _, d in roots], allow_unused=True)
    return Computed([y.detach() for y in outputs], list(grads))


def has_halves(case):
    return any(i is not None and i.value.dtype in HALVES for i in case.inputs) or case.floating in HALVES


def coarsest(case):
    """The type with the fewest digits among a case's."""
    types = {i.value.dtype for i in case.inputs if i is not None} | {case.floating}
    return next((t for t in reversed(HALVES) if t in types), None)


def result_type(case, exact, same):
    """The type Tenon's result must have."""
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
            for y in outputs:
                if y.requires_grad:
                    dtype = result_type(self.case, y, None) if has_halves(self.case) else None
                    self.drawn.append(self.draw.uniform(y.shape, -1, 1).to(dtype or torch.float32))
                else:
                    self.drawn.append(None)
        return self.drawn


def difference(got, exact, same, dtype, judged=None):
    """None if `got` is near enough, else what is wrong.

    @param same PyTorch's result in the case's own types @param judged the type whose tolerance counts, if not its own
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
        finite = wanted[torch.isfinite(wanted)].abs()
        allowed = atol + rtol * wanted.abs()
        if judged in HALVES:
            allowed = allowed + 4 * ROUNDING[judged] * max(1.0, finite.max().item() if finite.numel() else 0.0)
        elif same is not None and same.dtype == torch.float32:
            size = wanted.abs().clamp(min=1)
            off = (same.double() - exact).abs() / size
            off = off[torch.isfinite(off)]
            allowed = allowed + 2 * (off.max().item() if off.numel() else 0.0) * size
        equal = (got == wanted) | (torch.isnan(got) & torch.isnan(wanted))
        wrong = ~(equal | ((got - wanted).abs() <= allowed))
    if not wrong.any():
        return None
    off = torch.where(wrong, (got.double() - wanted.double()).abs(), torch.zeros((), dtype=torch.float64))
    off = torch.nan_to_num(off, nan=float("inf"))
    at = int(off.reshape(-1).argmax())
    return (f"{int(wrong.sum())} of {wrong.numel()} elements differ, most by {off.max().item():.6g}: element {at} is "
            f"{got.reshape(-1)[at].item()!r}, wanted {wanted.reshape(-1)[at].item()!r}")


def faults(case, draw, tenon):
    """Everything in which Tenon and PyTorch differ, as texts, and the operators that ran."""
    dy = Gradients(case, draw)
    exact = computed(case, True, dy)
    same = None if has_halves(case) else computed(case, False, dy)
    types = [result_type(case, y, same.outputs[k] if same else None) for k, y in enumerate(exact.outputs)]
    given = [None if d is None else d.to(t) for d, t in zip(dy.drawn, types)] if dy.drawn else []
    reply = tenon.run(case, given)
    if "error" in reply:
        return ["Tenon refused: " + reply["error"]], []
    found = []
    if len(reply["outputs"]) != len(types):
        found.append(f"{len(reply['outputs'])} outputs, wanted {len(types)}")
    for k, (got, wanted, dtype) in enumerate(zip(reply["outputs"], exact.outputs, types)):
        wrong = difference(got, wanted, same.outputs[k] if same else None, dtype)
        if wrong:
            found.append(f"output {k}: {wrong}")
    leaves = [(k, i) for k, i in enumerate(case.inputs) if i is not None and i.grad]
    for n, (k, leaf) in enumerate(leaves if exact.grads else []):
        wide = exact.grads[n] if exact.grads[n] is not None else torch.zeros(leaf.value.shape, dtype=torch.float64)
        narrow = same.grads[n] if same else None
        wrong = difference(reply["grads"][n] if reply["grads"] else None, wide, narrow, leaf.value.dtype,
                           coarsest(case))
        if wrong:
            found.append(f"gradient of input {k}: {wrong}")
    return found, reply["ops"]

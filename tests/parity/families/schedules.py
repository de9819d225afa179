# SPDX-License-Identifier: Apache-2.0
"""Learning-rate schedules: factors over a whole training."""
import torch
from torch.optim import lr_scheduler as L

from drawing import Case


def factors(make, count):
    """torch's factors after 0, 1, ... steps of its schedule."""
    weight = torch.zeros(1, requires_grad=True)
    optimizer = torch.optim.SGD([weight], 1.0)
    schedule = make(optimizer)
    found = []
    for _ in range(count):
        found.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        schedule.step()
    return torch.tensor(found, dtype=torch.float64)


def counted(d, settings, fractions=True):
    """How a schedule counts: settings with "by", and steps that one of torch's steps stands for."""
    by = d.choice(["epoch", "step"] + ["fraction"] * fractions)
    return dict(settings, by=by), (1 if by == "step" else d.int(1, 4))


def case(kind, settings, make, count, stride=1, total=None, per_epoch=None):
    return Case("schedule", [], lambda: factors(make, count),
                {"id": kind, "settings": settings, "total": total or count * stride, "per_epoch": per_epoch or stride,
                 "at": [i * stride for i in range(count)]})


def constant(d):
    return case("constant", {}, lambda o: L.LambdaLR(o, lambda k: 1.0), d.int(1, 9), d.int(1, 4))


def step(d):
    every, gamma = d.int(1, 5), d.number(0.1, 0.9)
    return case("step", {"every_epochs": every, "gamma": gamma}, lambda o: L.StepLR(o, every, gamma), d.int(1, 20), d.int(1, 4))


def multi_step(d):
    milestones, gamma = sorted(d.int(1, 12) for _ in range(d.int(1, 4))), d.number(0.1, 0.9)
    settings, stride = counted(d, {"milestones": milestones, "gamma": gamma}, False)
    return case("multi_step", settings, lambda o: L.MultiStepLR(o, milestones, gamma), d.int(1, 16), stride)


def exponential(d):
    gamma = d.number(0.5, 0.99)
    settings, stride = counted(d, {"gamma": gamma}, False)
    return case("exponential", settings, lambda o: L.ExponentialLR(o, gamma), d.int(1, 16), stride)


def linear(d):
    start, end, length = d.number(0.05, 1), d.number(0, 1), d.int(1, 12)
    settings, stride = counted(d, {"start_factor": start, "end_factor": end, "length": length})
    return case("linear", settings, lambda o: L.LinearLR(o, start, end, length), d.int(1, 16), stride)


def polynomial(d):
    """Composed: 1.13 lacks PolynomialLR."""
    power, length = d.choice([0.5, 1.0, 2.0, 3.0]), d.int(1, 12)
    settings, stride = counted(d, {"power": power, "length": length})
    return case("polynomial", settings, lambda o: L.LambdaLR(o, lambda k: (1 - min(k, length) / length)**power),
                d.int(1, 16), stride)


def cosine(d):
    final, total = d.number(0, 0.5), d.int(1, 20)
    return case("cosine", {"final_factor": final}, lambda o: L.CosineAnnealingLR(o, total, final), total + 1, total=total)


def cosine_restarts(d):
    first, multiplier, final = d.int(1, 5), d.int(1, 3), d.number(0, 0.5)
    settings, stride = counted(d, {"first": first, "multiplier": multiplier, "final_factor": final})
    return case("cosine_restarts", settings, lambda o: L.CosineAnnealingWarmRestarts(o, first, multiplier, final),
                d.int(1, 30), stride)


def one_cycle(d):
    total = d.int(11, 30)
    share, anneal = d.number(0.2, 0.8), d.choice(["cos", "linear"])
    divisor, last = d.number(2, 30), d.choice([10.0, 1e4])
    make = lambda o: L.OneCycleLR(o, 1.0, total, pct_start=share, anneal_strategy=anneal, cycle_momentum=False,
                                  div_factor=divisor, final_div_factor=last)
    settings = {"pct_start": share, "anneal": anneal, "div_factor": divisor, "final_div_factor": last}
    return Case("schedule", [], lambda: factors_of_cycle(make, total),
                {"id": "one_cycle", "settings": settings, "total": total, "per_epoch": 1, "at": list(range(total))})


def factors_of_cycle(make, total):
    """OneCycleLR refuses a step beyond its last."""
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], 1.0)
    schedule = make(optimizer)
    found = []
    for number in range(total):
        found.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        if number + 1 < total:
            schedule.step()
    return torch.tensor(found, dtype=torch.float64)


def warmup_cosine(d):
    rise, fall = d.int(1, 8), d.int(1, 20)
    start, final = d.number(0.01, 0.9), d.number(0, 0.5)
    total = rise + fall
    return case("warmup_cosine", {"warmup": rise / total, "start_factor": start, "final_factor": final},
                lambda o: L.SequentialLR(o, [L.LinearLR(o, start, 1.0, rise), L.CosineAnnealingLR(o, fall, final)], [rise]),
                total + 1, total=total)


def sequence(d):
    rise, start, gamma = d.int(1, 5), d.number(0.1, 0.9), d.number(0.5, 0.95)
    parts = [f"linear {rise} start_factor={start} end_factor=1"]
    if d.chance(0.5):
        parts.append(f"exponential gamma={gamma}")
        second = lambda o: L.ExponentialLR(o, gamma)
    else:
        parts.append(f"multi_step milestones=2,4 gamma={gamma}")
        second = lambda o: L.MultiStepLR(o, [2, 4], gamma)
    by = d.choice(["step", "epoch"])
    return case("sequence", {"parts": parts, "by": by},
                lambda o: L.SequentialLR(o, [L.LinearLR(o, start, 1.0, rise), second(o)], [rise]), d.int(rise + 1, 16),
                1 if by == "step" else d.int(1, 4))


def plateau(d):
    settings = {"patience": d.int(0, 3), "factor": d.number(0.1, 0.9), "cooldown": d.int(0, 2),
                "threshold": d.choice([1e-4, 0.02]), "threshold_mode": d.choice(["rel", "abs"]),
                "mode": d.choice(["min", "max"]), "min_factor": d.choice([0.0, 0.05])}
    values = [round(1 + (0.1 if d.chance(0.5) else -0.05) * k * d.number(0, 1), 5) for k in range(d.int(1, 20))]

    def run():
        optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], 1.0)
        given = dict(settings, min_lr=settings["min_factor"])
        del given["min_factor"]
        schedule = L.ReduceLROnPlateau(optimizer, **given)
        found = []
        for value in values:
            schedule.step(value)
            found.append(optimizer.param_groups[0]["lr"])
        return torch.tensor(found, dtype=torch.float64)
    return Case("watchingSchedule", [], run, {"id": "plateau", "settings": settings, "values": values})


CASES = {function.__name__: function for function in (
    constant, step, multi_step, exponential, linear, polynomial, cosine, cosine_restarts, one_cycle, warmup_cosine,
    sequence, plateau)}
CASES = {"schedule." + name: function for name, function in CASES.items()}

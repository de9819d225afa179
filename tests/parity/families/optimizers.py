# SPDX-License-Identifier: Apache-2.0
"""Optimizers over several steps with weights and state, clipping, averages of weights."""
import torch

from composed_optimizers import Lamb, Lion, NAdam
from drawing import HALVES, NAMES as TYPE_NAMES, SINGLE, Case

O = torch.optim


def betas(d):
    return d.number(0.5, 0.95), d.choice([0.9, 0.99, 0.999])


def adam(make):
    def draw(d):
        (beta1, beta2), eps, amsgrad = betas(d), d.choice([1e-8, 1e-4]), d.chance(0.4)
        return ({"beta1": beta1, "beta2": beta2, "eps": eps, "amsgrad": amsgrad},
                lambda p, lr: make(p, lr, (beta1, beta2), eps, amsgrad=amsgrad),
                ["exp_avg", "exp_avg_sq"] + ["max_exp_avg_sq"] * amsgrad)
    return draw


def sgd(d):
    momentum = d.choice([0.0, 0.5, 0.9])
    nesterov = momentum > 0 and d.chance(0.4)
    dampening = 0.0 if nesterov else d.choice([0.0, 0.3])
    return ({"momentum": momentum, "nesterov": nesterov, "dampening": dampening},
            lambda p, lr: O.SGD(p, lr, momentum, dampening, nesterov=nesterov),
            [("momentum", "momentum_buffer")] * (momentum > 0))


def adamax(d):
    (beta1, beta2), eps = betas(d), d.choice([1e-8, 1e-4])
    return ({"beta1": beta1, "beta2": beta2, "eps": eps}, lambda p, lr: O.Adamax(p, lr, (beta1, beta2), eps),
            ["exp_avg", "exp_inf"])


def nadam(d):
    (beta1, beta2), eps, decay = betas(d), d.choice([1e-8, 1e-4]), d.number(0.001, 0.02)
    return ({"beta1": beta1, "beta2": beta2, "eps": eps, "momentum_decay": decay},
            lambda p, lr: NAdam(p, lr, (beta1, beta2), eps, decay), [("exp_avg", "m"), ("exp_avg_sq", "v")])


def radam(d):
    (beta1, beta2), eps = betas(d), d.choice([1e-8, 1e-4])
    return ({"beta1": beta1, "beta2": beta2, "eps": eps}, lambda p, lr: O.RAdam(p, lr, (beta1, beta2), eps),
            ["exp_avg", "exp_avg_sq"])


def rmsprop(d):
    momentum, centered, alpha, eps = d.choice([0.0, 0.7]), d.chance(0.5), d.number(0.8, 0.99), d.choice([1e-6, 1e-3])
    return ({"momentum": momentum, "centered": centered, "alpha": alpha, "eps": eps},
            lambda p, lr: O.RMSprop(p, lr, alpha, eps, 0, momentum, centered),
            ["square_avg"] + ["grad_avg"] * centered + ["momentum_buffer"] * (momentum > 0))


def adagrad(d):
    decay, start, eps = d.choice([0.0, 0.1]), d.number(0, 1), d.choice([1e-10, 1e-5])
    return ({"lr_decay": decay, "initial_accumulator": start, "eps": eps},
            lambda p, lr: O.Adagrad(p, lr, decay, 0, start, eps), ["sum"])


def adadelta(d):
    rho, eps = d.number(0.7, 0.99), d.choice([1e-6, 1e-3])
    return {"rho": rho, "eps": eps}, lambda p, lr: O.Adadelta(p, lr, rho, eps), ["square_avg", "acc_delta"]


def lion(d):
    beta1, beta2 = betas(d)
    return {"beta1": beta1, "beta2": beta2}, lambda p, lr: Lion(p, lr, (beta1, beta2), 0), [("exp_avg", "m")]


def lamb(d):
    (beta1, beta2), eps, low, high = betas(d), d.choice([1e-6, 1e-3]), d.choice([0.0, 0.5]), d.choice([10.0, 1.25])
    return ({"beta1": beta1, "beta2": beta2, "eps": eps, "lowest_norm": low, "highest_norm": high},
            lambda p, lr: Lamb(p, lr, (beta1, beta2), eps, 0, (low, high)), [("exp_avg", "m"), ("exp_avg_sq", "v")])


# draws settings, what makes torch's, and the names of the state (Tenon's and torch's where they differ)
KINDS = {"sgd": sgd, "adam": adam(O.Adam), "adamw": adam(O.AdamW), "adamax": adamax, "nadam": nadam, "radam": radam,
         "rmsprop": rmsprop, "adagrad": adagrad, "adadelta": adadelta, "lion": lion, "lamb": lamb}
NAMES = ["body.weight", "body.bias", "head.weight"]


def stepped(make, states, lr, decay, rates, tensors):
    """Weights and states after all steps."""
    count = len(tensors) // (len(rates) + 1)
    weights = [torch.nn.Parameter(t.detach().clone()) for t in tensors[:count]]
    optimizer = make(weights, lr)
    for group in optimizer.param_groups:
        group["weight_decay"] = decay
    for step, rate in enumerate(rates):
        for j, weight in enumerate(weights):
            weight.grad = tensors[count * (step + 1) + j]
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.step()
    found = [w.detach() for w in weights]
    for name in states:
        found += [optimizer.state[w][name[1] if isinstance(name, tuple) else name] for w in weights]
    return found


def of_weights(d):
    """A type of weights, and the words with which 16-bit ones are refused: their updates would be lost in rounding, so
    that weights are f32 where types are mixed."""
    dtype = d.type(HALVES) if d.chance(0.1) else d.type(SINGLE)
    return dtype, f"is {TYPE_NAMES[dtype]}, wanted f32 or f64" if dtype in HALVES else ""


def optimizer(kind):
    def draw(d):
        settings, make, states = KINDS[kind](d)
        (dtype, refused), steps, lr = of_weights(d), d.int(2, 6), d.number(0.005, 0.1)
        decay = d.choice([0.0, 0.0, 0.05])
        rates = [lr * d.number(0.2, 1) for _ in range(steps)]
        sizes = [d.shape(0, 3) for _ in range(d.int(1, 3))]
        inputs = [d.tensor(s, dtype, grad=False, lies=False) for s in sizes]
        late = d.int(0, len(sizes) - 1) if d.chance(0.3) else None
        for step in range(steps):
            for j, s in enumerate(sizes):
                inputs.append(None if j == late and step == 0 else d.tensor(s, dtype, grad=False))
        return Case("optimizer", inputs, lambda *t: stepped(make, states, lr, decay, rates, t),
                    {"id": kind, "settings": dict(settings, lr=lr, weight_decay=decay), "names": NAMES[:len(sizes)],
                     "rates": rates, "states": [n[0] if isinstance(n, tuple) else n for n in states]},
                    refused=refused)
    return draw


def gradients(d):
    """Dense, as backward leaves them: clipping writes in place."""
    dtype = d.type()
    return [d.tensor(d.shape(), dtype, grad=False, lies=False) for _ in range(d.int(1, 4))]


def with_grads(tensors):
    parameters = [torch.nn.Parameter(torch.zeros_like(t)) for t in tensors]
    for parameter, gradient in zip(parameters, tensors):
        parameter.grad = gradient.clone()
    return parameters


def clip_norm(d):
    limit = d.number(0.1, 12)

    def run(*tensors):
        parameters = with_grads(tensors)
        # the factor in f64, as Tenon has it; clip_grad_norm_ takes the norm in the gradients' type
        norm = torch.sqrt(sum((t.double()**2).sum() for t in tensors))
        factor = min(1.0, limit / (norm.item() + 1e-6))
        return [p.grad * factor for p in parameters] + [norm]
    given = gradients(d)
    return Case("clipGradNorm", given, run, {"limit": limit}, types=[g.value.dtype for g in given] + [torch.float64])


def clip_value(d):
    limit = d.number(0.1, 2)

    def run(*tensors):
        parameters = with_grads(tensors)
        torch.nn.utils.clip_grad_value_(parameters, limit)
        return [p.grad for p in parameters]
    return Case("clipGradValue", gradients(d), run, {"limit": limit})


def average(d):
    decay, warm, sizes, (dtype, refused) = d.number(0, 0.99), d.chance(0.4), d.shape(), of_weights(d)

    def run(*values):
        """Composed: the first update copies; with warm-up the decay is at most (1 + n) / (10 + n)."""
        mean = values[0].clone()
        for n, value in enumerate(values[1:], 1):
            share = min(decay, (1 + n) / (10 + n)) if warm else decay
            mean = share * mean + (1 - share) * value
        return mean
    return Case("weightAverage", [d.tensor(sizes, dtype, grad=False) for _ in range(d.int(1, 6))], run,
                {"decay": decay, "warm_up": warm}, refused=refused)


CASES = {kind: optimizer(kind) for kind in KINDS}
CASES.update({
    "clipGradNorm": clip_norm, "clipGradValue": clip_value, "weightAverage": average,
    "sumSquares": lambda d: Case("sumSquares", gradients(d), lambda *t: sum((x.double()**2).sum() for x in t),
                                 types=[torch.float64])})

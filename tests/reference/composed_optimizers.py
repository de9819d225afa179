# SPDX-License-Identifier: Apache-2.0
"""Optimizers composed of torch's primitives: Lion and LAMB after their papers, which torch lacks, and NAdam, whose next
product of momenta has one factor too many in torch 1.13 (later versions do what is done here).
"""
import torch


class Lion(torch.optim.Optimizer):
    """Chen et al. 2023, arXiv:2302.06675, algorithm 2."""

    def __init__(self, params, lr, betas, weight_decay):
        super().__init__(params, {"lr": lr, "betas": betas, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                m = self.state[p].setdefault("m", torch.zeros_like(p))
                update = torch.sign(beta1 * m + (1 - beta1) * p.grad)
                p.sub_(group["lr"] * (update + group["weight_decay"] * p))
                m.mul_(beta2).add_((1 - beta2) * p.grad)


class Lamb(torch.optim.Optimizer):
    """You et al. 2020, arXiv:1904.00962, algorithm 2; phi limits the norm of the weights."""

    def __init__(self, params, lr, betas, eps, weight_decay, limits):
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
                                  "limits": limits})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                t = state["t"] = state.get("t", 0) + 1
                m = state.setdefault("m", torch.zeros_like(p))
                v = state.setdefault("v", torch.zeros_like(p))
                m.mul_(beta1).add_((1 - beta1) * p.grad)
                v.mul_(beta2).add_((1 - beta2) * p.grad ** 2)
                r = (m / (1 - beta1 ** t)) / ((v / (1 - beta2 ** t)).sqrt() + group["eps"])
                r = r + group["weight_decay"] * p
                norm, size = p.norm(), r.norm()
                ratio = norm.clamp(*group["limits"]) / size if norm > 0 and size > 0 else 1.0
                p.sub_(group["lr"] * ratio * r)


class NAdam(torch.optim.Optimizer):
    """torch.optim.NAdam as torch 2 has it."""

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, psi=4e-3):
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "psi": psi, "weight_decay": 0.0})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                t = state["t"] = state.get("t", 0) + 1
                m = state.setdefault("m", torch.zeros_like(p))
                v = state.setdefault("v", torch.zeros_like(p))
                g = p.grad + group["weight_decay"] * p
                mu, after = (beta1 * (1 - 0.5 * 0.96 ** (k * group["psi"])) for k in (t, t + 1))
                product = state["product"] = state.get("product", 1.0) * mu
                m.mul_(beta1).add_((1 - beta1) * g)
                v.mul_(beta2).add_((1 - beta2) * g ** 2)
                root = (v / (1 - beta2 ** t)).sqrt() + group["eps"]
                p.sub_(group["lr"] * ((1 - mu) / (1 - product) * g + after / (1 - product * after) * m) / root)

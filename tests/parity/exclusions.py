# SPDX-License-Identifier: Apache-2.0
"""What PyTorch (1.13 if no other is named) has wrong or lacks, in one list: cases drawn with such a key are counted and not compared.

Where there is another way to the right value it is taken instead, and it says "Composed" there: NAdam (1.13
multiplies the next momentum twice), F.hardsigmoid (f32's 1/6 in the gradient even in f64), smooth_l1_loss (no gradient
of the target), RMS norm, the ReLU in a batch norm, attention, squeeze-and-excite, Lion, LAMB, Dice, focal and hinge
loss, polynomial schedule, folding, padding of any axis.
"""
import torch

REASONS = {
    "ignored": "second derivatives of the mean cross-entropy of ignored targets alone: PyTorch's gradient is zeros for any dy, "
               "and yet its derivative by dy NaN",
    "hardswish": "the gradient of hardswish at 3 itself: 1.13 gives 1.5 or 1, as the element is among the last of a "
                 "tensor or not (2.15: 1, and 0 at -3)",
    "lone column": "antialiased images of a single column: 2.15 gives other values than 1.13 and than its own filter",
    "nearest": "nearest elements under a factor of other than 1 or 2 that leaves an axis or doubles it: 1.13 and 2.15 then "
               "forget the factor, in some ranks in the gradient alone",
}


def is_lone_column(antialias, width):
    """Whether PyTorch computes an antialiased image of this width wrongly."""
    return antialias and width == 1 and int(torch.__version__.split(".")[0]) >= 2

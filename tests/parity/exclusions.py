# SPDX-License-Identifier: Apache-2.0
"""What PyTorch 1.13 has wrong or lacks, in one list: cases drawn with such a key are counted and not compared.

Where there is another way to the right value it is taken instead, and the family says "Composed" there: NAdam (1.13
multiplies the next momentum twice), F.hardsigmoid (f32's 1/6 in the gradient even in f64), smooth_l1_loss (no gradient
of the target), RMS norm, attention, Lion, LAMB, Dice, focal and hinge loss, polynomial schedule, folding, padding of any
axis.
"""
REASONS = {
    "hardswish": "the gradient of hardswish at 3 itself: 1.13 gives 1.5 or 1, as the element is among the last of a "
                 "tensor or not (2.15: 1, and 0 at -3)",
}

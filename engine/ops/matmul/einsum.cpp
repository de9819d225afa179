// SPDX-License-Identifier: Apache-2.0
// Einstein's sums by permutation, reshaping and batched matmul.
//
// Axes carry labels: the letters of the equation, and numbers for the axes that "..." stands for,
// counted so that the last of them has the same label in every term.
#include "engine/ops/matmul/einsum.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "engine/base/error.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/autocast.h"
#include "engine/ops/index/index.h"
#include "engine/ops/matmul/matmul.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/view/view.h"

namespace tenon {
namespace {

using Labels = std::vector<int>;

constexpr int kHidden = 256;  // the first label behind "..."
constexpr int kDots = -1;     // "..." before its axes are known

struct Operand {
  Tensor x;
  Labels labels;  // of x's axes
};

struct Equation {
  std::vector<Labels> terms;
  Labels result;
  bool hasResult = false;
};

bool has(const Labels& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}
int placeOf(const Labels& labels, int label) {
  return static_cast<int>(std::find(labels.begin(), labels.end(), label) - labels.begin());
}

[[noreturn]] void refuse(const std::string& equation, const std::string& why) {
  throw Error(Code::Usage, fmt::format("[einsum] '{}': {}", equation, why));
}

Labels readTerm(const std::string& equation, const std::string& text) {
  Labels labels;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ') continue;
    if (text.compare(i, 3, "...") == 0) {
      if (has(labels, kDots)) refuse(equation, "'...' stands twice in one term");
      labels.push_back(kDots);
      i += 2;
    } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      labels.push_back(c);
    } else {
      refuse(equation, fmt::format("wants letters, ',', '->' and '...', got '{}'", c));
    }
  }
  return labels;
}

Equation readEquation(const std::string& text) {
  Equation equation;
  const size_t arrow = text.find("->");
  equation.hasResult = arrow != std::string::npos;
  const std::string left = text.substr(0, arrow);
  for (size_t start = 0; start != std::string::npos;) {
    const size_t comma = left.find(',', start);
    const size_t length = comma == std::string::npos ? comma : comma - start;
    equation.terms.push_back(readTerm(text, left.substr(start, length)));
    start = comma == std::string::npos ? comma : comma + 1;
  }
  if (equation.hasResult) equation.result = readTerm(text, text.substr(arrow + 2));
  return equation;
}

/// The labels with "..." replaced by those of `axes` hidden axes.
Labels unfolded(const Labels& labels, int axes) {
  Labels all;
  for (int label : labels) {
    if (label != kDots) all.push_back(label);
    for (int i = kMaxDims - axes; label == kDots && i < kMaxDims; ++i) all.push_back(kHidden + i);
  }
  return all;
}

Operand labelled(const std::string& equation, const Labels& term, const Tensor& x) {
  const int named = static_cast<int>(term.size()) - (has(term, kDots) ? 1 : 0);
  const int hidden = x.ndim() - named;
  if (hidden < 0 || (hidden > 0 && !has(term, kDots)))
    throw Error(Code::Shape, fmt::format("[einsum] '{}': a term of {} letters does not name the {} "
                                         "axes of {}",
                                         equation, named, x.ndim(), describe(x)));
  return {x, unfolded(term, hidden)};
}

/// Without repeated letters: each becomes the diagonal, as the last axis.
Operand diagonal(const std::string& equation, Operand from) {
  for (size_t i = 0; i < from.labels.size(); ++i) {
    const int label = from.labels[i];
    const auto twin =
        std::find(from.labels.begin() + static_cast<ptrdiff_t>(i) + 1, from.labels.end(), label);
    if (twin == from.labels.end()) continue;
    const int first = static_cast<int>(i), second = static_cast<int>(twin - from.labels.begin());
    const int64_t size = from.x.size(first);
    if (size != from.x.size(second))
      throw Error(Code::Shape, fmt::format("[einsum] '{}': '{}' is {} and {} in {}", equation,
                                           static_cast<char>(label), size, from.x.size(second),
                                           describe(from.x)));
    Axes order;
    Labels labels;
    Shape flat;
    for (int axis = 0; axis < from.x.ndim(); ++axis) {
      if (axis == first || axis == second) continue;
      order.push_back(axis);
      labels.push_back(from.labels[static_cast<size_t>(axis)]);
      flat.push(from.x.size(axis));
    }
    order.push_back(first);
    order.push_back(second);
    labels.push_back(label);
    flat.push(size * size);
    std::vector<int64_t> places;
    for (int64_t k = 0; k < size; ++k) places.push_back(k * (size + 1));
    const Tensor at = Tensor::fromValues(places, {size});
    from = {indexSelect(reshape(permute(from.x, order), flat), -1, at), labels};
    i = static_cast<size_t>(-1);  // the axes have moved: from the start again
  }
  return from;
}

/// Sums over the axes whose label is not wanted.
Operand summed(const Operand& from, const Labels& wanted) {
  Axes axes;
  Labels left;
  for (size_t i = 0; i < from.labels.size(); ++i) {
    if (has(wanted, from.labels[i])) {
      left.push_back(from.labels[i]);
    } else {
      axes.push_back(static_cast<int>(i));
    }
  }
  return axes.empty() ? from : Operand{sum(from.x, axes), left};
}

/// The axes in the order of these groups of labels; a group given to `merged` becomes one axis.
Tensor arranged(const Operand& from, const std::array<Labels, 3>& groups,
                const std::array<bool, 3>& merged) {
  Axes order;
  Shape shape;
  for (size_t g = 0; g < groups.size(); ++g) {
    int64_t all = 1;
    for (int label : groups[g]) {
      const int axis = placeOf(from.labels, label);
      order.push_back(axis);
      all *= from.x.size(axis);
      if (!merged[g]) shape.push(from.x.size(axis));
    }
    if (merged[g]) shape.push(all);
  }
  return reshape(permute(from.x, order), shape);
}

/// Repeats the axes of size 1 where `other` has more.
Operand widened(const Operand& from, const Operand& other) {
  Shape shape = from.x.shape();
  for (size_t i = 0; i < from.labels.size(); ++i) {
    const int axis = static_cast<int>(i);
    if (has(other.labels, from.labels[i]) && shape[axis] == 1)
      shape[axis] = other.x.size(placeOf(other.labels, from.labels[i]));
  }
  return {expand(from.x, shape), from.labels};
}

/// Axes of the product that stay, by whose they are, and those summed over.
struct Roles {
  Labels both, left, right, inner;
};

Roles rolesOf(const Operand& a, const Operand& b, const Labels& wanted) {
  Roles roles;
  for (int label : a.labels) {
    Labels& role = !has(b.labels, label) ? roles.left
                   : has(wanted, label)  ? roles.both
                                         : roles.inner;
    role.push_back(label);
  }
  for (int label : b.labels)
    if (!has(a.labels, label)) roles.right.push_back(label);
  return roles;
}

Labels joined(Labels first, const Labels& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// Both with axes [both, left, right, inner], those of the other being of size 1.
Tensor pointwise(const Operand& a, const Operand& b, const Roles& roles) {
  const auto spread = [&](const Operand& from) {
    Axes order;
    Shape shape;
    for (const Labels* group : {&roles.both, &roles.left, &roles.right, &roles.inner})
      for (int label : *group) {
        const bool own = has(from.labels, label);
        const int axis = placeOf(from.labels, label);
        if (own) order.push_back(axis);
        shape.push(own ? from.x.size(axis) : 1);
      }
    return reshape(permute(from.x, order), shape);
  };
  const Tensor product = mul(spread(a), spread(b));
  Axes inner;
  for (size_t i = 0; i < roles.inner.size(); ++i)
    inner.push_back(product.ndim() - 1 - static_cast<int>(i));
  return inner.empty() ? product : sum(product, inner);
}

/// One operand for two, with the axes that are wanted later.
Operand contracted(const Operand& first, const Operand& second, const Labels& wanted) {
  const Operand slimA = summed(first, joined(wanted, second.labels));
  const Operand slimB = summed(second, joined(wanted, first.labels));
  const Operand a = widened(slimA, slimB), b = widened(slimB, slimA);
  const Roles roles = rolesOf(a, b, wanted);
  const Labels labels = joined(joined(roles.both, roles.left), roles.right);
  if (roles.inner.empty() || (roles.left.empty() && roles.right.empty()))
    return {pointwise(a, b, roles), labels};
  const bool merge = roles.both.size() > kMaxDims - 2;
  const Tensor left = arranged(a, {roles.both, roles.left, roles.inner}, {merge, true, true});
  const Tensor right = arranged(b, {roles.both, roles.inner, roles.right}, {merge, true, true});
  Shape shape;
  for (int label : joined(roles.both, roles.left)) shape.push(a.x.size(placeOf(a.labels, label)));
  for (int label : roles.right) shape.push(b.x.size(placeOf(b.labels, label)));
  return {reshape(matmul(left, right, MatmulParams{}), shape), labels};
}

void checkSizes(const std::string& equation, const std::vector<Operand>& operands) {
  std::map<int, int64_t> sizes;
  for (const Operand& operand : operands)
    for (size_t i = 0; i < operand.labels.size(); ++i) {
      const int64_t size = operand.x.size(static_cast<int>(i));
      int64_t& known = sizes.emplace(operand.labels[i], size).first->second;
      if (known != size && known != 1 && size != 1)
        throw Error(Code::Shape,
                    fmt::format("[einsum] '{}': {} has sizes {} and {}", equation,
                                operand.labels[i] >= kHidden
                                    ? std::string("an axis of '...'")
                                    : fmt::format("'{}'", static_cast<char>(operand.labels[i])),
                                known, size));
      if (known == 1) known = size;
    }
}

/// Labels of the result: as written, or every one that occurs once.
Labels resultLabels(const std::string& text, const Equation& equation,
                    const std::vector<Operand>& operands) {
  int hidden = 0;
  std::map<int, int> seen;
  for (const Labels& term : equation.terms)
    for (int label : term) ++seen[label];
  for (const Operand& operand : operands)
    hidden = std::max(hidden,
                      static_cast<int>(std::count_if(operand.labels.begin(), operand.labels.end(),
                                                     [](int label) { return label >= kHidden; })));
  if (!equation.hasResult) {
    Labels letters = {kDots};
    for (const auto& [label, times] : seen)
      if (label != kDots && times == 1) letters.push_back(label);
    std::sort(letters.begin() + 1, letters.end());
    return unfolded(letters, hidden);
  }
  for (size_t i = 0; i < equation.result.size(); ++i) {
    const int label = equation.result[i];
    if (label == kDots) continue;
    if (seen.count(label) == 0)
      refuse(text, fmt::format("'{}' is on the right side only", static_cast<char>(label)));
    if (placeOf(equation.result, label) != static_cast<int>(i))
      refuse(text, fmt::format("'{}' stands twice on the right side", static_cast<char>(label)));
  }
  return unfolded(equation.result, hidden);
}

/// What the operands from `next` on and the result still need.
Labels wantedFrom(const std::vector<Operand>& operands, size_t next, const Labels& result) {
  Labels wanted = result;
  for (; next < operands.size(); ++next) wanted = joined(wanted, operands[next].labels);
  return wanted;
}

}  // namespace

Tensor outer(const Tensor& a, const Tensor& b) {
  for (const Tensor* x : {&a, &b}) {
    if (!x->defined())
      throw Error(Code::Usage,
                  fmt::format("[outer] {} is undefined: it holds no tensor", x == &a ? "a" : "b"));
    if (x->ndim() != 1)
      throw Error(Code::Shape, fmt::format("[outer] {} wants one axis, got {}", x == &a ? "a" : "b",
                                           describe(*x)));
  }
  return mul(unsqueeze(a, 1), unsqueeze(b, 0));
}

Tensor einsum(const std::string& equation, const std::vector<Tensor>& operands) {
  if (const gate::AutocastCall cast{AutocastClass::LowPrecision}) {
    std::vector<Tensor> given;
    for (const Tensor& operand : operands) given.push_back(cast(operand));
    return einsum(equation, given);
  }
  const Equation read = readEquation(equation);
  if (operands.empty() || read.terms.size() != operands.size())
    refuse(equation,
           fmt::format("has {} terms for {} operands", read.terms.size(), operands.size()));
  std::vector<Operand> all;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i].defined())
      refuse(equation, fmt::format("operand {} is undefined: it holds no tensor", i));
    all.push_back(diagonal(equation, labelled(equation, read.terms[i], operands[i])));
  }
  checkSizes(equation, all);
  const Labels result = resultLabels(equation, read, all);
  Operand joint = all[0];
  for (size_t i = 1; i < all.size(); ++i)
    joint = contracted(joint, all[i], wantedFrom(all, i + 1, result));
  joint = summed(joint, result);
  Axes order;
  for (int label : result) order.push_back(placeOf(joint.labels, label));
  return permute(joint.x, order);
}

}  // namespace tenon

// SPDX-License-Identifier: Apache-2.0
// Making, laying out and comparing test tensors, element by element and without operators.
#include "tests/engine/ops/harness.h"

#include <cmath>
#include <cstring>

#include "engine/backend/registry/devices.h"
#include "engine/backend/registry/kernel_table.h"
#include "engine/base/error.h"
#include "engine/base/philox.h"
#include "engine/tensor/half.h"

namespace tenon::test {
namespace {

int64_t blockedIndex(const Shape& shape, const Shape& at) {
  int64_t index = 0;
  for (int i = 0; i < shape.ndim(); ++i)
    index = i == 1 ? index * ((shape[1] + 7) / 8) + at[1] / 8 : index * shape[i] + at[i];
  return index * 8 + at[1] % 8;
}

int64_t stridedIndex(const Tensor& t, const Shape& at) {
  int64_t index = 0;
  for (int i = 0; i < t.ndim(); ++i) index += at[i] * t.strides()[i];
  return index;
}

/// Copies the dense elements `from` into `to`, wherever they lie.
void place(const std::vector<std::byte>& from, const Tensor& to) {
  const auto width = static_cast<size_t>(dtypeBytes(to.dtype()));
  char* data = static_cast<char*>(to.rawData());
  Shape at = to.shape();
  for (int i = 0; i < at.ndim(); ++i) at[i] = 0;
  for (int64_t k = 0; k < to.numel(); ++k) {
    const int64_t index =
        to.layout().blocked() ? blockedIndex(to.shape(), at) : stridedIndex(to, at);
    std::memcpy(data + static_cast<size_t>(index) * width, &from[static_cast<size_t>(k) * width],
                width);
    for (int axis = at.ndim() - 1; axis >= 0 && ++at[axis] == to.shape()[axis]; --axis)
      at[axis] = 0;
  }
}

Tensor transposedRoom(const Tensor& t) {
  Shape turned = t.shape();
  std::swap(turned[0], turned[t.ndim() - 1]);
  const Tensor room = Tensor::empty(turned, t.dtype());
  Shape strides = contiguousStrides(turned);
  std::swap(strides[0], strides[t.ndim() - 1]);
  return room.aliasWith(t.shape(), strides, 0);
}

/// Every second element of the last axis of a larger tensor, from an offset.
Tensor slicedRoom(const Tensor& t) {
  Shape large = t.shape();
  large[t.ndim() - 1] = large[t.ndim() - 1] * 2 + 3;
  const Tensor room = Tensor::empty(large, t.dtype());
  std::memset(room.rawData(), 0x5A, static_cast<size_t>(room.bytes()));
  Shape strides = contiguousStrides(large);
  strides[t.ndim() - 1] = 2;
  return room.aliasWith(t.shape(), strides, 1);
}

double drawn(const SampleInput& input, philox::Key key, int64_t i, int64_t count,
             const std::vector<int64_t>& order) {
  const auto index = static_cast<uint64_t>(i);
  const double u = (philox::wordOf(key, 0, index) + 0.5) / 4294967296.0;
  switch (input.values) {
    case SampleInput::Values::Positive: {
      const double low = input.low > 0 ? input.low : 0.1;
      return low + (input.high - low) * u;
    }
    case SampleInput::Values::Distinct:
      return input.low + (input.high - input.low) * (static_cast<double>(order[index]) + 0.5) /
                             static_cast<double>(count);
    case SampleInput::Values::Index:
      return std::floor(input.high * u);
    case SampleInput::Values::Bool:
      return u < 0.5 ? 1 : 0;
    default:
      return input.low + (input.high - input.low) * u;
  }
}

template <class T>
std::vector<double> widened(const Tensor& t) {
  const std::vector<T> values = t.toVector<T>();
  return {values.begin(), values.end()};
}

template <class T>
void narrowed(const std::vector<double>& numbers, const Tensor& out) {
  T* data = out.data<T>();
  for (size_t i = 0; i < numbers.size(); ++i) data[i] = static_cast<T>(numbers[i]);
}

}  // namespace

const char* layName(Lay lay) {
  constexpr const char* kNames[] = {"dense", "transposed", "sliced", "blocked"};
  return kNames[static_cast<int>(lay)];
}

bool canLie(const Tensor& t, Lay lay) {
  if (!t.defined()) return false;
  switch (lay) {
    case Lay::Dense:
      return true;
    case Lay::Sliced:
      return t.ndim() >= 1 && t.numel() > 0;
    default:
      return t.ndim() >= 2 && t.numel() > 0;
  }
}

Tensor laid(const Tensor& t, Lay lay) {
  const Tensor room = lay == Lay::Dense        ? Tensor::empty(t.shape(), t.dtype())
                      : lay == Lay::Transposed ? transposedRoom(t)
                      : lay == Lay::Sliced     ? slicedRoom(t)
                                               : Tensor::emptyBlocked(t.shape(), t.dtype());
  room.impl()->isView = false;
  place(t.toBytes(), room);
  return room;
}

std::vector<double> numbersOf(const Tensor& t) {
  switch (t.dtype()) {
    case DType::F32:
      return widened<float>(t);
    case DType::F64:
      return t.toVector<double>();
    case DType::F16:
      return widened<Half>(t);
    case DType::BF16:
      return widened<BFloat16>(t);
    case DType::I64:
      return widened<int64_t>(t);
    case DType::I32:
      return widened<int32_t>(t);
    case DType::I8:
      return widened<int8_t>(t);
    case DType::U8:
      return widened<uint8_t>(t);
    case DType::Bool: {
      std::vector<double> numbers;
      for (std::byte b : t.toBytes()) numbers.push_back(b != std::byte{0} ? 1 : 0);
      return numbers;
    }
    default:
      throw Error(Code::Type, "numbersOf: no such type: " + describe(t));
  }
}

Tensor fromNumbers(const std::vector<double>& numbers, const Shape& shape, DType dtype) {
  const Tensor out = Tensor::empty(shape, dtype);
  switch (dtype) {
    case DType::F32:
      narrowed<float>(numbers, out);
      break;
    case DType::F64:
      narrowed<double>(numbers, out);
      break;
    case DType::F16:
      narrowed<Half>(numbers, out);
      break;
    case DType::BF16:
      narrowed<BFloat16>(numbers, out);
      break;
    case DType::I64:
      narrowed<int64_t>(numbers, out);
      break;
    case DType::I32:
      narrowed<int32_t>(numbers, out);
      break;
    case DType::I8:
      narrowed<int8_t>(numbers, out);
      break;
    case DType::U8:
      narrowed<uint8_t>(numbers, out);
      break;
    case DType::Bool:
      narrowed<bool>(numbers, out);
      break;
    default:
      throw Error(Code::Type, "fromNumbers: no such type");
  }
  return out;
}

Tensor converted(const Tensor& t, DType dtype) {
  return fromNumbers(numbersOf(t), t.shape(), dtype);
}

Tensor makeInput(const SampleInput& input, uint64_t seed) {
  if (input.values == SampleInput::Values::Absent) return {};
  const philox::Key key = philox::makeKey(seed, philox::Purpose::Test);
  const int64_t count = input.shape.numel();
  std::vector<int64_t> order;
  if (input.values == SampleInput::Values::Distinct)
    order = philox::permutation(count, philox::foldIn(key, 1));
  std::vector<double> numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(drawn(input, key, i, count, order));
  const DType dtype = input.values == SampleInput::Values::Index  ? DType::I64
                      : input.values == SampleInput::Values::Bool ? DType::Bool
                                                                  : DType::F64;
  return fromNumbers(numbers, input.shape, dtype);
}

std::vector<Tensor> makeInputs(const OpSample& sample) {
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < sample.inputs.size(); ++i)
    inputs.push_back(makeInput(sample.inputs[i], 1000 + i));
  return inputs;
}

std::vector<const Tensor*> pointers(const std::vector<Tensor>& tensors) {
  std::vector<const Tensor*> all;
  for (const Tensor& t : tensors) all.push_back(&t);
  return all;
}

std::vector<Tensor> callOp(const OpDef& op, const std::vector<Tensor>& inputs, const void* params) {
  const std::vector<const Tensor*> list = pointers(inputs);
  gate::Outputs outputs = gate::call(op, list, params);
  std::vector<Tensor> results(outputs.begin(), outputs.end());
  if (!results.empty()) return results;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (op.mutatesInput(i) && inputs[i].defined()) results.push_back(inputs[i]);
  return results;
}

bool mayRefuse(const OpDef& op, const Error& error) {
  const std::string text = error.what();
  const bool inPlace = (op.mutates || op.groupMutates) &&
                       text.find("writes in place only to dense tensors") != std::string::npos;
  return inPlace || (op.view && text.find("cannot be read as") != std::string::npos);
}

void KernelLog::onCall(const gate::CallInfo& info) {
  calls_.emplace_back(info.op.id, info.kernel ? info.kernel->name : "view");
  kernels_.push_back(info.kernel);
}

std::string KernelLog::last(const std::string& op) const {
  for (size_t i = calls_.size(); i-- > 0;)
    if (calls_[i].first == op) return calls_[i].second;
  return {};
}

const TenonKernel* KernelLog::lastKernel(const std::string& op) const {
  for (size_t i = calls_.size(); i-- > 0;)
    if (calls_[i].first == op) return kernels_[i];
  return nullptr;
}

LevelGuard::LevelGuard(const char* level) : saved_(backend::cpuLevel()) {
  backend::setCpuLevel(level);
}
LevelGuard::~LevelGuard() { backend::setCpuLevel(saved_.c_str()); }

const std::vector<std::string>& levels() {
  static const std::vector<std::string> kAll = [] {
    std::vector<std::string> all;
    for (const char* level : {"avx2", "baseline"}) {
      try {
        const LevelGuard guard(level);
        all.emplace_back(level);
      } catch (const Error&) {
      }
    }
    return all;
  }();
  return kAll;
}

ForcedKernel::ForcedKernel(const TenonKernel& kernel) : op_(kernel.op) {
  backend::replaceKernels(op_, {&kernel});
}
ForcedKernel::~ForcedKernel() { backend::replaceKernels(op_, {}); }

Tolerance toleranceOf(DType dtype) {
  switch (dtype) {
    case DType::F64:
      return {1e-9, 1e-10};
    case DType::F32:
      return {1.3e-6, 1e-5};  // as PyTorch compares f32
    default:
      return {};
  }
}

::testing::AssertionResult near(const Tensor& got, const Tensor& wanted, Tolerance tolerance) {
  if (!(got.shape() == wanted.shape()))
    return ::testing::AssertionFailure()
           << "shape " << toString(got.shape()) << ", wanted " << toString(wanted.shape());
  const std::vector<double> a = numbersOf(got);
  const std::vector<double> b = numbersOf(wanted);
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    if (a[i] == b[i]) continue;
    if (!(std::fabs(a[i] - b[i]) <= tolerance.atol + tolerance.rtol * std::fabs(b[i])))
      return ::testing::AssertionFailure() << "element " << i << " is " << a[i] << ", wanted "
                                           << b[i] << " (" << describe(got) << ")";
  }
  return ::testing::AssertionSuccess();
}

bool paddingIsZero(const Tensor& t) {
  if (!t.layout().blocked() || t.numel() == 0) return true;
  Shape padded = t.shape();
  padded[1] = (padded[1] + 7) / 8 * 8;
  const auto width = static_cast<size_t>(dtypeBytes(t.dtype()));
  const char* data = static_cast<const char*>(t.rawData());
  Shape at = padded;
  for (int i = 0; i < at.ndim(); ++i) at[i] = 0;
  for (int64_t k = 0; k < padded.numel(); ++k) {
    if (at[1] >= t.shape()[1]) {
      const auto index = static_cast<size_t>(blockedIndex(t.shape(), at));
      for (size_t b = 0; b < width; ++b) {
        const bool sign = isFloating(t.dtype()) && b == width - 1;  // -0 is as good
        if ((data[index * width + b] & (sign ? 0x7F : 0xFF)) != 0) return false;
      }
    }
    for (int axis = at.ndim() - 1; axis >= 0 && ++at[axis] == padded[axis]; --axis) at[axis] = 0;
  }
  return true;
}

}  // namespace tenon::test

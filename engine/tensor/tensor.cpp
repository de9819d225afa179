// SPDX-License-Identifier: Apache-2.0
// Making tensors, reading them in logical order, and naming devices.
#include "engine/tensor/tensor.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <vector>

#include "engine/backend/registry/devices.h"
#include "engine/base/error.h"
#include "engine/base/free_list.h"
#include "engine/tensor/fill_value.h"
#include "engine/tensor/half.h"

namespace tenon {

std::string toString(Device device) {
  return device.kind == DeviceKind::Cpu ? std::string("cpu") : fmt::format("cuda:{}", device.index);
}

Device deviceFromName(std::string_view name) {
  if (name == "cpu") return {};
  if (name == "cuda") return {DeviceKind::Cuda, 0};
  if (name.starts_with("cuda:")) {
    unsigned index = 0;
    const char* end = name.data() + name.size();
    auto [at, failed] = std::from_chars(name.data() + 5, end, index);
    if (failed == std::errc() && at == end && index < 256)
      return {DeviceKind::Cuda, static_cast<uint8_t>(index)};
  }
  throw Error(Code::Device, fmt::format("unknown device '{}': wanted cpu, cuda or cuda:N", name));
}

constinit thread_local bool threadInfers = false;

Storage::Storage(size_t bytes, Device device, memory::Category category)
    : allocator_(&backend::allocatorOf(device.kind == DeviceKind::Cpu ? 0 : 1, device.index)),
      device_(device),
      inference_(threadInfers) {
  block_ = allocator_->allocate({bytes, 0, {}, category});
}

Storage::~Storage() { allocator_->free(block_); }

void Storage::retag(memory::Category category) {
  if (block_->category != category) allocator_->retag(block_, category);
}

namespace {
[[gnu::tls_model("initial-exec")]] constinit thread_local FreeList freeBodies;
[[gnu::tls_model("initial-exec")]] constinit thread_local FreeList freeStorages;

/// Not make(), which would fill all of it with zeros first.
Ref<TensorImpl> newBody() { return Ref<TensorImpl>::adopt(new TensorImpl); }
}  // namespace

void* Storage::operator new(size_t bytes) { return freeStorages.take(bytes); }
void Storage::operator delete(void* p) noexcept { freeStorages.give(p); }

TensorImpl::~TensorImpl() = default;

void* TensorImpl::operator new(size_t bytes) { return freeBodies.take(bytes); }
void TensorImpl::operator delete(void* p) noexcept { freeBodies.give(p); }

Tensor Tensor::empty(const Shape& shape, DType dtype, Device device, memory::Category category) {
  const int64_t bytes = checkedBytes(shape, dtypeBits(dtype));
  Ref<TensorImpl> impl = newBody();
  impl->storage = make<Storage>(static_cast<size_t>(bytes), device, category);
  impl->shape = shape;
  impl->strides = contiguousStrides(shape);
  impl->dtype = dtype;
  impl->device = device;
  return Tensor(std::move(impl));
}

Tensor Tensor::emptyBlocked(const Shape& shape, DType dtype, Device device) {
  if (shape.ndim() < 2)
    throw Error(Code::Shape,
                "a blocked tensor has at least 2 dimensions, wanted " + toString(shape));
  Shape padded = shape;
  padded[1] = (shape[1] + 7) / 8 * 8;
  Tensor out = empty(padded, dtype, device);
  if (padded[1] != shape[1] && device.kind == DeviceKind::Cpu)
    std::memset(out.rawData(), 0, static_cast<size_t>(out.bytes()));
  out.impl()->shape = shape;
  out.impl()->strides = contiguousStrides(shape);
  out.impl()->layout = kBlocked8;
  return out;
}

Tensor Tensor::zeros(const Shape& shape, DType dtype, Device device) {
  Tensor out = empty(shape, dtype, device);
  if (device.kind == DeviceKind::Cpu) {
    std::memset(out.rawData(), 0, static_cast<size_t>(out.bytes()));
  } else {
    throw Error(Code::Device, "zeros on " + toString(device) + ": make it on the cpu and copy it");
  }
  return out;
}

namespace {
template <class T>
void fillWith(const Tensor& t, double value) {
  T* p = t.data<T>();
  for (int64_t i = 0, n = t.numel(); i < n; ++i) p[i] = static_cast<T>(value);
}
}  // namespace

Tensor Tensor::full(const Shape& shape, double value, DType dtype) {
  needFillValue(value, dtype, "full");
  Tensor out = empty(shape, dtype);
  switch (dtype) {
    case DType::F32:
      fillWith<float>(out, value);
      break;
    case DType::F64:
      fillWith<double>(out, value);
      break;
    case DType::F16:
      fillWith<Half>(out, value);
      break;
    case DType::BF16:
      fillWith<BFloat16>(out, value);
      break;
    case DType::I64:
      fillWith<int64_t>(out, value);
      break;
    case DType::I32:
      fillWith<int32_t>(out, value);
      break;
    case DType::I8:
      fillWith<int8_t>(out, value);
      break;
    case DType::U8:
      fillWith<uint8_t>(out, value);
      break;
    case DType::Bool:
      fillWith<bool>(out, value);
      break;
    default:
      throw Error(Code::Type,
                  fmt::format("full: unknown element type number {}", static_cast<int>(dtype)));
  }
  return out;
}

Tensor Tensor::fromBytes(const void* data, size_t bytes, const Shape& shape, DType dtype) {
  const auto wanted = static_cast<size_t>(checkedBytes(shape, dtypeBits(dtype)));
  if (bytes != wanted)
    throw Error(Code::Shape, fmt::format("{} of shape {} has {} bytes, got {}", dtypeName(dtype),
                                         toString(shape), wanted, bytes));
  Tensor out = empty(shape, dtype);
  if (bytes) std::memcpy(out.rawData(), data, bytes);
  return out;
}

bool Tensor::isContiguous() const {
  return !impl_->layout.blocked() && tenon::isContiguous(impl_->shape, impl_->strides);
}

void Tensor::writeView(TenonTensorView& v) const {
  const TensorImpl& t = *impl_;
  v.data = rawData();
  v.ndim = t.shape.ndim();
  for (int i = 0; i < v.ndim; ++i) {
    v.sizes[i] = t.shape[i];
    v.strides[i] = t.strides[i];
  }
  v.dtype = static_cast<int32_t>(t.dtype);
  v.layout = static_cast<int32_t>(t.layout.kind);
  v.blockAxis = t.layout.axis;
  v.blockSize = t.layout.block;
  v.paddedSize = 0;
  if (t.layout.blocked()) {
    const int64_t size = t.shape[t.layout.axis];
    v.paddedSize = (size + v.blockSize - 1) / v.blockSize * v.blockSize;
  }
}

void Tensor::checkAccess(DType wanted) const {
  if (device().kind != DeviceKind::Cpu)
    throw Error(Code::Device,
                "elements of a tensor on " + toString(device()) + " read on the host");
  if (dtype() != wanted)
    throw Error(Code::Type, fmt::format("elements read as {}, the tensor is {}", dtypeName(wanted),
                                        describe(*this)));
}

namespace {
/// Physical element index of logical position `at` in a blocked tensor.
int64_t blockedIndex(const Tensor& t, const Shape& at) {
  const Layout layout = t.layout();
  const int64_t block = layout.block;
  int64_t index = 0;
  for (int i = 0; i < t.ndim(); ++i) {
    const bool cut = i == layout.axis;
    const int64_t size = cut ? (t.shape()[i] + block - 1) / block : t.shape()[i];
    index = index * size + (cut ? at[i] / block : at[i]);
  }
  return index * block + at[layout.axis] % block;
}

int64_t stridedIndex(const Tensor& t, const Shape& at) {
  int64_t index = 0;
  for (int i = 0; i < t.ndim(); ++i) index += at[i] * t.strides()[i];
  return index;
}
}  // namespace

void Tensor::copyLogical(void* out) const {
  const auto width = static_cast<size_t>(dtypeBytes(dtype()));
  const char* from = static_cast<const char*>(rawData());
  const int64_t n = numel();
  if (n == 0) return;
  if (isContiguous()) {
    std::memcpy(out, from, static_cast<size_t>(n) * width);
    return;
  }
  Shape at = shape();
  for (int i = 0; i < ndim(); ++i) at[i] = 0;
  char* to = static_cast<char*>(out);
  for (int64_t k = 0; k < n; ++k, to += width) {
    const int64_t index = layout().blocked() ? blockedIndex(*this, at) : stridedIndex(*this, at);
    std::memcpy(to, from + static_cast<size_t>(index) * width, width);
    for (int axis = ndim() - 1; axis >= 0 && ++at[axis] == shape()[axis]; --axis) at[axis] = 0;
  }
}

std::vector<std::byte> Tensor::toBytes() const {
  checkAccess(dtype());
  std::vector<std::byte> out(static_cast<size_t>(bytes()));
  copyLogical(out.data());
  return out;
}

Tensor Tensor::aliasWith(const Shape& shape, const Shape& strides, int64_t offset) const {
  Ref<TensorImpl> impl = newBody();
  impl->storage = impl_->storage;
  impl->shape = shape;
  impl->strides = strides;
  impl->offset = offset;
  impl->dtype = impl_->dtype;
  impl->device = impl_->device;
  impl->layout = impl_->layout;
  impl->isView = true;
  return Tensor(std::move(impl));
}

std::string describe(const Tensor& tensor) {
  if (!tensor) return "undefined";
  return fmt::format("{} {} {}", dtypeName(tensor.dtype()), toString(tensor.shape()),
                     toString(tensor.device()));
}

}  // namespace tenon

// SPDX-License-Identifier: Apache-2.0
// Tensor: a counted handle to elements in a Storage, with shape, layout, version and an opaque
// autograd part.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/intrusive_ptr.h"
#include "engine/memory/allocator.h"
#include "engine/tensor/device.h"
#include "engine/tensor/dtype.h"
#include "engine/tensor/shape.h"

namespace tenon {

/// Whether the calling thread is in inference mode (engine/autograd/inference_mode.h); initial-exec
/// and constinit, so that reading it is one instruction.
[[gnu::tls_model("initial-exec")]] TENON_API extern constinit thread_local bool threadInfers;

/// Bytes of a device, from its caching allocator. Shared by a tensor and its views, with one
/// version counter.
class TENON_API Storage : public RefCounted {
 public:
  /// @throws Error(Code::Memory)
  Storage(size_t bytes, Device device, memory::Category category);
  ~Storage();
  static void* operator new(size_t bytes);
  static void operator delete(void* p) noexcept;

  void* data() const { return block_->data; }
  size_t bytes() const { return block_->requested; }
  Device device() const { return device_; }
  memory::Block& block() const { return *block_; }
  /// Counts in-place changes of any tensor over this storage.
  uint32_t version() const { return version_; }
  void bumpVersion() {
    if (!inference_) ++version_;
  }
  /// Made in inference mode: changes are not counted, and gradients can have no part in it.
  bool inference() const { return inference_; }
  /// Tells the allocator what these bytes are now.
  void retag(memory::Category category);

 private:
  memory::Block* block_;
  memory::CachingAllocator* allocator_;
  Device device_;
  bool inference_;
  uint32_t version_ = 0;
};

enum class LayoutKind : uint8_t { Strided = TENON_STRIDED, Blocked = TENON_BLOCKED };

/// How elements lie: strided, or one axis in blocks (see TENON_BLOCKED).
struct Layout {
  LayoutKind kind = LayoutKind::Strided;
  uint8_t axis = 0;
  uint8_t block = 0;
  bool operator==(const Layout&) const = default;
  bool blocked() const { return kind == LayoutKind::Blocked; }
};
inline constexpr Layout kBlocked8{LayoutKind::Blocked, 1, 8};

/// What autograd knows of a tensor; only engine/autograd looks inside.
struct AutogradMeta {
  virtual ~AutogradMeta() = default;
};

/// The body of a tensor. Not shared mutably between threads.
class TENON_API TensorImpl : public RefCounted {
 public:
  TensorImpl() = default;
  ~TensorImpl();
  static void* operator new(size_t bytes);
  static void operator delete(void* p) noexcept;

  Ref<Storage> storage;
  Shape shape;
  Shape strides;       ///< in elements; row-major strides of the logical shape when blocked
  int64_t offset = 0;  ///< in elements
  DType dtype = DType::F32;
  Device device;
  Layout layout;
  bool requiresGrad = false;
  bool isView = false;  ///< made by a view operator of another tensor
  std::unique_ptr<AutogradMeta> autograd;
};

/// Handle to a TensorImpl. Copying shares it; default constructed it is undefined.
class TENON_API Tensor {
 public:
  Tensor() = default;
  explicit Tensor(Ref<TensorImpl> impl) : impl_(std::move(impl)) {}

  /// New memory with undefined content, dense row-major. @throws Error(Code::Memory)
  static Tensor empty(const Shape& shape, DType dtype = DType::F32, Device device = {},
                      memory::Category category = memory::Category::Temporary);
  /// As `empty`, blocked on axis 1 by 8; the padding is zeroed.
  static Tensor emptyBlocked(const Shape& shape, DType dtype, Device device = {});
  /// CPU tensors with content, row-major.
  static Tensor zeros(const Shape& shape, DType dtype = DType::F32, Device device = {});
  /// f16 and bf16: the nearest to `value` as f32. @throws Error(Input) as needFillValue of integers
  static Tensor full(const Shape& shape, double value, DType dtype = DType::F32);
  /// T: float, double, int64_t, int32_t, int8_t, uint8_t, or Half and BFloat16 of half.h.
  template <class T>
  static Tensor fromValues(std::span<const T> values, const Shape& shape) {
    return fromBytes(values.data(), values.size_bytes(), shape, dtypeOf<T>());
  }
  template <class T>
  static Tensor fromValues(const std::vector<T>& values, const Shape& shape) {
    return fromValues(std::span<const T>(values), shape);
  }
  /// @throws Error(Code::Shape) if `bytes` is not what shape and type need.
  static Tensor fromBytes(const void* data, size_t bytes, const Shape& shape, DType dtype);

  bool defined() const { return static_cast<bool>(impl_); }
  explicit operator bool() const { return defined(); }
  TensorImpl* impl() const { return impl_.get(); }

  const Shape& shape() const { return impl_->shape; }
  const Shape& strides() const { return impl_->strides; }
  int ndim() const { return impl_->shape.ndim(); }
  int64_t size(int axis) const { return impl_->shape.at(axis); }
  int64_t numel() const { return impl_->shape.numel(); }
  DType dtype() const { return impl_->dtype; }
  Device device() const { return impl_->device; }
  Layout layout() const { return impl_->layout; }
  /// Bytes of the elements (without padding).
  int64_t bytes() const { return numel() * dtypeBytes(dtype()); }
  /// Dense row-major and not blocked.
  bool isContiguous() const;
  bool requiresGrad() const { return impl_->requiresGrad; }
  uint32_t version() const { return impl_->storage->version(); }
  /// Made in inference mode, or a view of such a tensor.
  bool inference() const { return impl_->storage->inference(); }
  void retag(memory::Category category) const { impl_->storage->retag(category); }

  /// First element on the host. The tensor must be on the CPU; the type must be T's.
  template <class T>
  T* data() const {
    checkAccess(dtypeOf<T>());
    return static_cast<T*>(rawData());
  }
  /// Address of the first element, whatever type and device.
  void* rawData() const {
    return static_cast<char*>(impl_->storage->data()) + impl_->offset * dtypeBytes(impl_->dtype);
  }
  /// The view handed to kernels.
  TenonTensorView view() const {
    TenonTensorView out;
    writeView(out);
    return out;
  }
  /// The same into a place that need not be initialized.
  void writeView(TenonTensorView& view) const;
  /// Elements in logical row-major order (CPU only; converts layouts and strides). @throws
  /// Error(Code::Type)
  template <class T>
  std::vector<T> toVector() const {
    checkAccess(dtypeOf<T>());
    std::vector<T> out(static_cast<size_t>(numel()));
    copyLogical(out.data());
    return out;
  }
  /// The bytes of `toVector`, for any type.
  std::vector<std::byte> toBytes() const;
  /// A tensor over the same elements with another shape and strides (no autograd). For view
  /// operators.
  Tensor aliasWith(const Shape& shape, const Shape& strides, int64_t offset) const;

 private:
  void checkAccess(DType wanted) const;
  void copyLogical(void* out) const;

  Ref<TensorImpl> impl_;
};

/// "f32 [8, 3, 32, 32] cpu"
TENON_API std::string describe(const Tensor& tensor);

/// Inputs of an operator call. Absent optional ones are null or undefined.
using TensorList = std::span<const Tensor* const>;

}  // namespace tenon

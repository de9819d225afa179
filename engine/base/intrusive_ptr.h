// SPDX-License-Identifier: Apache-2.0
// Ref<T>: a shared pointer whose count lives in the object, so that it is one word and a move costs
// no atomic operation.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

namespace tenon {

/// Base of everything a Ref can hold. A new object starts with one reference, its maker's.
///
/// When the last reference goes, `T::destroy(const T*)` is called if T has it, else `delete`. A
/// type that is held through a base needs either a virtual destructor or a `destroy` in that base.
class RefCounted {
 public:
  RefCounted(const RefCounted&) noexcept {}  // a copy is a new object with a count of its own
  RefCounted& operator=(const RefCounted&) noexcept { return *this; }

  /// Number of references; exact only if the caller holds the only one or nobody else is changing
  /// it.
  int32_t useCount() const noexcept { return count_.load(std::memory_order_relaxed); }

 protected:
  RefCounted() noexcept = default;
  ~RefCounted() = default;

 private:
  template <class T>
  friend class Ref;

  mutable std::atomic<int32_t> count_{1};
};

template <class T>
concept HasOwnDestroy = requires(const T* object) {
  T::destroy(object);
};

/// Shared ownership of one RefCounted object, or null.
/// @thread As std::shared_ptr: the count is atomic, one Ref object is not to be changed by two
/// threads.
template <class T>
class Ref {
 public:
  using element_type = T;

  constexpr Ref() noexcept = default;
  constexpr Ref(std::nullptr_t) noexcept {}  // NOLINT(google-explicit-constructor)
  Ref(const Ref& other) noexcept : object_(other.object_) { retain(); }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <class U>
  requires std::is_convertible_v<U*, T*> Ref(const Ref<U>& other)
  noexcept : object_(other.get()) {  // NOLINT(google-explicit-constructor)
    static_assert(kDestroys<U>, "the base needs a virtual destructor or a destroy()");
    retain();
  }
  template <class U>
  requires std::is_convertible_v<U*, T*> Ref(Ref<U>&& other)
  noexcept : object_(other.release()) {  // NOLINT(google-explicit-constructor)
    static_assert(kDestroys<U>, "the base needs a virtual destructor or a destroy()");
  }
  ~Ref() { drop(object_); }

  Ref& operator=(const Ref& other) noexcept {  // NOLINT(bugprone-unhandled-self-assignment)
    Ref(other).swap(*this);
    return *this;
  }
  Ref& operator=(Ref&& other) noexcept {
    Ref(std::move(other)).swap(*this);
    return *this;
  }

  /// Takes over a reference that the caller owns (a new object, or what release() gave).
  static Ref adopt(T* object) noexcept {
    Ref out;
    out.object_ = object;
    return out;
  }
  /// Adds a reference to an object that somebody else keeps alive.
  static Ref share(T* object) noexcept {
    Ref out;
    out.object_ = object;
    out.retain();
    return out;
  }
  /// Gives up the pointer with its reference; the caller hands it to adopt() some day.
  [[nodiscard]] T* release() noexcept { return std::exchange(object_, nullptr); }

  void reset() noexcept { drop(std::exchange(object_, nullptr)); }
  void swap(Ref& other) noexcept { std::swap(object_, other.object_); }

  T* get() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  T* operator->() const noexcept { return object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }
  int32_t useCount() const noexcept { return object_ == nullptr ? 0 : counter(object_).useCount(); }

  friend bool operator==(const Ref& a, const Ref& b) noexcept { return a.object_ == b.object_; }
  friend bool operator==(const Ref& a, std::nullptr_t) noexcept { return a.object_ == nullptr; }

 private:
  template <class U>
  static constexpr bool kDestroys =
      std::is_same_v<std::remove_const_t<U>, std::remove_const_t<T>> ||
      std::has_virtual_destructor_v<T> || HasOwnDestroy<T>;

  static const RefCounted& counter(const T* object) noexcept { return *object; }

  void retain() const noexcept {
    if (object_ != nullptr) counter(object_).count_.fetch_add(1, std::memory_order_relaxed);
  }

  static void drop(T* object) noexcept {
    if (object == nullptr) return;
    std::atomic<int32_t>& count = counter(object).count_;
    // A sole owner needs no read-modify-write: nobody else can add a reference.
    if (count.load(std::memory_order_acquire) != 1 &&
        count.fetch_sub(1, std::memory_order_acq_rel) != 1)
      return;
    if constexpr (HasOwnDestroy<T>) {
      T::destroy(object);
    } else {
      delete object;
    }
  }

  T* object_ = nullptr;
};

/// A new T held by one reference.
template <class T, class... Args>
Ref<T> make(Args&&... args) {
  return Ref<T>::adopt(new T(std::forward<Args>(args)...));
}

}  // namespace tenon

template <class T>
struct std::hash<tenon::Ref<T>> {
  size_t operator()(const tenon::Ref<T>& ref) const noexcept { return std::hash<T*>()(ref.get()); }
};

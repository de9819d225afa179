// SPDX-License-Identifier: Apache-2.0
// SmallVector<T, N>: a vector whose first N elements live inside it; shapes and op inputs never
// touch the heap.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace tenon {

/// Works like std::vector; a move of inline elements moves each of them. Names follow std::vector.
template <class T, size_t N>
class SmallVector {
  static_assert(N > 0 && std::is_nothrow_move_constructible_v<T>);

 public:
  using value_type = T;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using iterator = T*;
  using const_iterator = const T*;

  SmallVector() noexcept : data_(inlineData()) {}
  explicit SmallVector(size_t count) : SmallVector() { resize(count); }
  SmallVector(size_t count, const T& value) : SmallVector() { assign(count, value); }
  SmallVector(std::initializer_list<T> list) : SmallVector() { append(list.begin(), list.end()); }
  template <std::input_iterator It>
  SmallVector(It first, It last) : SmallVector() {
    append(first, last);
  }
  explicit SmallVector(std::span<const T> from) : SmallVector() {
    append(from.begin(), from.end());
  }
  SmallVector(const SmallVector& other) : SmallVector() { append(other.begin(), other.end()); }
  SmallVector(SmallVector&& other) noexcept : SmallVector() { steal(other); }
  ~SmallVector() {
    std::destroy_n(data_, size_);
    freeHeap();
  }

  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this != &other) {
      clear();
      freeHeap();
      data_ = inlineData();
      capacity_ = N;
      steal(other);
    }
    return *this;
  }
  SmallVector& operator=(std::initializer_list<T> list) {
    assign(list.begin(), list.end());
    return *this;
  }

  size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  size_t capacity() const noexcept { return capacity_; }
  /// True while the elements live inside the object.
  bool isInline() const noexcept { return data_ == inlineData(); }

  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  T& operator[](size_t i) noexcept { return data_[i]; }
  const T& operator[](size_t i) const noexcept { return data_[i]; }
  T& front() noexcept { return data_[0]; }
  const T& front() const noexcept { return data_[0]; }
  T& back() noexcept { return data_[size_ - 1]; }
  const T& back() const noexcept { return data_[size_ - 1]; }

  iterator begin() noexcept { return data_; }
  iterator end() noexcept { return data_ + size_; }
  const_iterator begin() const noexcept { return data_; }
  const_iterator end() const noexcept { return data_ + size_; }
  auto rbegin() noexcept { return std::reverse_iterator(end()); }
  auto rend() noexcept { return std::reverse_iterator(begin()); }
  auto rbegin() const noexcept { return std::reverse_iterator(end()); }
  auto rend() const noexcept { return std::reverse_iterator(begin()); }

  operator std::span<T>() noexcept { return {data_, size_}; }              // NOLINT
  operator std::span<const T>() const noexcept { return {data_, size_}; }  // NOLINT

  void reserve(size_t count) {
    if (count > capacity_) moveTo(count);
  }
  void clear() noexcept {
    std::destroy_n(data_, size_);
    size_ = 0;
  }
  void resize(size_t count) {
    shrinkTo(count);
    reserve(count);
    for (; size_ < count; ++size_) std::construct_at(data_ + size_);
  }
  void resize(size_t count, const T& value) {
    shrinkTo(count);
    if (count > size_) insertCopies(count - size_, value);
  }
  void assign(size_t count, const T& value) {
    T kept(value);  // may be one of our own elements
    clear();
    insertCopies(count, kept);
  }
  /// The range must not point into this vector.
  template <std::input_iterator It>
  void assign(It first, It last) {
    clear();
    append(first, last);
  }
  /// The range must not point into this vector.
  template <std::input_iterator It>
  void append(It first, It last) {
    if constexpr (std::forward_iterator<It>)
      reserve(size_ + static_cast<size_t>(std::distance(first, last)));
    for (; first != last; ++first) emplace_back(*first);
  }
  void push_back(const T& value) { emplace_back(value); }
  void push_back(T&& value) { emplace_back(std::move(value)); }
  template <class... Args>
  T& emplace_back(Args&&... args) {
    if (size_ == capacity_) return growAndEmplace(std::forward<Args>(args)...);
    T* made = std::construct_at(data_ + size_, std::forward<Args>(args)...);
    ++size_;
    return *made;
  }
  /// Appends an element whose content is undefined, for types without constructor.
  T& appendRaw() requires std::is_trivially_default_constructible_v<T> {
    reserve(size_ == capacity_ ? capacity_ * 2 : size_);
    return *::new (static_cast<void*>(data_ + size_++)) T;
  }
  void pop_back() noexcept { std::destroy_at(data_ + --size_); }
  /// Inserts before `at`; returns where the element now is.
  iterator insert(const_iterator at, T value) {
    auto index = at - begin();
    emplace_back(std::move(value));
    std::rotate(begin() + index, end() - 1, end());
    return begin() + index;
  }
  iterator erase(const_iterator at) noexcept { return erase(at, at + 1); }
  iterator erase(const_iterator first, const_iterator last) noexcept {
    T* from = begin() + (first - begin());
    T* rest = std::move(begin() + (last - begin()), end(), from);
    shrinkTo(static_cast<size_t>(rest - begin()));
    return from;
  }

  friend bool operator==(const SmallVector& a, const SmallVector& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  T* inlineData() noexcept { return reinterpret_cast<T*>(inline_); }
  const T* inlineData() const noexcept { return reinterpret_cast<const T*>(inline_); }

  void freeHeap() noexcept {
    if (!isInline()) std::allocator<T>().deallocate(data_, capacity_);
  }
  void shrinkTo(size_t count) noexcept {
    while (size_ > count) pop_back();
  }
  void insertCopies(size_t count, const T& value) {
    T kept(value);
    reserve(size_ + count);
    for (size_t i = 0; i < count; ++i) emplace_back(kept);
  }
  void moveTo(size_t capacity) { adoptHeap(std::allocator<T>().allocate(capacity), capacity); }
  void adoptHeap(T* fresh, size_t capacity) noexcept {
    std::uninitialized_move_n(data_, size_, fresh);
    std::destroy_n(data_, size_);
    freeHeap();
    data_ = fresh;
    capacity_ = capacity;
  }
  /// Builds the new element first, since the arguments may refer to one of the old.
  template <class... Args>
  T& growAndEmplace(Args&&... args) {
    size_t capacity = capacity_ * 2;
    T* fresh = std::allocator<T>().allocate(capacity);
    T* made = nullptr;
    try {
      made = std::construct_at(fresh + size_, std::forward<Args>(args)...);
    } catch (...) {
      std::allocator<T>().deallocate(fresh, capacity);
      throw;
    }
    adoptHeap(fresh, capacity);
    ++size_;
    return *made;
  }
  /// Takes the elements of `other`, which becomes empty; *this is empty and inline.
  void steal(SmallVector& other) noexcept {
    if (other.isInline()) {
      std::uninitialized_move_n(other.data_, other.size_, data_);
      size_ = other.size_;
      other.clear();
    } else {
      data_ = std::exchange(other.data_, other.inlineData());
      size_ = std::exchange(other.size_, size_t{0});
      capacity_ = std::exchange(other.capacity_, N);
    }
  }

  T* data_;
  size_t size_ = 0;
  size_t capacity_ = N;
  alignas(T) unsigned char inline_[N * sizeof(T)];  // NOLINT(bugprone-sizeof-expression): T*, too
};

}  // namespace tenon

// SPDX-License-Identifier: Apache-2.0
// Gives back what free lists kept, when their thread ends.
#include "engine/base/free_list.h"

namespace tenon {

namespace {
/// Set when ThreadFreeLists has gone: what is used after it keeps nothing.
constinit thread_local bool gone = false;
}  // namespace

/// The lists of a thread that keep something. Lists themselves need no destructor, so they may be
/// used after this has gone: they keep nothing then.
struct ThreadFreeLists {
  FreeList* first = nullptr;
  ~ThreadFreeLists() {
    for (FreeList* list = first; list != nullptr; list = list->nextList_) list->close();
    gone = true;
  }
  void add(FreeList& list) noexcept {
    list.nextList_ = first;
    first = &list;
  }
};

void FreeList::keepFromNowOn() noexcept {
  if (gone) {
    state_ = State::Closed;
    return;
  }
  thread_local ThreadFreeLists lists;
  lists.add(*this);
  state_ = State::Keeping;
}

void FreeList::close() noexcept {
  state_ = State::Closed;
  count_ = 0;
  while (Link* kept = first_) {
    first_ = kept->next;
    ::operator delete(kept);
  }
}

}  // namespace tenon

// SPDX-License-Identifier: Apache-2.0
// Gives back what free lists kept, when their thread ends.
#include "engine/base/free_list.h"

namespace tenon {

/// The lists of a thread that keep something. Lists themselves need no destructor, so they may be
/// used after this has gone: they keep nothing then.
struct ThreadFreeLists {
  FreeList* first = nullptr;
  ~ThreadFreeLists() {
    for (FreeList* list = first; list != nullptr; list = list->nextList_) list->close();
  }
  void add(FreeList& list) noexcept {
    list.nextList_ = first;
    first = &list;
  }
};

void FreeList::keepFromNowOn() noexcept {
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

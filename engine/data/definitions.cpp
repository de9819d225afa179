// SPDX-License-Identifier: Apache-2.0
// The tables of readers and transforms, gathered from their folders.
#include <vector>

#include "engine/data/reader_def.h"
#include "engine/data/transform_def.h"

namespace tenon {

std::span<const ReaderDef& (*const)()> readerDefinitions();
std::span<const TransformDef& (*const)()> transformDefinitions();

std::span<const ReaderDef* const> allReaders() {
  static const std::vector<const ReaderDef*> all = [] {
    std::vector<const ReaderDef*> readers;
    for (const ReaderDef& (*definition)() : readerDefinitions()) readers.push_back(&definition());
    return readers;
  }();
  return all;
}

const ReaderDef* findReader(std::string_view id) {
  for (const ReaderDef* reader : allReaders())
    if (reader->id == id) return reader;
  return nullptr;
}

std::span<const TransformDef* const> allTransforms() {
  static const std::vector<const TransformDef*> all = [] {
    std::vector<const TransformDef*> transforms;
    for (const TransformDef& (*definition)() : transformDefinitions())
      transforms.push_back(&definition());
    return transforms;
  }();
  return all;
}

const TransformDef* findTransform(std::string_view id) {
  for (const TransformDef* transform : allTransforms())
    if (transform->id == id) return transform;
  return nullptr;
}

}  // namespace tenon

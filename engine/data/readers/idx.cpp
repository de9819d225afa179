// SPDX-License-Identifier: Apache-2.0
// Reader "idx": the format of MNIST and its kin (Y. LeCun, "The MNIST database"): big-endian head,
// then bytes.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "engine/base/issues.h"
#include "engine/data/decoded_file.h"
#include "engine/data/reader_def.h"
#include "engine/project/paths.h"

namespace tenon {
namespace {

constexpr size_t kMostHead = 4 + 4 * 4;  // magic and up to four sizes
constexpr unsigned kTypeU8 = 0x08;

ParamSchema schema() {
  return {pathParam("images", "")
              .mandatory()
              .describe(TENON_TEXT("IDX file of unsigned bytes with 3 or 4 axes, plain or .gz.")),
          pathParam("labels", "")
              .mandatory()
              .describe(TENON_TEXT("IDX file of unsigned bytes with 1 axis, plain or .gz."))};
}

struct IdxHead {
  std::vector<int64_t> sizes;
  size_t bytes = 0;  ///< of the head
};

IdxHead readHead(std::span<const std::byte> head, const std::string& path) {
  const auto byteAt = [&head](size_t i) { return static_cast<unsigned>(head[i]); };
  if (head.size() < 4 || byteAt(0) != 0 || byteAt(1) != 0)
    throw Error(Code::Input,
                fmt::format("'{}' is no IDX file: it does not begin with two zero bytes", path));
  if (byteAt(2) != kTypeU8)
    throw Error(
        Code::Input,
        fmt::format("'{}' holds IDX type 0x{:02x}, wanted unsigned bytes (0x08)", path, byteAt(2)));
  const size_t ndim = byteAt(3);
  if (ndim < 1 || ndim > 4)
    throw Error(Code::Input, fmt::format("'{}' has {} axes, wanted 1 to 4", path, ndim));
  IdxHead out;
  out.bytes = 4 + 4 * ndim;
  if (head.size() < out.bytes)
    throw Error(Code::Input, fmt::format("'{}' is cut off inside its head", path));
  for (size_t i = 0; i < ndim; ++i) {
    const size_t at = 4 + 4 * i;
    out.sizes.push_back(int64_t{byteAt(at)} << 24 | int64_t{byteAt(at + 1)} << 16 |
                        int64_t{byteAt(at + 2)} << 8 | byteAt(at + 3));
  }
  return out;
}

struct IdxFile {
  std::shared_ptr<const DecodedFile> file;
  IdxHead head;
  const std::byte* values() const { return file->bytes().data() + head.bytes; }
};

IdxFile openIdx(const std::string& path, const std::stop_token& stop) {
  IdxFile out;
  const auto sizeFromHead = [&path](std::span<const std::byte> bytes) {
    const IdxHead head = readHead(bytes, path);
    return head.bytes + static_cast<uint64_t>(checkedBytes(Shape(head.sizes), 8));
  };
  out.file = DecodedFile::open(path, kMostHead, sizeFromHead, stop);
  out.head = readHead(out.file->bytes().first(std::min(kMostHead, out.file->bytes().size())), path);
  return out;
}

class IdxDataset final : public Dataset {
 public:
  IdxDataset(IdxFile images, IdxFile labels, int64_t classes)
      : images_(std::move(images)), labels_(std::move(labels)) {
    const std::vector<int64_t>& sizes = images_.head.sizes;
    meta_.shape =
        sizes.size() == 3 ? Shape{1, sizes[1], sizes[2]} : Shape{sizes[1], sizes[2], sizes[3]};
    meta_.dtype = DType::U8;
    meta_.classes = classes;
  }
  int64_t size() const override { return images_.head.sizes[0]; }
  const SampleMeta& meta() const override { return meta_; }
  int64_t get(int64_t index, const SampleContext&, std::span<std::byte> values) const override {
    std::memcpy(values.data(), images_.values() + index * meta_.bytes(),
                static_cast<size_t>(meta_.bytes()));
    return target(index);
  }
  int64_t target(int64_t index) const override {
    return static_cast<int64_t>(labels_.values()[index]);
  }

 private:
  IdxFile images_;
  IdxFile labels_;
  SampleMeta meta_;
};

Issue fileIssue(std::string code, std::string text, std::vector<std::string> args, std::string file,
                std::string field) {
  Issue issue = fieldIssue(std::move(code), std::move(text), std::move(args), std::move(field));
  issue.place.file = std::move(file);
  return issue;
}

/// Debian's data set packages are called after their folder.
std::string packageHint(const std::string& path) {
  constexpr std::string_view kRoot = "/usr/share/datasets/";
  if (!path.starts_with(kRoot)) return {};
  const std::string rest = path.substr(kRoot.size());
  return "dataset-" + rest.substr(0, rest.find('/'));
}

/// Opens one of the two files; what is wrong becomes an issue at the parameter.
bool openPart(const ReadRequest& request, const char* field, std::string& path, IdxFile& out,
              Issues& issues) {
  path = request.params.getString(field);
  try {
    path = resolveDataPath(request.projectFolder, path);
    out = openIdx(path, request.stop);
    return true;
  } catch (const Error& error) {
    const std::string package = packageHint(path);
    if (error.osError() == ENOENT && !package.empty()) {
      issues.push_back(fileIssue(
          "data.missing",
          TENON_TEXT("the data set is not there: {0} comes with the package {1} (apt install {1})"),
          {path, package}, path, field));
    } else {
      issues.push_back(
          fileIssue("data.unreadable", TENON_TEXT("{0}"), {error.what()}, path, field));
    }
    return false;
  }
}

void checkAxes(const IdxFile& images, const IdxFile& labels, const std::string& imagePath,
               const std::string& labelPath, Issues& issues) {
  const size_t axes = images.head.sizes.size();
  if (axes < 3)
    issues.push_back(fileIssue("data.axes", TENON_TEXT("images want 3 or 4 axes, the file has {0}"),
                               {std::to_string(axes)}, imagePath, "images"));
  if (labels.head.sizes.size() != 1)
    issues.push_back(fileIssue("data.axes", TENON_TEXT("labels want 1 axis, the file has {0}"),
                               {std::to_string(labels.head.sizes.size())}, labelPath, "labels"));
  if (images.head.sizes[0] != labels.head.sizes[0])
    issues.push_back(
        fileIssue("data.count", TENON_TEXT("{0} images but {1} labels"),
                  {std::to_string(images.head.sizes[0]), std::to_string(labels.head.sizes[0])},
                  labelPath, "labels"));
  if (images.head.sizes[0] == 0)
    issues.push_back(
        fileIssue("data.empty", TENON_TEXT("the file holds no images"), {}, imagePath, "images"));
  else if (std::count(images.head.sizes.begin(), images.head.sizes.end(), 0) > 0)
    issues.push_back(
        fileIssue("data.empty", TENON_TEXT("the images have no pixels"), {}, imagePath, "images"));
}

/// Number of classes; a label outside of those the project names is an issue at its row.
int64_t checkLabels(const IdxFile& labels, int64_t classes, const std::string& path,
                    Issues& issues) {
  const std::byte* values = labels.values();
  const int64_t count = labels.head.sizes[0];
  int64_t most = 0;
  for (int64_t i = 0; i < count; ++i) {
    const auto label = static_cast<int64_t>(values[i]);
    most = std::max(most, label);
    if (classes <= 0 || label < classes) continue;
    issues.push_back(
        fileIssue("data.label", TENON_TEXT("label {0} is outside the {1} classes (0 to {2})"),
                  {std::to_string(label), std::to_string(classes), std::to_string(classes - 1)},
                  path, "labels"));
    issues.back().place.row = i;
    break;
  }
  return classes > 0 ? classes : most + 1;
}

OpenedData open(const ReadRequest& request) {
  OpenedData out;
  IdxFile images;
  IdxFile labels;
  std::string imagePath;
  std::string labelPath;
  const bool haveImages = openPart(request, "images", imagePath, images, out.issues);
  if (!openPart(request, "labels", labelPath, labels, out.issues) || !haveImages) return out;
  checkAxes(images, labels, imagePath, labelPath, out.issues);
  if (hasErrors(out.issues)) return out;
  const int64_t classes = checkLabels(labels, request.classes, labelPath, out.issues);
  if (!hasErrors(out.issues))
    out.dataset = std::make_shared<IdxDataset>(std::move(images), std::move(labels), classes);
  return out;
}

}  // namespace

const ReaderDef& readerDef_idx();
const ReaderDef& readerDef_idx() {
  static const ReaderDef kDef = {
      .id = "idx",
      .title = "IDX images",
      .help = TENON_TEXT("Images and labels in the files of MNIST, Fashion-MNIST and their kin."),
      .schema = schema(),
      .open = &open};
  return kDef;
}

}  // namespace tenon

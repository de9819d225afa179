// SPDX-License-Identifier: Apache-2.0
// Paths of a project: what stays inside its folder and what is refused, links included.
#include "engine/project/paths.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "engine/base/error.h"

namespace tenon {
namespace {

namespace fs = std::filesystem;

class Paths : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "tenon-paths-XXXXXX").string();
    root_ = mkdtemp(name.data());
    folder_ = root_ + "/project";
    fs::create_directories(folder_ + "/data");
    fs::create_directory(root_ + "/outside");
    fs::create_directory_symlink(root_ + "/outside", folder_ + "/link");
    fs::create_directory_symlink("data", folder_ + "/good_link");
  }
  void TearDown() override { fs::remove_all(root_); }

  std::string refusal(const std::string& path) const {
    try {
      return "resolved to " + resolveInside(folder_, path);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::Input);
      return error.what();
    }
  }

  std::string root_;
  std::string folder_;
};

TEST_F(Paths, InsideIsResolved) {
  EXPECT_EQ(resolveInside(folder_, "data/x.gz"), folder_ + "/data/x.gz");
  EXPECT_EQ(resolveInside(folder_, "./new/folder/file"), folder_ + "/new/folder/file");
  EXPECT_EQ(resolveInside(folder_, "good_link/x"), folder_ + "/good_link/x");
  EXPECT_EQ(resolveInside(folder_, "..data"), folder_ + "/..data");
}

TEST_F(Paths, OutsideIsRefusedWithItsReason) {
  EXPECT_EQ(refusal("../x"), "the path '../x' is refused: '..' leads out of the project's folder");
  EXPECT_EQ(refusal("data/../../x"),
            "the path 'data/../../x' is refused: '..' leads out of the project's folder");
  EXPECT_EQ(refusal("data/../x"),
            "the path 'data/../x' is refused: '..' leads out of the project's folder");
  EXPECT_EQ(refusal("/etc/passwd"),
            "the path '/etc/passwd' is refused: it is absolute but must stay inside the project's "
            "folder");
  EXPECT_EQ(refusal("link/x"),
            "the path 'link/x' is refused: a link leads out of the project's folder");
  EXPECT_EQ(refusal(""), "the path '' is refused: it is empty");
  EXPECT_EQ(refusal(std::string("a\0b", 3)),
            "the path 'a?b' is refused: it holds a null character");
}

TEST_F(Paths, DataMayBeAbsoluteButNotClimb) {
  EXPECT_EQ(resolveDataPath(folder_, "/usr/share/x.gz"), "/usr/share/x.gz");
  EXPECT_EQ(resolveDataPath(folder_, "data/x.gz"), folder_ + "/data/x.gz");
  EXPECT_THROW(resolveDataPath(folder_, "../x.gz"), Error);
  EXPECT_THROW(resolveDataPath(folder_, "link/x.gz"), Error);
}

TEST_F(Paths, ProjectFileAndFolder) {
  EXPECT_EQ(projectFileOf(folder_), folder_ + "/project.tenon");
  EXPECT_EQ(projectFileOf(folder_ + "/other.tenon"), folder_ + "/other.tenon");
  EXPECT_EQ(projectFolderOf(folder_), folder_);
  EXPECT_EQ(projectFolderOf(folder_ + "/other.tenon"), folder_);
  EXPECT_EQ(projectFolderOf("project.tenon"), ".");
}

}  // namespace
}  // namespace tenon

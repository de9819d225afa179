// SPDX-License-Identifier: Apache-2.0
// Settings by path, checks against a catalog, run hash and differences.
#include "engine/project/settings.h"

#include <gtest/gtest.h>

#include <map>

#include "engine/project/project_file.h"
#include "engine/project/setting_path.h"
#include "tests/engine/project/project_texts.h"

namespace tenon {
namespace {

/// A few definitions as the rooms above would register them.
class SmallCatalog final : public Catalog {
 public:
  SmallCatalog() {
    schemas_[PartKind::Reader]["idx"] =
        ParamSchema{pathParam("images", "").mandatory(), pathParam("labels", "").mandatory()};
    schemas_[PartKind::Transform]["scale"] = ParamSchema{floatParam("by", 1).above(0)};
    schemas_[PartKind::Transform]["vocabulary"] = ParamSchema{pathParam("file", "")};
    schemas_[PartKind::Layer]["input"] = ParamSchema{intListParam("shape", {1}).atLeast(1)};
    schemas_[PartKind::Layer]["concat"] = ParamSchema{intParam("dim", 1).range(0, 7)};
    schemas_[PartKind::Layer]["relu"] = ParamSchema{};
    schemas_[PartKind::Loss]["cross_entropy"] =
        ParamSchema{floatParam("label_smoothing", 0).range(0, 1)};
    schemas_[PartKind::Optimizer]["sgd"] =
        ParamSchema{floatParam("lr", 0.1).above(0).onLogScale(),
                    floatParam("momentum", 0).range(0, 1), boolParam("nesterov", false)};
    schemas_[PartKind::Optimizer]["adamw"] =
        ParamSchema{floatParam("lr", 0.001).above(0), floatParam("weight_decay", 0.01)};
    schemas_[PartKind::Schedule]["step"] =
        ParamSchema{intParam("every", 1).atLeast(1), floatParam("factor", 0.1)};
    schemas_[PartKind::Schedule]["constant"] = ParamSchema{};
    schemas_[PartKind::Metric]["accuracy"] = ParamSchema{};
    schemas_[PartKind::Metric]["top_k"] = ParamSchema{intParam("k", 5).atLeast(1)};
  }

  const ParamSchema* schema(PartKind kind, std::string_view type) const override {
    auto all = schemas_.find(kind);
    if (all == schemas_.end()) return nullptr;
    auto one = all->second.find(type);
    return one == all->second.end() ? nullptr : &one->second;
  }
  std::vector<std::string> types(PartKind kind) const override {
    std::vector<std::string> out;
    auto all = schemas_.find(kind);
    if (all != schemas_.end())
      for (const auto& entry : all->second) out.push_back(entry.first);
    return out;
  }

 private:
  std::map<PartKind, std::map<std::string, ParamSchema, std::less<>>> schemas_;
};

ProjectSpec fullProject() { return readProjectText(kFullProject).project; }

/// The project with one setting changed, or the issues as text.
std::string changes(std::string_view path, std::string_view text, const Catalog* catalog) {
  ProjectSpec before = fullProject();
  SetResult result = setByPath(before, path, text, catalog);
  std::string out;
  if (!result.ok()) {
    EXPECT_TRUE(result.project == before);
    for (const Issue& issue : result.issues) out += "! " + issueLine(issue);
    return out;
  }
  EXPECT_TRUE(result.issues.empty());
  EXPECT_TRUE(*result.project.layout == *before.layout);
  EXPECT_TRUE(result.project.unknown == before.unknown);
  for (const SettingChange& change : diffSpecs(before, result.project))
    out += change.path + ": " + change.before + " -> " + change.after + "; ";
  return out;
}

struct SetCase {
  const char* path;
  const char* text;
  const char* wanted;
};
std::ostream& operator<<(std::ostream& out, const SetCase& set) {
  return out << set.path << "=" << set.text;
}

class SetWithCatalog : public testing::TestWithParam<SetCase> {};
TEST_P(SetWithCatalog, ChangesOneSettingOrSaysWhy) {
  SmallCatalog catalog;
  EXPECT_EQ(changes(GetParam().path, GetParam().text, &catalog), GetParam().wanted);
}
INSTANTIATE_TEST_SUITE_P(
    All, SetWithCatalog,
    testing::Values(
        SetCase{"train.epochs", "12", "train.epochs: 3 -> 12; "},
        SetCase{"train.device", "cpu", "train.device: cuda:1 -> cpu; "},
        SetCase{"train.deterministic", "off", "train.deterministic: true -> false; "},
        SetCase{"train.optimizer.lr", "2e-3", "train.optimizer.lr: 0.01 -> 0.002; "},
        SetCase{"train.optimizer.nesterov", "true", "train.optimizer.nesterov:  -> true; "},
        SetCase{"train.optimizer", "adamw",
                "train.optimizer.type: sgd -> adamw; train.optimizer.momentum: 0.9 -> ; "},
        SetCase{"train.optimizer.type", "adamw",
                "train.optimizer.type: sgd -> adamw; train.optimizer.momentum: 0.9 -> ; "},
        SetCase{"train.loss.label_smoothing", "0.1", "train.loss.label_smoothing:  -> 0.1; "},
        SetCase{"train.metrics.1.k", "2", "train.metrics.1.k: 3 -> 2; "},
        SetCase{"train.checkpoint.keep", "5", "train.checkpoint.keep: 2 -> 5; "},
        SetCase{"data.transforms[0].by", "1/4",
                "data.transforms.0.by: 0.00392156862745098 -> 0.25; "},
        SetCase{"data.split.fraction", ".5", "data.split.fraction: 0.25 -> 0.5; "},
        SetCase{"data.reader.images", "other.gz",
                "data.reader.images: data/images.gz -> other.gz; "},
        SetCase{"data.classes", "x, y, z",
                "data.classes: [\"a\", \"b\"] -> [\"x\", \"y\", \"z\"]; "},
        SetCase{"graph.nodes.in.shape", "1,28,28", "graph.nodes.in.shape: [2, 3] -> [1, 28, 28]; "},
        SetCase{"graph.nodes.join.type", "relu",
                "graph.nodes.join.type: concat -> relu; graph.nodes.join.dim: 1 -> ; "},
        SetCase{"train.accumulate", "4", "train.accumulate: 1 -> 4; "},
        SetCase{"train.accumulate", "1", ""},
        SetCase{"train.clip_norm", "1", "train.clip_norm: 0.0 -> 1.0; "},
        SetCase{"train.ema_warm_up", "false", "train.ema_warm_up: true -> false; "},
        SetCase{
            "train.optimizer_changes", "sgd after_epochs=5, adam after_epochs=7",
            "train.optimizer_changes: [] -> [\"sgd after_epochs=5\", \"adam after_epochs=7\"]; "},
        // and what is refused
        SetCase{
            "train.ema_decay", "1",
            "! field 'train.ema_decay': parameter 'ema_decay' expects at least 0 and less than 1, "
            "got 1.0"},
        SetCase{"train.epochs", "0",
                "! field 'train.epochs': parameter 'epochs' expects 1 to 1000000000, got 0"},
        SetCase{"train.epochs", "many",
                "! field 'train.epochs': parameter 'epochs' expects a whole number, got \"many\""},
        SetCase{"train.optimizer.lr", "-1",
                "! field 'train.optimizer.lr': parameter 'lr' expects more than 0, got -1.0"},
        SetCase{"train.optimizer.lrr", "1",
                "! field 'train.optimizer.lrr': there is no setting 'train.optimizer.lrr'; near it "
                "are train.optimizer.lr, train.optimizer.type, train.optimizer.nesterov"},
        SetCase{"train.epoch", "1",
                "! field 'train.epoch': there is no setting 'train.epoch'; near it are "
                "train.epochs, train.device, train.seed"},
        SetCase{"graph.nodes.jion.dim", "1",
                "! field 'graph.nodes.jion.dim': there is no setting 'graph.nodes.jion.dim'; near "
                "it are graph.nodes.join.dim, graph.nodes.join.type, graph.nodes.in.type"},
        SetCase{"graph.nodes.join.id", "x",
                "! field 'graph.nodes.join.id': there is no setting 'graph.nodes.join.id'; near it "
                "are graph.nodes.join.dim, graph.nodes.join.type, graph.nodes.join.precision"},
        SetCase{"train.optimizer", "adam",
                "! field 'train.optimizer.type': unknown optimizer 'adam'; known are adamw, sgd"},
        SetCase{"data.split.type", "files", "! field 'data.split': 'reader' is missing"}));

class SetWithoutCatalog : public testing::TestWithParam<SetCase> {};
TEST_P(SetWithoutCatalog, KnowsOnlyWhatTheFileHas) {
  EXPECT_EQ(changes(GetParam().path, GetParam().text, nullptr), GetParam().wanted);
}
INSTANTIATE_TEST_SUITE_P(
    All, SetWithoutCatalog,
    testing::Values(
        SetCase{"train.optimizer.lr", "0.5", "train.optimizer.lr: 0.01 -> 0.5; "},
        SetCase{"train.optimizer.lr", "fast",
                "! field 'train.optimizer.lr': parameter 'lr' expects a number, got \"fast\""},
        SetCase{"graph.nodes.join.dim", "2", "graph.nodes.join.dim: 1 -> 2; "},
        SetCase{"graph.nodes.in.shape", "[4]", "graph.nodes.in.shape: [2, 3] -> [4]; "},
        SetCase{"train.optimizer", "anything", "train.optimizer.type: sgd -> anything; "},
        SetCase{"train.metrics", "loss",
                "train.metrics.0: accuracy -> ; train.metrics.1.type: "
                "top_k -> ; train.metrics.1.k: 3 -> ; train.metrics:  -> "
                "[\"loss\"]; "},
        SetCase{"train.optimizer.nesterov", "true",
                "! field 'train.optimizer.nesterov': there is no setting "
                "'train.optimizer.nesterov'; near it are train.optimizer.type, "
                "train.optimizer.lr, train.optimizer.momentum"}));

TEST(SetByPath, TheNameIsASettingToo) {
  SetResult result = setByPath(fullProject(), "name", "New name");
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.project.name, "New name");
}

/// Parts of a project replaced in its text, then checked.
std::string partIssues(const std::vector<std::pair<std::string, std::string>>& replacements) {
  std::string text = kFullProject;
  for (const auto& [from, to] : replacements) {
    size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
  }
  ReadResult read = readProjectText(text, "p");
  EXPECT_TRUE(read.ok());
  Issues issues = checkParts(read.project, SmallCatalog());
  locateIssues(issues, read.positions, "p");
  std::string out;
  for (const Issue& issue : issues) out += issueLine(issue) + "\n";
  return out;
}

TEST(CheckParts, AGoodProjectHasNone) { EXPECT_EQ(partIssues({}), ""); }

TEST(CheckParts, UnknownTypesNameTheNearest) {
  EXPECT_EQ(
      partIssues({{"\"sgd\"", "\"sdg\""}, {"\"concat\"", "\"conct\""}, {"\"step\"", "\"zz9\""}}),
      "p:15:30: node 'join': field 'type': unknown layer 'conct'; did you mean 'concat'?\n"
      "p:34:27: field 'train.optimizer.type': unknown optimizer 'sdg'; did you mean 'sgd'?\n"
      "p:35:26: field 'train.schedule.type': unknown schedule 'zz9'; known are constant, "
      "step\n");
}

TEST(CheckParts, ParametersAreCheckedEverywhere) {
  EXPECT_EQ(
      partIssues({{"\"dim\": 1", "\"dim\": 9"},
                  {"\"momentum\": 0.9", "\"momentun\": 0.9"},
                  {"\"k\": 3", "\"k\": \"3\""},
                  {"\"by\": 0.0039", "\"by\": -0.0039"},
                  {"\"labels\": \"/abs/labels.gz\"", "\"label\": \"x\""}}),
      "p:5:68: field 'data.reader.label': unknown parameter 'label'; did you mean "
      "'labels'?\n"
      "p:5:15: field 'data.reader.labels': parameter 'labels' is missing; it expects a path\n"
      "p:8:31: field 'data.transforms.0.by': parameter 'by' expects more than 0, got "
      "-0.00392156862745098\n"
      "p:15:47: node 'join': field 'dim': parameter 'dim' expects 0 to 7, got 9\n"
      "p:34:58: field 'train.optimizer.momentun': unknown parameter 'momentun'; did you mean "
      "'momentum'?\n"
      "p:38:30: field 'train.metrics.1.k': parameter 'k' expects a whole number, got \"3\"\n");
}

TEST(CheckParts, PathsStayInsideButDataMayBeAbsolute) {
  EXPECT_EQ(
      partIssues({{"data/images.gz", "../images.gz"},
                  {"{\"type\": \"scale\", \"by\": 0.00392156862745098}",
                   "{\"type\": \"vocabulary\", \"file\": \"/etc/passwd\"}"}}),
      "p:5:41: field 'data.reader.images': the path '../images.gz' is refused: '..' leads out of "
      "the project's folder\n"
      "p:8:38: field 'data.transforms.0.file': the path '/etc/passwd' is refused: it is absolute "
      "but must stay inside the project's folder\n");
}

TEST(CheckParts, AnEmptyProjectLacksItsReader) {
  Issues issues = checkParts(ProjectSpec(), SmallCatalog());
  std::string out;
  for (const Issue& issue : issues) out += issueLine(issue) + "\n";
  EXPECT_EQ(out, "field 'data.reader': no reader is chosen\n");
}

TEST(Settings, LeaveOutNameLayoutAndUnknownMembers) {
  Json settings = settingsJson(fullProject());
  ASSERT_EQ(settings.members().size(), 3U);
  EXPECT_EQ(settings.find("data")->find("cache"), nullptr);
  EXPECT_EQ(settings.find("train")->find("epoch"), nullptr);
  EXPECT_EQ(settings.find("train")->find("seed")->asInt(), 9);
}

TEST(Settings, WithACatalogDefaultsAreRecorded) {
  Json settings = settingsJson(fullProject(), SmallCatalog());
  const Json& train = *settings.find("train");
  EXPECT_EQ(canonicalJson(*train.find("optimizer")),
            "{\"lr\": 0.01, \"momentum\": 0.9, \"nesterov\": false, \"type\": \"sgd\"}");
  EXPECT_EQ(canonicalJson(*train.find("loss")),
            "{\"label_smoothing\": 0.0, \"type\": \"cross_entropy\"}");
  // What does not satisfy its schema stays as it is.
  SetResult odd = setByPath(fullProject(), "train.optimizer.lr", "-1");
  ASSERT_TRUE(odd.ok());
  EXPECT_EQ(
      canonicalJson(*settingsJson(odd.project, SmallCatalog()).find("train")->find("optimizer")),
      "{\"lr\": -1.0, \"momentum\": 0.9, \"type\": \"sgd\"}");
}

TEST(RunHash, FollowsSettingsOnly) {
  ProjectSpec project = fullProject();
  std::string hash = runHash(project);
  EXPECT_EQ(hash.size(), 16U);
  ProjectSpec moved = project;
  auto layout = std::make_shared<LayoutSpec>(*project.layout);
  layout->positions["in"].x = 99;
  moved.layout = layout;
  moved.name = "Renamed";
  EXPECT_EQ(runHash(moved), hash);
  EXPECT_TRUE(diffSpecs(project, moved).empty());
  EXPECT_NE(runHash(setByPath(project, "train.seed", "10").project), hash);
  EXPECT_NE(runHash(setByPath(project, "graph.nodes.join.dim", "0").project), hash);
}

TEST(DiffSpecs, MatchesNodesByIdAndWiresByEnds) {
  ProjectSpec before = fullProject();
  ProjectSpec after = before;
  auto graph = std::make_shared<GraphSpec>();
  auto relu = std::make_shared<NodeSpec>(NodeSpec{"act", "relu", {}});
  graph->nodes = {before.graph->nodes[1], relu};
  graph->edges = {before.graph->edges[0], {"in", "", "act", ""}};
  after.graph = graph;
  std::vector<SettingChange> wanted{{"graph.nodes.join.type", "concat", ""},
                                    {"graph.nodes.join.dim", "1", ""},
                                    {"graph.edges.in.image -> join.b", "connected", ""},
                                    {"graph.nodes.act.type", "", "relu"},
                                    {"graph.edges.in -> act", "", "connected"}};
  std::vector<SettingChange> got = diffSpecs(before, after);
  ASSERT_EQ(got.size(), wanted.size());
  for (size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].path, wanted[i].path);
    EXPECT_EQ(got[i].before, wanted[i].before);
    EXPECT_EQ(got[i].after, wanted[i].after);
  }
  EXPECT_TRUE(diffSpecs(before, before).empty());
}

TEST(Settings, OnePathMayBeWrittenInSeveralWays) {
  EXPECT_EQ(normalPath("data.transforms[0].mean"), "data.transforms.0.mean");
  EXPECT_EQ(normalPath("train.metrics[12]"), "train.metrics.12");
  EXPECT_TRUE(sameSetting("data.transforms[0].mean", "data.transforms.0.mean"));
  EXPECT_TRUE(sameSetting("train.optimizer", "train.optimizer.type"));
  EXPECT_TRUE(sameSetting("train.metrics[1].type", "train.metrics.1"));
  EXPECT_FALSE(sameSetting("train.optimizer", "train.optimizer.lr"));
  EXPECT_FALSE(sameSetting("data.transforms.1.mean", "data.transforms.0.mean"));
  EXPECT_FALSE(sameSetting("train.type", "train.optimizer"));
}

}  // namespace
}  // namespace tenon

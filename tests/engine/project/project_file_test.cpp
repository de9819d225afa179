// SPDX-License-Identifier: Apache-2.0
// Project files: every way one can be wrong with file, line, column and field; writing that is
// byte-stable.
#include "engine/project/project_file.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/engine/project/project_texts.h"

namespace tenon {
namespace {

namespace fs = std::filesystem;

const std::string kSample = TENON_SOURCE_DIR "/projects/fashion-mnist/project.tenon";

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

TEST(ProjectFile, TheSampleReadsWithoutAnIssue) {
  ReadResult read = readProject(kSample);
  for (const Issue& issue : read.issues) ADD_FAILURE() << issueLine(issue);
  const ProjectSpec& project = read.project;
  EXPECT_EQ(project.name, "Fashion-MNIST");
  EXPECT_EQ(project.data->reader.type, "idx");
  EXPECT_EQ(project.data->reader.params.getString("labels"),
            "/usr/share/datasets/fashion-mnist/train-labels-idx1-ubyte.gz");
  EXPECT_EQ(project.data->split.kind, SplitSpec::Kind::Files);
  EXPECT_EQ(project.data->split.reader.params.getString("images"),
            "/usr/share/datasets/fashion-mnist/t10k-images-idx3-ubyte.gz");
  ASSERT_EQ(project.data->transforms.size(), 2U);
  EXPECT_EQ(project.data->transforms[1].params.getFloats("mean"), std::vector<double>{0.286});
  ASSERT_EQ(project.data->classes.size(), 10U);
  EXPECT_EQ(project.data->classes[9], "Ankle boot");
  EXPECT_EQ(project.graph->nodes.size(), 20U);
  EXPECT_EQ(project.graph->edges.size(), 19U);
  EXPECT_EQ(project.graph->find("conv3")->params.getInt("out_channels"), 64);
  EXPECT_EQ(project.graph->find("conv9"), nullptr);
  EXPECT_EQ(project.train->epochs, 5);
  EXPECT_EQ(project.train->batchSize, 128);
  EXPECT_EQ(project.train->optimizer.type, "adamw");
  EXPECT_EQ(project.train->optimizer.params.getFloat("lr"), 0.002);
  EXPECT_EQ(project.train->schedule.type, "one_cycle");
  EXPECT_EQ(project.train->metrics, (std::vector<PartSpec>{{"accuracy", {}}}));
  EXPECT_EQ(project.train->checkpoint.bestBy, "accuracy");
  for (const auto& node : project.graph->nodes)
    EXPECT_TRUE(project.layout->positions.contains(node->id)) << node->id;
}

TEST(ProjectFile, TheSampleIsByteStable) {
  EXPECT_EQ(projectText(readProject(kSample).project), contents(kSample));
}

TEST(ProjectFile, AnyReadableTextIsStableAfterOneWriting) {
  for (const std::string& text : {std::string(kSmallProject), std::string(kFullProject)}) {
    ReadResult first = readProjectText(text);
    ASSERT_TRUE(first.ok()) << issueLine(first.issues[0]);
    std::string written = projectText(first.project);
    ReadResult second = readProjectText(written);
    EXPECT_TRUE(second.project == first.project);
    EXPECT_EQ(projectText(second.project), written);
  }
  EXPECT_EQ(projectText(readProjectText(kFullProject).project), kFullProject);
}

TEST(ProjectFile, ReadsPortsSplitLayoutAndUnknownMembers) {
  ReadResult read = readProjectText(kFullProject, "p.tenon");
  const ProjectSpec& project = read.project;
  EXPECT_EQ(project.graph->edges[1], (EdgeSpec{"in", "image", "join", "b"}));
  EXPECT_EQ(project.data->split.kind, SplitSpec::Kind::Fraction);
  EXPECT_EQ(project.data->split.fraction, 0.25);
  EXPECT_EQ(project.data->split.seed, 7);
  EXPECT_EQ(project.train->metrics[1], (PartSpec{"top_k", {{"k", int64_t{3}}}}));
  EXPECT_EQ(project.layout->positions.at("in").y, -20.5);
  EXPECT_EQ(project.layout->notes[0].text, "two\nlines");
  EXPECT_EQ(project.layout->frames[0].box.width, 200);
  EXPECT_EQ(project.unknown[0].key, "x_future");
  EXPECT_EQ(project.data->unknown[0].key, "cache");
  EXPECT_EQ(project.train->checkpoint.unknown[0].key, "compress");
  ASSERT_EQ(read.issues.size(), 4U);
  for (const Issue& issue : read.issues) {
    EXPECT_EQ(issue.severity, Severity::Warning);
    EXPECT_EQ(issue.code, "project.unknown-key");
  }
  EXPECT_EQ(issueLine(read.issues[2]),
            "p.tenon:41:5: field 'train.epoch': unknown setting 'epoch' is ignored; did you mean "
            "'epochs'?");
}

TEST(ProjectFile, PositionsOfEveryValue) {
  Positions at = readProjectText(kFullProject).positions;
  EXPECT_EQ(at.find("train.optimizer.lr"), (JsonPos{34, 40}));
  EXPECT_EQ(at.find("graph.nodes.join.dim"), (JsonPos{15, 47}));
  EXPECT_EQ(at.find("graph.nodes.join.nothing"), (JsonPos{15, 7}));  // the node around it
  EXPECT_EQ(at.find("data.transforms.0.by"), (JsonPos{8, 31}));
  EXPECT_EQ(at.find("graph.edges.1"), (JsonPos{20, 7}));
  EXPECT_EQ(at.find("no.such.thing"), (JsonPos{1, 1}));
  EXPECT_EQ(Positions().find("a.b"), (JsonPos{0, 0}));
}

TEST(ProjectFile, LocateAddsThePlaceOfNodesAndFields) {
  Positions positions = readProjectText(kFullProject).positions;
  Issues issues(5);
  issues[0].text = "bad shape";
  issues[0].place.node = "join";
  issues[1].text = "bad rate";
  issues[1].place.field = "train.optimizer.lr";
  issues[2].text = "known already";
  issues[2].place.line = 99;
  issues[3].text = "label {0} is too much";
  issues[3].args = {"12"};
  issues[3].place.file = "labels.idx";
  issues[3].place.row = 118;
  issues[3].place.field = "train.optimizer.lr";
  issues[4] = issues[3];
  issues[4].text = "{0}: no such file";
  issues[4].args = {"labels.idx"};
  issues[4].place.row = -1;
  locateIssues(issues, positions, "p.tenon");
  EXPECT_EQ(issueLine(issues[0]), "p.tenon:15:7: node 'join': bad shape");
  EXPECT_EQ(issueLine(issues[1]), "p.tenon:34:40: field 'train.optimizer.lr': bad rate");
  EXPECT_EQ(issueLine(issues[2]), "line 99: known already");
  EXPECT_EQ(issueLine(issues[3]),
            "labels.idx: row 118: field 'train.optimizer.lr': label 12 is too much (named in "
            "p.tenon:34:40)");
  EXPECT_EQ(issueLine(issues[4]),
            "p.tenon:34:40: field 'train.optimizer.lr': labels.idx: no such file");
  EXPECT_EQ(pathOf(issues[0].place), "graph.nodes.join");
  EXPECT_EQ(pathOf({"", "join", "dim"}), "graph.nodes.join.dim");
  EXPECT_EQ(pathOf({"", "", "train.epochs"}), "train.epochs");
  EXPECT_EQ(pathOf({}), "");
}

struct Wrong {
  const char* name;
  const char* text;
  const char* issues;
};
std::ostream& operator<<(std::ostream& out, const Wrong& wrong) { return out << wrong.name; }

class ProjectFaults : public testing::TestWithParam<Wrong> {};

TEST_P(ProjectFaults, NameFileLineColumnAndField) {
  ReadResult read = readProjectText(GetParam().text, "p");
  std::string got;
  bool onlyWarnings = true;
  for (const Issue& issue : read.issues) {
    got += issueLine(issue) + "\n";
    bool isWarning = issueText(issue).find("is ignored") != std::string::npos;
    EXPECT_EQ(issue.severity, isWarning ? Severity::Warning : Severity::Error);
    onlyWarnings = onlyWarnings && isWarning;
  }
  EXPECT_EQ(got, GetParam().issues);
  EXPECT_EQ(read.ok(), onlyWarnings);
}

INSTANTIATE_TEST_SUITE_P(
    Root, ProjectFaults,
    testing::Values(
        Wrong{"syntax", "{\"format_version\": 1,}",
              "p:1:22: expected another item after ',', got '}'\n"},
        Wrong{"no object", "[1]",
              "p:1:1: field 'format_version': 'format_version' is missing or no version number; "
              "this is no Tenon project\n"},
        Wrong{"no version", "{\"name\": \"x\"}",
              "p:1:1: field 'format_version': 'format_version' is missing or no version number; "
              "this is no Tenon project\n"},
        Wrong{"version 0", "{\"format_version\": 0}",
              "p:1:20: field 'format_version': 'format_version' is missing or no version number; "
              "this is no Tenon project\n"},
        Wrong{"version text", "{\"format_version\": \"1\"}",
              "p:1:20: field 'format_version': 'format_version' is missing or no version number; "
              "this is no Tenon project\n"},
        Wrong{"sections of the wrong kind",
              "{\"format_version\": 1, \"name\": 3,\n \"data\": [],\n \"graph\": 1,\n"
              " \"train\": null,\n \"layout\": \"x\"}",
              "p:1:31: field 'name': 'name' expects a text, got 3\n"
              "p:2:10: field 'data': 'data' expects an object, got a list\n"
              "p:3:11: field 'graph': 'graph' expects an object, got 1\n"
              "p:4:11: field 'train': 'train' expects an object, got null\n"
              "p:5:12: field 'layout': 'layout' expects an object, got \"x\"\n"},
        Wrong{"mistyped section", "{\"format_version\": 1, \"tarin\": {}}",
              "p:1:23: field 'tarin': unknown setting 'tarin' is ignored; did you mean 'train'?\n"},
        Wrong{"unknown member", "{\"format_version\": 1,\n \"zzzzzzzz\": {}}",
              "p:2:2: field 'zzzzzzzz': unknown setting 'zzzzzzzz' is ignored\n"}));

INSTANTIATE_TEST_SUITE_P(
    Data, ProjectFaults,
    testing::Values(
        Wrong{"reader without type",
              "{\"format_version\": 1, \"data\": {\n  \"reader\": {\"images\": \"x\"}}}",
              "p:2:13: field 'data.reader': 'type' is missing\n"},
        Wrong{"parameter that is no value",
              "{\"format_version\": 1, \"data\": {\n  \"reader\": {\"type\": \"idx\", \"images\": "
              "null,\n  \"labels\": {}}}}",
              "p:2:39: field 'data.reader.images': 'images' expects a number, a text, true, false "
              "or a flat list of one kind, got null\n"
              "p:3:13: field 'data.reader.labels': 'labels' expects a number, a text, true, false "
              "or a flat list of one kind, got an object\n"},
        Wrong{"split of an unknown kind",
              "{\"format_version\": 1, \"data\": {\n  \"split\": {\"type\": \"half\", \"x\": 1}}}",
              "p:2:21: field 'data.split.type': 'type' expects one of none, fraction, files; got "
              "\"half\"\n"},
        Wrong{"split fraction",
              "{\"format_version\": 1, \"data\": {\n  \"split\": {\"type\": \"fraction\", "
              "\"fraction\": 1.5,\n  \"seed\": \"a\"}}}",
              "p:2:45: field 'data.split.fraction': parameter 'fraction' expects more than 0 and "
              "less than 1, got "
              "1.5\n"
              "p:3:11: field 'data.split.seed': parameter 'seed' expects a whole number, got "
              "\"a\"\n"},
        Wrong{"split files without reader",
              "{\"format_version\": 1, \"data\": {\n  \"split\": {\"type\": \"files\"}}}",
              "p:2:12: field 'data.split': 'reader' is missing\n"},
        Wrong{"transforms and classes",
              "{\"format_version\": 1, \"data\": {\n  \"transforms\": [\"scale\", {\"type\": 1}],\n"
              "  \"classes\": [\"a\", 2]}}",
              "p:2:18: field 'data.transforms.0': expected an object, got \"scale\"\n"
              "p:2:36: field 'data.transforms.1.type': 'type' expects a text, got 1\n"
              "p:3:20: field 'data.classes.1': 'classes' expects a list of texts, got a whole "
              "number\n"}));

INSTANTIATE_TEST_SUITE_P(
    Graph, ProjectFaults,
    testing::Values(
        Wrong{"nodes of the wrong kind",
              "{\"format_version\": 1, \"graph\": {\n  \"nodes\": {}, \"edges\": 2}}",
              "p:2:12: field 'graph.nodes': 'nodes' expects a list, got an object\n"
              "p:2:25: field 'graph.edges': 'edges' expects a list, got 2\n"},
        Wrong{"node without id and type",
              "{\"format_version\": 1, \"graph\": {\"nodes\": [\n  {\"a\": 1},\n  7]}}",
              "p:2:3: node '0': 'id' is missing\n"
              "p:2:3: node '0': 'type' is missing\n"
              "p:3:3: node '1': expected an object, got 7\n"},
        Wrong{"bad and doubled ids",
              "{\"format_version\": 1, \"graph\": {\"nodes\": [\n"
              "  {\"id\": \"a b\", \"type\": \"x\"},\n"
              "  {\"id\": \"c\", \"type\": \"x\"},\n"
              "  {\"id\": \"c\", \"type\": \"x\"}]}}",
              "p:2:10: node '0': field 'id': the id \"a b\" may hold letters, digits, '_' and '-' "
              "only\n"
              "p:4:10: node 'c': field 'id': a node with the id 'c' stands in line 3 already\n"},
        Wrong{"node parameter that is no value",
              "{\"format_version\": 1, \"graph\": {\"nodes\": [\n"
              "  {\"id\": \"a\", \"type\": \"x\", \"size\": [[1], 2]}]}}",
              "p:2:36: node 'a': field 'size': 'size' expects a number, a text, true, false or a "
              "flat list of one kind, got a list\n"},
        Wrong{"edges that lead nowhere",
              "{\"format_version\": 1, \"graph\": {\"nodes\": [{\"id\": \"conv1\", \"type\": "
              "\"x\"}], \"edges\": [\n"
              "  {\"from\": \"cnv1\", \"to\": \"zebra\"},\n  {\"from\": \"conv1\"},\n"
              "  {\"from\": \"conv1\", \"to\": \"conv1\", \"port\": \"x\"}]}}",
              "p:2:12: field 'graph.edges.0.from': there is no node 'cnv1'; did you mean "
              "'conv1'?\n"
              "p:2:26: field 'graph.edges.0.to': there is no node 'zebra'\n"
              "p:3:3: field 'graph.edges.1': 'to' is missing\n"
              "p:4:36: field 'graph.edges.2.port': unknown setting 'port' is ignored\n"}));

INSTANTIATE_TEST_SUITE_P(
    Train, ProjectFaults,
    testing::Values(
        Wrong{"plain settings",
              "{\"format_version\": 1, \"train\": {\n  \"epochs\": 0,\n  \"batch_size\": \"big\",\n"
              "  \"device\": {},\n  \"deterministic\": 1}}",
              "p:2:13: field 'train.epochs': parameter 'epochs' expects 1 to 1000000000, got "
              "0\n"
              "p:3:17: field 'train.batch_size': parameter 'batch_size' expects a whole number, "
              "got \"big\"\n"
              "p:4:13: field 'train.device': 'device' expects a text, got an object\n"
              "p:5:20: field 'train.deterministic': parameter 'deterministic' expects true or "
              "false, got 1\n"},
        Wrong{"parts",
              "{\"format_version\": 1, \"train\": {\n  \"loss\": \"cross_entropy\",\n"
              "  \"optimizer\": {},\n  \"metrics\": [\"accuracy\", 3]}}",
              "p:2:11: field 'train.loss': 'loss' expects an object, got \"cross_entropy\"\n"
              "p:3:16: field 'train.optimizer': 'type' is missing\n"
              "p:4:27: field 'train.metrics.1': expected an object, got 3\n"},
        Wrong{"checkpoint",
              "{\"format_version\": 1, \"train\": {\n  \"checkpoint\": {\"keep\": -1, \"best_by\": "
              "1}}}",
              "p:2:26: field 'train.checkpoint.keep': parameter 'keep' expects 0 to 1000000, "
              "got -1\n"
              "p:2:41: field 'train.checkpoint.best_by': parameter 'best_by' expects a text, got "
              "1\n"},
        Wrong{"layout",
              "{\"format_version\": 1, \"layout\": {\n  \"positions\": {\"a\": [1], \"b\": [1, "
              "\"x\"]},\n  \"notes\": [{\"id\": 1, \"box\": [1, 2, 3]}]}}",
              "p:2:22: field 'layout.positions.a': expected a list of 2 numbers\n"
              "p:2:32: field 'layout.positions.b': expected a list of 2 numbers\n"
              "p:3:20: field 'layout.notes.0.id': 'id' expects a text, got 1\n"
              "p:3:30: field 'layout.notes.0.box': expected a list of 4 numbers\n"}));

TEST(ProjectFile, IssuesAreLimitedButStayErrors) {
  std::string text = "{\"format_version\": 1, \"data\": {\"classes\": [";
  for (int i = 0; i < 2000; ++i) text += i == 0 ? "1" : ", 1";
  ReadResult read = readProjectText(text + "]}}");
  EXPECT_FALSE(read.ok());
  ASSERT_EQ(read.issues.size(), 501U);
  EXPECT_EQ(issueText(read.issues.back()), "and 1500 more issues");
}

TEST(ProjectFile, ANewerVersionIsRefusedByName) {
  try {
    readProjectText("{\"format_version\": 7, \"whatever\": []}", "new.tenon");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::Version);
    EXPECT_STREQ(error.what(),
                 "new.tenon: written by a newer Tenon: project format 7, this program reads "
                 "formats up to 1");
  }
}

TEST(ProjectFile, MigrationsRunInOrderAndNoneMayBeMissing) {
  static constexpr Migration kSteps[] = {
      {2, [](Json& root) { root.set("c", root.find("b")->asInt() * 10); }},
      {1, [](Json& root) { root.set("b", root.find("a")->asInt() + 1); }}};
  Json root = parseJson("{\"format_version\": 1, \"a\": 1}");
  migrateProject(root, 1, kSteps, 3);
  EXPECT_EQ(writeJson(root, JsonStyle::OneLine),
            "{\"format_version\": 3, \"a\": 1, \"b\": 2, \"c\": 20}");
  EXPECT_EQ(root.find("format_version")->pos, (JsonPos{1, 20}));
  try {
    migrateProject(root, 3, kSteps, 4);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::Internal);
    EXPECT_STREQ(error.what(), "no migration from project format 3 to 4");
  }
  // Every version that was ever released has a way to the present one.
  Json first = parseJson("{\"format_version\": 1}");
  migrateProject(first, 1, projectMigrations(), kProjectFormat);
  EXPECT_EQ(first.find("format_version")->asInt(), kProjectFormat);
}

TEST(ProjectFile, WritesIntoItsFolderAndReadsBack) {
  std::string folder = (fs::temp_directory_path() / "tenon-project-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  ProjectSpec project = readProjectText(kFullProject).project;
  writeProject(folder, project);
  EXPECT_EQ(contents(folder + "/project.tenon"), kFullProject);
  EXPECT_TRUE(readProject(folder).project == project);
  EXPECT_TRUE(readProject(folder + "/project.tenon").project == project);
  ProjectSpec renamed = project;
  renamed.name = "Other";
  writeProject(folder + "/project.tenon", renamed);
  EXPECT_EQ(readProject(folder).project.name, "Other");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
  fs::remove_all(folder);
  try {
    readProject(folder + "/project.tenon");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::Io);
    EXPECT_NE(std::string(error.what()).find("project.tenon"), std::string::npos);
  }
  EXPECT_THROW(writeProject(folder + "/none/project.tenon", project), Error);
}

TEST(ProjectFile, FeaturesOfTrainingAreWrittenOnlyWhereTheyAreNotTheDefault) {
  std::string text = kFullProject;
  const std::string features =
      "\"precision\": \"bf16\",\n    \"accumulate\": 4,\n    \"clip_norm\": 1.5,\n    "
      "\"ema_decay\": 0.999,\n    "
      "\"ema_warm_up\": false,\n    \"optimizer_changes\": [\"sgd after_epochs=1\"],\n    ";
  text.insert(text.find("\"loss\""), features);
  const ReadResult read = readProjectText(text);
  ASSERT_TRUE(read.ok());
  const TrainSpec& train = *read.project.train;
  EXPECT_EQ(train.precision, "bf16");
  EXPECT_EQ(train.accumulate, 4);
  EXPECT_EQ(train.clipNorm, 1.5);
  EXPECT_EQ(train.clipValue, 0);
  EXPECT_EQ(train.emaDecay, 0.999);
  EXPECT_FALSE(train.emaWarmUp);
  EXPECT_EQ(train.optimizerChanges, std::vector<std::string>{"sgd after_epochs=1"});
  EXPECT_EQ(projectText(read.project), text);
  // Said or not, a default is the default; the file leaves it out again.
  std::string plain = kFullProject;
  plain.insert(plain.find("\"loss\""), "\"accumulate\": 1, \"clip_norm\": 0, ");
  const ReadResult again = readProjectText(plain);
  EXPECT_TRUE(again.project == readProjectText(kFullProject).project);
  EXPECT_EQ(projectText(again.project), kFullProject);
}

TEST(ProjectFile, FeaturesOutOfRangeAreRefusedAtTheirPlace) {
  std::string text = kFullProject;
  text.insert(text.find("\"loss\""),
              "\"accumulate\": 0,\n\"clip_norm\": -1,\n\"clip_value\": \"much\",\n"
              "\"ema_decay\": 1,\n\"ema_warm_up\": 1,\n\"optimizer_changes\": 5,\n"
              "\"precision\": \"f8\",\n");
  const ReadResult read = readProjectText(text, "p.tenon");
  std::vector<std::string> errors;
  for (const Issue& issue : read.issues)
    if (issue.severity == Severity::Error) errors.push_back(issueLine(issue));
  ASSERT_EQ(errors.size(), 7U);
  EXPECT_EQ(errors[0],
            "p.tenon:39:14: field 'train.precision': parameter 'precision' expects one of f32, "
            "bf16, f16; got \"f8\"");
  errors.erase(errors.begin());
  EXPECT_EQ(errors[0],
            "p.tenon:33:19: field 'train.accumulate': parameter 'accumulate' expects 1 to 1000000, "
            "got 0");
  EXPECT_TRUE(errors[1].starts_with("p.tenon:34:14: field 'train.clip_norm': ")) << errors[1];
  EXPECT_TRUE(errors[2].starts_with("p.tenon:35:15: field 'train.clip_value': ")) << errors[2];
  EXPECT_TRUE(errors[3].starts_with("p.tenon:36:14: field 'train.ema_decay': ")) << errors[3];
  EXPECT_TRUE(errors[4].starts_with("p.tenon:37:16: field 'train.ema_warm_up': ")) << errors[4];
  EXPECT_TRUE(errors[5].starts_with("p.tenon:38:22: field 'train.optimizer_changes': "))
      << errors[5];
}

TEST(Specs, EqualityLooksInsideSharedParts) {
  ProjectSpec a = readProjectText(kFullProject).project;
  ProjectSpec b = readProjectText(kFullProject).project;
  EXPECT_TRUE(a == b);
  EXPECT_NE(a.graph, b.graph);  // two objects
  auto graph = std::make_shared<GraphSpec>(*b.graph);
  auto node = std::make_shared<NodeSpec>(*graph->nodes[1]);
  node->params.set("dim", int64_t{2});
  graph->nodes[1] = node;
  b.graph = graph;
  EXPECT_FALSE(a == b);
  EXPECT_EQ(a.graph->nodes[0]->id, b.graph->nodes[0]->id);
  b = a;
  EXPECT_EQ(a.graph, b.graph);  // shared
}

TEST(Specs, PlainSettingsGoThroughTheirSchemasAndBack) {
  TrainSpec train = *readProjectText(kFullProject).project.train;
  TrainSpec again = withTrainParams(train, trainParams(train));
  EXPECT_TRUE(again == train);
  EXPECT_EQ(trainParams(TrainSpec()), trainSchema().defaults());
  EXPECT_EQ(trainParams(train).size(), trainSchema().size());
  for (const ParamSpec& spec : trainFeatureSchema()) {
    EXPECT_NE(trainSchema().find(spec.name), nullptr) << spec.name;
    EXPECT_FALSE(writtenTrainParams(train).contains(spec.name)) << spec.name;
  }
  EXPECT_EQ(checkpointParams(CheckpointSpec()), checkpointSchema().defaults());
  CheckpointSpec checkpoint{50, 2, "accuracy", {}};
  EXPECT_TRUE(checkpointFromParams(checkpointParams(checkpoint)) == checkpoint);
}

}  // namespace
}  // namespace tenon

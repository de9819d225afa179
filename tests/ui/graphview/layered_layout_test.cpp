// SPDX-License-Identifier: GPL-3.0-or-later
// The layered layout: order, distances, cycles, bends, determinism, speed and cancelling.
#include "ui/graphview/layered_layout.h"

#include <pthread.h>
#include <QSignalSpy>
#include <QtTest>
#include <cmath>
#include <ctime>
#include <random>
#include <thread>

#include "ui/graphview/layout_job.h"

using namespace tenon::ui;

namespace {

constexpr QSizeF kSize(180, 48);

LayoutGraph graphOf(int nodes, std::vector<LayoutEdge> edges) {
  return {std::vector<QSizeF>(static_cast<std::size_t>(nodes), kSize), std::move(edges)};
}

/// A chain with skips over two nodes, as residual networks have.
LayoutGraph residual(int nodes) {
  LayoutGraph graph = graphOf(nodes, {});
  for (int i = 0; i + 1 < nodes; ++i) graph.edges.push_back({i, i + 1});
  for (int i = 0; i + 3 < nodes; i += 3) graph.edges.push_back({i, i + 3, 0, 1});
  return graph;
}

/// Forward chain and its backward mirror: each forward node feeds its backward one.
LayoutGraph autograd(int nodes) {
  const int half = nodes / 2;
  LayoutGraph graph = graphOf(2 * half, {});
  for (int i = 0; i + 1 < 2 * half; ++i) graph.edges.push_back({i, i + 1});
  for (int i = 0; i + 1 < half; ++i) graph.edges.push_back({i, 2 * half - 1 - i, 0, 1});
  return graph;
}

LayoutGraph randomDag(int nodes, int edges, unsigned seed, int reach = 60) {
  std::mt19937 random(seed);
  LayoutGraph graph = graphOf(nodes, {});
  for (int i = 0; i < edges; ++i) {
    const int from = static_cast<int>(random() % static_cast<unsigned>(nodes - 1));
    const int span = 1 + static_cast<int>(random() % static_cast<unsigned>(reach));
    graph.edges.push_back({from, std::min(nodes - 1, from + span)});
  }
  return graph;
}

QString overlap(const LayoutGraph& graph, const LayoutResult& result,
                const LayoutOptions& options) {
  std::map<int, std::vector<std::size_t>> rows;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) rows[result.layers[i]].push_back(i);
  const bool down = options.flow == Flow::TopDown;
  const auto across = [&](std::size_t i) {
    return down ? result.positions[i].x() : result.positions[i].y();
  };
  for (auto& [layer, row] : rows) {
    std::sort(row.begin(), row.end(), [&](auto a, auto b) { return across(a) < across(b); });
    for (std::size_t k = 0; k + 1 < row.size(); ++k) {
      const double size = down ? graph.nodes[row[k]].width() : graph.nodes[row[k]].height();
      const double gap = across(row[k + 1]) - across(row[k]) - size;
      if (gap < options.nodeGap - 1e-6) {
        return QStringLiteral("nodes %1 and %2 in layer %3 have a gap of %4")
            .arg(row[k])
            .arg(row[k + 1])
            .arg(layer)
            .arg(gap);
      }
    }
  }
  return {};
}

QString backward(const LayoutGraph& graph, const LayoutResult& result) {
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    const auto [from, to, a, b] = graph.edges[i];
    if (from == to) continue;
    const bool forward = result.layers[from] < result.layers[to];
    if (forward == static_cast<bool>(result.reversed[i])) {
      return QStringLiteral("edge %1 from layer %2 to %3")
          .arg(i)
          .arg(result.layers[from])
          .arg(result.layers[to]);
    }
  }
  return {};
}

double cpuMs(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

}  // namespace

class LayeredLayoutTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void emptyAndSingle() {
    const auto nothing = layeredLayout({});
    QVERIFY(nothing);
    QVERIFY(nothing->positions.empty());
    QCOMPARE(nothing->size, QSizeF(0, 0));
    const auto one = layeredLayout(graphOf(1, {}));
    QCOMPARE(one->positions[0], QPointF(0, 0));
    QCOMPARE(one->size, kSize);
  }

  void chainIsStraight() {
    const LayoutGraph graph = graphOf(4, {{0, 1}, {1, 2}, {2, 3}});
    const auto result = layeredLayout(graph);
    for (int i = 0; i < 4; ++i) {
      QCOMPARE(result->layers[i], i);
      QCOMPARE(result->positions[i], QPointF(0, i * (48 + 48)));
    }
    LayoutOptions sideways;
    sideways.flow = Flow::LeftToRight;
    const auto flat = layeredLayout(graph, sideways);
    QCOMPARE(flat->positions[3], QPointF(3 * (180 + 48), 0));
    QCOMPARE(flat->size, QSizeF(4 * 180 + 3 * 48, 48));
  }

  void diamondIsSymmetric() {
    const auto result = layeredLayout(graphOf(4, {{0, 1}, {0, 2, 1}, {1, 3}, {2, 3, 0, 1}}));
    QCOMPARE(result->crossings, 0);
    QCOMPARE(result->layers, (std::vector<int>{0, 1, 1, 2}));
    QCOMPARE(result->positions[0].x(), result->positions[3].x());
    const double left = result->positions[0].x() - result->positions[1].x();
    const double right = result->positions[2].x() - result->positions[0].x();
    QCOMPARE(left, right);
    QCOMPARE(left, (180 + 24) / 2.0);
  }

  void portsKeepTheirOrder() {
    // Output 0 goes to node 2, output 1 to node 1: node 2 belongs to the left.
    const auto result = layeredLayout(graphOf(3, {{0, 1, 1}, {0, 2, 0}}));
    QCOMPARE(result->crossings, 0);
    QVERIFY(result->positions[2].x() < result->positions[1].x());
  }

  void longEdgeGoesRoundNodes() {
    const LayoutGraph graph = graphOf(4, {{0, 1}, {1, 2}, {2, 3}, {0, 3, 1, 1}});
    const auto result = layeredLayout(graph);
    const QList<QPointF> bends = result->bends[3];
    QVERIFY(bends.size() >= 2);
    for (int i = 0; i < 3; ++i) QVERIFY(result->bends[i].isEmpty());
    for (const int node : {1, 2}) {
      const QRectF box(result->positions[node], kSize);
      for (const QPointF& bend : bends) QVERIFY(!box.contains(bend));
    }
    for (qsizetype i = 1; i < bends.size(); ++i) QVERIFY(bends[i].y() >= bends[i - 1].y());
  }

  void parametersStandNearTheirReader() {
    // Node 4 has no input and is read by node 3 only: it belongs into layer 2, not 0.
    const auto result = layeredLayout(graphOf(5, {{0, 1}, {1, 2}, {2, 3}, {4, 3, 0, 1}}));
    QCOMPARE(result->layers[4], 2);
  }

  void cyclesAreBroken() {
    const LayoutGraph graph = graphOf(4, {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 3}, {0, 9}, {-1, 2}});
    const auto result = layeredLayout(graph);
    QVERIFY(result);
    QCOMPARE(std::count(result->reversed.begin(), result->reversed.end(), 1), 1);
    QVERIFY(result->reversed[2]);
    for (int i = 0; i < 4; ++i) {
      if (i != 2) QVERIFY(!result->reversed[i]);
    }
    QCOMPARE(result->layers, (std::vector<int>{0, 1, 2, 3}));
    // The bends of a reversed edge still go from its source, which lies below.
    QVERIFY(result->bends[2].first().y() > result->bends[2].last().y());
  }

  void slantingChainsStayCompact() {
    // Each row hands its chains on: straight alignment alone would draw a slant of 80,000 px.
    LayoutGraph graph = graphOf(600, {});
    for (int i = 1; i < 600; ++i) {
      graph.edges.push_back({i - 1 - (i * 7) % std::min(i, 9), i});
      if (i > 20 && i % 3 == 0) graph.edges.push_back({i - 17, i});
    }
    const auto result = layeredLayout(graph);
    std::map<int, double> rows;
    for (const int layer : result->layers) rows[layer] += 180 + 24;
    double widest = 0;
    for (const auto& row : rows) widest = std::max(widest, row.second);
    qInfo("%.0f wide, widest row %.0f", result->size.width(), widest);
    QVERIFY(result->size.width() < 4 * widest + 800);
    QVERIFY(overlap(graph, *result, {}).isEmpty());
  }

  void sidewaysLeavesRoomForLabels() {
    GraphData data;
    data.edges.append({"a", 0, "b", 0, "N×64×28×28", false, {}});
    QCOMPARE(layoutOptionsOf(data, Flow::TopDown).layerGap, 48.0);
    QCOMPARE(layoutOptionsOf(data, Flow::LeftToRight).layerGap, 10 * 7.5 + 32);
  }

  void lonersFillASquare() {
    const auto result = layeredLayout(graphOf(100, {}));
    QCOMPARE(*std::max_element(result->layers.begin(), result->layers.end()), 9);
    QVERIFY(result->size.width() < 11 * 204);
  }

  void forwardWithoutOverlap_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("flow");
    for (int kind = 0; kind < 5; ++kind) {
      for (int flow = 0; flow < 2; ++flow) {
        QTest::addRow("kind %d flow %d", kind, flow) << kind << flow;
      }
    }
  }

  void forwardWithoutOverlap() {
    QFETCH(int, kind);
    QFETCH(int, flow);
    LayoutGraph graph = kind == 0   ? residual(200)
                        : kind == 1 ? autograd(120)
                                    : randomDag(200, 320, static_cast<unsigned>(kind));
    std::mt19937 random(7);
    for (QSizeF& size : graph.nodes) size = QSizeF(100 + random() % 200, 40 + random() % 60);
    LayoutOptions options;
    options.flow = static_cast<Flow>(flow);
    const auto result = layeredLayout(graph, options);
    QVERIFY2(overlap(graph, *result, options).isEmpty(),
             qPrintable(overlap(graph, *result, options)));
    QVERIFY2(backward(graph, *result).isEmpty(), qPrintable(backward(graph, *result)));
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      const QRectF box(result->positions[i], graph.nodes[i]);
      QVERIFY(QRectF(QPointF(-1e-6, -1e-6), result->size + QSizeF(2e-6, 2e-6)).contains(box));
    }
    const auto again = layeredLayout(graph, options);
    QCOMPARE(again->positions, result->positions);
    QCOMPARE(again->bends, result->bends);
  }

  void speed_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("limitMs");
    // P17 asks 100 and 1,000 ms of a release build on a quiet machine; counted is processor time,
    // of which a machine shared with others takes more, too.
    for (const int kind : {0, 1, 2}) {
      QTest::addRow("kind %d, 1000 nodes", kind) << kind << 1000 << 400;
      QTest::addRow("kind %d, 10000 nodes", kind) << kind << 10000 << 4000;
    }
  }

  void speed() {
    QFETCH(int, kind);
    QFETCH(int, nodes);
    QFETCH(int, limitMs);
    const LayoutGraph graph = kind == 0   ? residual(nodes)
                              : kind == 1 ? autograd(nodes)
                                          : randomDag(nodes, 2 * nodes, 3);
    const double begin = cpuMs(CLOCK_THREAD_CPUTIME_ID);
    const auto result = layeredLayout(graph);
    const double ms = cpuMs(CLOCK_THREAD_CPUTIME_ID) - begin;
    qInfo("%d nodes, %zu edges: %.0f ms, %lld crossings", nodes, graph.edges.size(), ms,
          result->crossings);
    QVERIFY(ms < limitMs);
    QVERIFY2(overlap(graph, *result, {}).isEmpty(), qPrintable(overlap(graph, *result, {})));
  }

  /// Counted in processor time of the layout's own thread, so that other work does not matter.
  void stopsSoon() {
    std::stop_source before;
    before.request_stop();
    QVERIFY(!layeredLayout(residual(10), {}, before.get_token()));

    const LayoutGraph graph = randomDag(20000, 60000, 5);
    clockid_t clock{};
    QCOMPARE(pthread_getcpuclockid(pthread_self(), &clock), 0);
    const double begun = cpuMs(clock);
    QVERIFY(layeredLayout(graph));
    const double whole = cpuMs(clock) - begun;
    std::stop_source stop;
    double stoppedAt = 0;
    const double start = cpuMs(clock);
    std::jthread stopper([&] {
      while (cpuMs(clock) < start + whole / 10) std::this_thread::yield();
      stoppedAt = cpuMs(clock);
      stop.request_stop();
    });
    const auto result = layeredLayout(graph, {}, stop.get_token());
    const double end = cpuMs(clock);
    if (result) stop.request_stop();
    stopper.join();
    qInfo("whole: %.0f ms, stopped after %.1f ms", whole, end - stoppedAt);
    // The stopper may be kept waiting: what it asked too late for is allowed to be there.
    QVERIFY(!result || stoppedAt > start + whole * 0.9);
    QVERIFY(end - stoppedAt < whole / 2);
  }

  void highDrawingsFold() {
    LayoutGraph chain = graphOf(100, {});
    for (int i = 1; i < 100; ++i) chain.edges.push_back({i - 1, i});
    LayoutOptions options;
    options.foldAbove = 2400;
    const auto result = layeredLayout(chain, options);
    const double ratio = result->size.width() / result->size.height();
    QVERIFY2(ratio > 0.8 && ratio < 3, qPrintable(QString::number(ratio)));
    QCOMPARE(result->positions[0], QPointF(0, 0));
    int heads = 1;
    for (int i = 1; i < 100; ++i) {
      const QPointF way = result->positions[i] - result->positions[i - 1];
      if (way == QPointF(0, 96)) continue;
      ++heads;
      QCOMPARE(way.x(), 180.0 + 72);  // the head of the next column
      QCOMPARE(result->positions[i].y(), 0.0);
    }
    QVERIFY(heads >= 6 && heads <= 10);
    QVERIFY(result->size.height() * heads < 1.5 * 100 * 96);
    options.foldAbove = 100 * 96;
    QCOMPARE(layeredLayout(chain, options)->size, layeredLayout(chain)->size);
  }

  void foldsOnlyBetweenBlocks() {
    // Blocks with a skip over three layers: only the wire between two blocks may be cut.
    LayoutGraph graph = graphOf(120, {});
    for (int i = 1; i < 120; ++i) graph.edges.push_back({i - 1, i});
    for (int i = 0; i + 3 < 120; i += 4) graph.edges.push_back({i, i + 3, 0, 1});
    LayoutOptions options;
    options.foldAbove = 2400;
    const auto result = layeredLayout(graph, options);
    int heads = 0;
    for (int i = 1; i < 120; ++i) {
      if (result->layers[i] == 0 || result->positions[i].y() > 0.5) continue;
      ++heads;
      QCOMPARE(i % 4, 0);
    }
    QVERIFY(heads >= 3);
    for (std::size_t edge = 0; edge < graph.edges.size(); ++edge) {
      for (const QPointF& bend : result->bends[edge]) {
        QVERIFY(std::fabs(bend.x() - result->positions[graph.edges[edge].from].x()) < 500);
        QVERIFY(bend.y() <= result->size.height());
      }
    }
    // A wire from the first to the last leaves no place to cut.
    graph.edges.push_back({0, 119, 1, 1});
    const auto tall = layeredLayout(graph, options);
    QVERIFY(tall->size.height() > 110 * 96);
  }

  void jobAnswersOnceWithTheNewest() {
    LayoutJob job;
    QSignalSpy spy(&job, &LayoutJob::finished);
    job.start(randomDag(20000, 60000, 5));
    const int second = job.start(residual(30));
    QVERIFY(job.isRunning());
    QTRY_COMPARE_WITH_TIMEOUT(spy.size(), 1, 5000);
    QVERIFY(!job.isRunning());
    QCOMPARE(spy[0][1].toInt(), second);
    QCOMPARE(spy[0][0].value<LayoutResult>().positions.size(), 30U);
    job.start(residual(30));
    job.cancel();
    QTest::qWait(50);
    QCOMPARE(spy.size(), 1);
  }

  void appliesToCanvasData() {
    GraphData data;
    for (const char* id : {"a", "b"}) {
      GraphNode node;
      node.id = id;
      data.nodes.append(node);
    }
    data.edges.append({"a", 0, "b", 0, {}, false, {}});
    data.edges.append({"a", 0, "gone", 0, {}, false, {}});
    const auto result = layeredLayout(layoutGraphOf(data));
    applyLayout(data, *result);
    QCOMPARE(data.nodes[1].position, QPointF(0, 96));
  }
};

QTEST_GUILESS_MAIN(LayeredLayoutTest)
#include "layered_layout_test.moc"

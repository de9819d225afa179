// SPDX-License-Identifier: GPL-3.0-or-later
// BlockStack against brute force: sums, peaks, tiles, hits, limits and time.
#include "ui/tracks/block_stack.h"

#include <QElapsedTimer>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "ui/tracks/tile_picture.h"
#include "ui/tracks/track_ticks.h"

using namespace tenon::ui;

namespace {

/// Random blocks: long and short, large and small, some never freed, some at equal times.
std::vector<TrackBlock> randomBlocks(int count, unsigned seed, std::int64_t span) {
  std::mt19937 random(seed);
  std::vector<TrackBlock> blocks;
  for (int i = 0; i < count; ++i) {
    TrackBlock block;
    block.id = 1000 + (i * 7919) % count;  // unique (7919 is prime), not in order of time
    block.start = static_cast<std::int64_t>(random() % static_cast<unsigned>(span));
    const auto length = random() % 20 == 0 ? random() % static_cast<unsigned>(span) : random() % 40;
    block.end = random() % 50 == 0 ? kNeverFreed : block.start + 1 + static_cast<int>(length);
    block.bytes = static_cast<std::int64_t>(random() % 1000) << (random() % 12);
    block.category = static_cast<int>(random() % 4);
    blocks.push_back(block);
  }
  return blocks;
}

bool live(const TrackBlock& block, std::int64_t time) {
  return block.start <= time && time < block.end;
}

/// Live blocks in stack order, with the bytes below each.
std::vector<std::pair<TrackBlock, std::int64_t>> stackAt(const std::vector<TrackBlock>& blocks,
                                                         std::int64_t time) {
  std::vector<TrackBlock> found;
  for (const TrackBlock& block : blocks) {
    if (live(block, time)) found.push_back(block);
  }
  std::sort(found.begin(), found.end(), [](const TrackBlock& a, const TrackBlock& b) {
    return std::tuple(a.category, a.start, a.id) < std::tuple(b.category, b.start, b.id);
  });
  std::vector<std::pair<TrackBlock, std::int64_t>> stacked;
  std::int64_t low = 0;
  for (const TrackBlock& block : found) {
    stacked.emplace_back(block, low);
    low += block.bytes;
  }
  return stacked;
}

std::int64_t totalAt(const std::vector<TrackBlock>& blocks, std::int64_t time) {
  std::int64_t total = 0;
  for (const TrackBlock& block : blocks) total += live(block, time) ? block.bytes : 0;
  return total;
}

TileQuery wholeOf(const BlockStack& stack, int columns, int rows) {
  return {static_cast<double>(stack.begin()),
          static_cast<double>(stack.end()),
          columns,
          0,
          static_cast<double>(stack.peakBytes()),
          rows,
          -1};
}

}  // namespace

class BlockStackTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void emptyIsFine();
  void oddBlocksAreMended();
  void piecesAreOneLife();
  void findsBlocks();
  void sumsEqualBruteForce();
  void peakEqualsBruteForce();
  void columnsShowTheirLargestTotal();
  void blocksLieWhereBruteForceSays_data();
  void blocksLieWhereBruteForceSays();
  void bandsCoverTheStack();
  void hitsEqualBruteForce();
  void pinnedIsAlwaysApart();
  void apartIsLimited();
  void everyBlockCanBeZoomedTo();
  void positionsDoNotDependOnZoom();
  void stops();
  void millionBlocks();
  void pictureHasTheColours();
  void ticks();
};

void BlockStackTest::emptyIsFine() {
  const BlockStack stack({});
  QCOMPARE(stack.size(), std::size_t{0});
  QCOMPARE(stack.peakBytes(), std::int64_t{0});
  QCOMPARE(stack.bytesAt(5), std::vector<std::int64_t>{0});
  QVERIFY(!stack.block(1));
  const auto tile = stack.tile({0, 10, 5, 0, 10, 5, -1}, {});
  QVERIFY(tile && tile->spans.empty());
  QCOMPARE(tile->totals.size(), std::size_t{5});
}

void BlockStackTest::oddBlocksAreMended() {
  const BlockStack stack({{1, 10, 10, 100, 0}, {2, 10, 5, 50, -3}, {3, 12, 20, -7, 1}});
  QCOMPARE(stack.block(1)->end, std::int64_t{11});
  QCOMPARE(stack.block(2)->end, std::int64_t{11});
  QCOMPARE(stack.block(2)->category, 0);
  QCOMPARE(stack.block(3)->bytes, std::int64_t{0});
  QCOMPARE(stack.peakBytes(), std::int64_t{150});
  QCOMPARE(stack.peakTime(), std::int64_t{10});
  for (const TileQuery& bad : {TileQuery{5, 5, 10, 0, 1, 10, -1}, TileQuery{0, 1, 0, 0, 1, 10, -1},
                               TileQuery{0, 1, 10, 1, 1, 10, -1}}) {
    QVERIFY(stack.tile(bad, {}) && stack.tile(bad, {})->spans.empty());
  }
}

void BlockStackTest::piecesAreOneLife() {
  // Block 1 changes its category at 20; block 2 comes at the same instant.
  const BlockStack stack({{1, 10, 20, 100, 0}, {1, 20, 40, 100, 2}, {2, 20, 30, 50, 1}});
  QCOMPARE(stack.size(), std::size_t{2});
  QCOMPARE(*stack.block(1), (TrackBlock{1, 10, 40, 100, 2}));
  QCOMPARE(stack.bytesAt(19), (std::vector<std::int64_t>{100, 0, 0}));
  QCOMPARE(stack.bytesAt(20), (std::vector<std::int64_t>{0, 50, 100}));
  QCOMPARE(stack.peakBytes(), std::int64_t{150});
  QCOMPARE(stack.peakTime(), std::int64_t{20});
  const auto tile = stack.tile({10, 40, 30, 0, 200, 20, -1}, {});
  QVERIFY(tile);
  QCOMPARE(tile->blocksApart, std::size_t{2});
  QCOMPARE(tile->at(5, 50)->id, std::int64_t{1});
  QCOMPARE(tile->at(5, 50)->category, 0);
  QCOMPARE(tile->at(25, 50)->id, std::int64_t{1});
  QCOMPARE(tile->at(25, 50)->category, 2);
  QCOMPARE(tile->at(15, 20)->id, std::int64_t{2});
  QCOMPARE(tile->at(15, 120)->id, std::int64_t{1});

  // A change of category alone is no peak: the first instant of the total counts.
  const BlockStack renamed({{1, 10, 20, 100, 0}, {1, 20, 40, 100, 1}});
  QCOMPARE(renamed.peakTime(), std::int64_t{10});
}

void BlockStackTest::findsBlocks() {
  const auto blocks = randomBlocks(3000, 1, 5000);
  const BlockStack stack(blocks);
  QCOMPARE(stack.size(), blocks.size());
  for (const TrackBlock& block : blocks) QCOMPARE(*stack.block(block.id), block);
  QVERIFY(!stack.block(999));
  QVERIFY(!stack.block(-1));
}

void BlockStackTest::sumsEqualBruteForce() {
  const auto blocks = randomBlocks(3000, 2, 5000);
  const BlockStack stack(blocks);
  for (std::int64_t time = stack.begin() - 1; time <= stack.end() + 1; time += 13) {
    std::vector<std::int64_t> wanted(4, 0);
    for (const TrackBlock& block : blocks) {
      if (live(block, time)) wanted[static_cast<std::size_t>(block.category)] += block.bytes;
    }
    QCOMPARE(stack.bytesAt(time), wanted);
  }
}

void BlockStackTest::peakEqualsBruteForce() {
  for (unsigned seed = 3; seed < 9; ++seed) {
    const auto blocks = randomBlocks(500 + static_cast<int>(seed) * 100, seed, 700);
    const BlockStack stack(blocks);
    std::int64_t peak = 0;
    for (std::int64_t t = 0; t <= stack.end(); ++t) peak = std::max(peak, totalAt(blocks, t));
    QCOMPARE(stack.peakBytes(), peak);
    QCOMPARE(totalAt(blocks, stack.peakTime()), peak);
  }
}

void BlockStackTest::columnsShowTheirLargestTotal() {
  const auto blocks = randomBlocks(4000, 10, 6000);
  const BlockStack stack(blocks);
  for (const int columns : {1, 37, 600, 9000}) {
    TileQuery query = wholeOf(stack, columns, 100);
    query.begin += 700.5;
    query.end -= 311.25;
    const auto tile = stack.tile(query, {});
    QVERIFY(tile);
    for (int column = 0; column < columns; column += 1 + columns / 300) {
      const auto at = static_cast<std::size_t>(column);
      const double from = query.columnBegin(column), to = query.columnBegin(column + 1);
      std::int64_t wanted = totalAt(blocks, static_cast<std::int64_t>(std::floor(from)));
      for (auto t = static_cast<std::int64_t>(std::ceil(from)); static_cast<double>(t) <= to; ++t) {
        wanted = std::max(wanted, totalAt(blocks, t));
      }
      QCOMPARE(tile->totals[at], wanted);
      QCOMPARE(totalAt(blocks, tile->times[at]), wanted);
    }
  }
}

void BlockStackTest::blocksLieWhereBruteForceSays_data() {
  QTest::addColumn<double>("from");
  QTest::addColumn<double>("to");
  QTest::addColumn<int>("columns");
  QTest::addRow("whole") << 0.0 << 1.0 << 400;
  QTest::addRow("middle") << 0.4 << 0.5 << 400;
  QTest::addRow("close") << 0.5 << 0.505 << 300;
  QTest::addRow("past both ends") << -0.5 << 1.5 << 200;
}

void BlockStackTest::blocksLieWhereBruteForceSays() {
  QFETCH(double, from);
  QFETCH(double, to);
  QFETCH(int, columns);
  const auto blocks = randomBlocks(3000, 11, 8000);
  const BlockStack stack(blocks);
  TileQuery query = wholeOf(stack, columns, 200);
  const double begin = query.begin, size = query.end - query.begin;
  query.begin = begin + from * size;
  query.end = begin + to * size;
  const auto tile = stack.tile(query, {});
  QVERIFY(tile);
  std::size_t checked = 0;
  for (int column = 0; column < columns; column += 3) {
    std::map<std::int64_t, std::pair<double, double>> wanted;
    for (const auto& [block, low] :
         stackAt(blocks, tile->times[static_cast<std::size_t>(column)])) {
      wanted[block.id] = {static_cast<double>(low), static_cast<double>(low + block.bytes)};
    }
    std::set<std::int64_t> got;
    for (const TileSpan& span : tile->spans) {
      if (span.id == TileSpan::kSmall || column < span.firstColumn || column >= span.lastColumn) {
        continue;
      }
      QVERIFY2(wanted.contains(span.id), "a block is drawn where it does not live");
      QCOMPARE(span.low, wanted[span.id].first);
      QCOMPARE(span.high, wanted[span.id].second);
      QCOMPARE(span.category, stack.block(span.id)->category);
      got.insert(span.id);
      ++checked;
    }
    // Whatever is large enough is drawn apart.
    const double perColumn = (query.end - query.begin) / columns;
    for (const auto& [id, place] : wanted) {
      const TrackBlock block = *stack.block(id);
      const bool large = static_cast<double>(block.bytes) >= query.high / query.rows &&
                         static_cast<double>(block.end - block.start) >= perColumn;
      QCOMPARE(got.contains(id), large);
    }
  }
  QVERIFY(checked > 50);
}

void BlockStackTest::bandsCoverTheStack() {
  const auto blocks = randomBlocks(2000, 12, 3000);
  const BlockStack stack(blocks);
  const auto tile = stack.tile(wholeOf(stack, 333, 100), {});
  for (int column = 0; column < 333; ++column) {
    const auto sums = stack.bytesAt(tile->times[static_cast<std::size_t>(column)]);
    double low = 0;
    for (std::size_t category = 0; category < sums.size(); ++category) {
      const double high = low + static_cast<double>(sums[category]);
      const bool found = std::any_of(tile->spans.begin(), tile->spans.end(), [&](const auto& s) {
        return s.id == TileSpan::kSmall && s.category == static_cast<int>(category) &&
               column >= s.firstColumn && column < s.lastColumn && s.low == low && s.high == high;
      });
      QCOMPARE(found, high > low);
      low = high;
    }
    QCOMPARE(low, static_cast<double>(tile->totals[static_cast<std::size_t>(column)]));
  }
}

void BlockStackTest::hitsEqualBruteForce() {
  const auto blocks = randomBlocks(2000, 13, 3000);
  const BlockStack stack(blocks);
  const auto tile = stack.tile(wholeOf(stack, 400, 200), {});
  std::set<std::int64_t> apart;
  for (const TileSpan& span : tile->spans) apart.insert(span.id);
  std::mt19937 random(14);
  int hits = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const int column = static_cast<int>(random() % 400);
    const double bytes = random() % 1000 / 1000.0 * static_cast<double>(stack.peakBytes());
    std::int64_t wanted = -2;
    for (const auto& [block, low] :
         stackAt(blocks, tile->times[static_cast<std::size_t>(column)])) {
      if (bytes >= static_cast<double>(low) && bytes < static_cast<double>(low + block.bytes)) {
        wanted = apart.contains(block.id) ? block.id : TileSpan::kSmall;
      }
    }
    const TileSpan* span = tile->at(column, bytes);
    QCOMPARE(span ? span->id : -2, wanted);
    hits += wanted >= 0 ? 1 : 0;
  }
  QVERIFY(hits > 100);
  QCOMPARE(tile->at(-1, 0), nullptr);
  QCOMPARE(tile->at(400, 0), nullptr);
}

void BlockStackTest::pinnedIsAlwaysApart() {
  auto blocks = randomBlocks(2000, 15, 3000);
  blocks.push_back({5, 1500, 1502, 1, 2});  // a byte for two ticks
  const BlockStack stack(blocks);
  TileQuery query = wholeOf(stack, 3000, 100);
  const auto has = [](const StackTile& tile) {
    return std::any_of(tile.spans.begin(), tile.spans.end(), [](auto& s) { return s.id == 5; });
  };
  QVERIFY(!has(*stack.tile(query, {})));
  query.pinned = 5;
  QVERIFY(has(*stack.tile(query, {})));
}

void BlockStackTest::apartIsLimited() {
  std::vector<TrackBlock> blocks;  // 20,000 equal blocks of one pixel each
  for (int i = 0; i < 20000; ++i) blocks.push_back({i, i / 100, i / 100 + 100, 10, 0});
  const BlockStack stack(blocks);
  const auto tile = stack.tile(wholeOf(stack, 100, 10000), {});
  QVERIFY2(tile->blocksApart <= 200, qPrintable(QString::number(tile->blocksApart)));
  QVERIFY(tile->blocksApart > 100);
}

void BlockStackTest::everyBlockCanBeZoomedTo() {
  const auto blocks = randomBlocks(3000, 16, 4000);
  const BlockStack stack(blocks);
  for (std::size_t i = 0; i < blocks.size(); i += 59) {
    const TrackBlock& block = blocks[i];
    if (block.bytes == 0) continue;
    double low = -1;
    for (const auto& [other, at] : stackAt(blocks, block.start)) {
      if (other.id == block.id) low = static_cast<double>(at);
    }
    const auto bytes = static_cast<double>(block.bytes);
    const TileQuery query{static_cast<double>(block.start),
                          static_cast<double>(block.start) + 0.9,
                          200,
                          low - bytes,
                          low + 2 * bytes,
                          100,
                          -1};
    const auto tile = stack.tile(query, {});
    const TileSpan* span = tile->at(10, low + bytes / 2);
    QVERIFY(span);
    QCOMPARE(span->id, block.id);
  }
}

void BlockStackTest::positionsDoNotDependOnZoom() {
  const auto blocks = randomBlocks(2000, 17, 3000);
  const BlockStack stack(blocks);
  const auto coarse = stack.tile(wholeOf(stack, 50, 40), {});
  TileQuery query = wholeOf(stack, 50, 4000);  // the same instants, a hundred times finer
  const auto fine = stack.tile(query, {});
  QVERIFY(fine->blocksApart > coarse->blocksApart);
  for (const TileSpan& span : coarse->spans) {
    if (span.id == TileSpan::kSmall) continue;
    const TileSpan* same = fine->at(span.firstColumn, (span.low + span.high) / 2);
    QVERIFY(same);
    QCOMPARE(same->id, span.id);
    QCOMPARE(same->low, span.low);
  }
}

void BlockStackTest::stops() {
  const BlockStack stack(randomBlocks(2000, 18, 3000));
  std::stop_source stop;
  stop.request_stop();
  QVERIFY(!stack.tile(wholeOf(stack, 100, 100), stop.get_token()));
}

void BlockStackTest::millionBlocks() {
  std::mt19937 random(20);
  std::vector<TrackBlock> blocks;
  for (int i = 0; i < 1000000; ++i) {
    const std::int64_t start = i * 2;
    const auto length = random() % 1000 == 0 ? random() % 2000000 : 1 + random() % 400;
    blocks.push_back({i, start, start + static_cast<int>(length),
                      static_cast<std::int64_t>(256 + random() % 4000) << (random() % 10),
                      static_cast<int>(random() % 5)});
  }
  QElapsedTimer timer;
  timer.start();
  const BlockStack stack(std::move(blocks));
  qInfo("index of 1 M blocks: %lld ms", timer.elapsed());
  std::vector<double> times;
  for (int i = 0; i < 24; ++i) {
    TileQuery query = wholeOf(stack, 2000, 400);
    const double size = query.end - query.begin;
    query.begin += size * 0.02 * i;
    query.end = query.begin + size * std::pow(0.6, i);
    timer.restart();
    const auto tile = stack.tile(query, {});
    times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    QVERIFY(tile && tile->blocksApart <= 4000);
  }
  std::sort(times.begin(), times.end());
  qInfo("tile of 2,000 columns: median %.1f ms, slowest %.1f ms", times[times.size() / 2],
        times.back());
  QVERIFY2(times.back() < 5000, "generous: an idle machine takes a few tens of milliseconds");
}

void BlockStackTest::pictureHasTheColours() {
  const BlockStack stack({{7, 0, 100, 1000, 0}, {8, 50, 100, 1000, 1}});
  TileQuery query{0, 100, 100, 0, 4000, 40, -1};
  const TrackTheme theme = TrackTheme::dark();
  const QList<TrackCategory> categories{{"a", QColor(200, 0, 0)}, {"b", QColor(0, 200, 0)}};
  const QImage image = paintTile(*stack.tile(query, {}), categories, theme);
  QCOMPARE(image.size(), QSize(100, 40));
  QCOMPARE(image.pixelColor(20, 35), blockColour(theme, categories[0].colour, 7));
  QCOMPARE(image.pixelColor(70, 25), blockColour(theme, categories[1].colour, 8));
  QCOMPARE(image.pixelColor(20, 10).alpha(), 0);
  QCOMPARE(image.pixelColor(70, 5).alpha(), 0);
}

void BlockStackTest::ticks() {
  QCOMPARE(byteTicks(0, 512.0 * 1024 * 1024, 4).labels,
           (QStringList{"0", "128", "256", "384", "512"}));
  QCOMPARE(byteTicks(0, 512.0 * 1024 * 1024, 4).unit, QStringLiteral("MiB"));
  QCOMPARE(byteTicks(0, 256.0 * 1024, 4).unit, QStringLiteral("KiB"));
  QCOMPARE(byteTicks(0, 256.0 * 1024, 4).labels, (QStringList{"0", "64", "128", "192", "256"}));
  QVERIFY(byteTicks(1, 1, 4).at.empty());
  QCOMPARE(timeTicks(0, 10e6, 1e6, 5).labels, (QStringList{"0", "2", "4", "6", "8", "10"}));
  QCOMPARE(timeTicks(0, 20000, 1, 2).labels, (QStringList{"0", "10\u202f000", "20\u202f000"}));
  QCOMPARE(bytesText(0), QStringLiteral("0 B"));
  QCOMPARE(bytesText(1023), QStringLiteral("1023 B"));
  QCOMPARE(bytesText(1536), QStringLiteral("1.500 KiB"));
  QCOMPARE(bytesText(412.3 * 1024 * 1024), QStringLiteral("412.3 MiB"));
  QCOMPARE(bytesText(64.0 * 1024 * 1024), QStringLiteral("64 MiB"));
  QCOMPARE(timeText(1234567, 1e6, 1000), QStringLiteral("1.235"));
}

QTEST_MAIN(BlockStackTest)
#include "block_stack_test.moc"

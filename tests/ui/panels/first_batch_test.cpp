// SPDX-License-Identifier: GPL-3.0-or-later
// The first batch as fed: numbers, pictures, order, and its rows.
#include <QAbstractItemModelTester>
#include <QTest>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/base/error.h"
#include "engine/data/loader/loader.h"
#include "ui/panels/first_batch/batch_facts.h"
#include "ui/panels/first_batch/batch_model.h"
#include "ui/panels/first_batch/chain_strip.h"
#include "ui/widgets/image_grid.h"

using namespace tenon;
using namespace tenon::ui;

namespace {

/// Ten samples [1, 1, 2] of f32 {index, -index}; the random part adds seed and epoch.
class FloatDataset final : public Dataset {
 public:
  explicit FloatDataset(bool random = false, int64_t damaged = -1)
      : random_(random), damaged_(damaged) {
    meta_.shape = Shape{1, 1, 2};
    meta_.dtype = DType::F32;
    meta_.classes = 10;
  }
  int64_t size() const override { return 10; }
  const SampleMeta& meta() const override { return meta_; }
  int64_t get(int64_t index, const SampleContext& context,
              std::span<std::byte> values) const override {
    if (index == damaged_) throw Error(Code::Input, "damaged");
    const float shift = random_ ? static_cast<float>(context.seed + 100 * context.epoch) : 0;
    const float pair[2] = {static_cast<float>(index) + shift, -static_cast<float>(index)};
    std::memcpy(values.data(), pair, sizeof(pair));
    return index;
  }
  int64_t target(int64_t index) const override { return index; }

 private:
  SampleMeta meta_;
  bool random_;
  int64_t damaged_;
};

/// 600 pictures [3, edge, edge] of u8 whose value is 2 where row + column is even, else 4.
class PictureDataset final : public Dataset {
 public:
  explicit PictureDataset(int64_t edge) {
    meta_.shape = Shape{3, edge, edge};
    meta_.dtype = DType::U8;
  }
  int64_t size() const override { return 600; }
  const SampleMeta& meta() const override { return meta_; }
  int64_t get(int64_t, const SampleContext&, std::span<std::byte> values) const override {
    const auto edge = size_t(meta_.shape[1]);
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = std::byte((i / edge + i % edge) % 2 == 0 ? 2 : 4);
    return 0;
  }
  int64_t target(int64_t) const override { return 0; }

 private:
  SampleMeta meta_;
};

BatchQuestion question(const DatasetPtr& dataset, qint64 size) {
  BatchQuestion asked;
  asked.training = dataset;
  asked.stages = {std::make_shared<FloatDataset>(), dataset};
  asked.titles = QStringList{QStringLiteral("As read"), QStringLiteral("Shift")};
  asked.batchSize = size;
  asked.seed = 7;
  return asked;
}

}  // namespace

class FirstBatchTest final : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void factsLeaveOutWhatIsNotFinite() {
    const double inf = std::numeric_limits<double>::infinity();
    const std::vector<double> numbers{1, 5, std::nan(""), 3, inf};
    const ValueFacts facts = factsOf(numbers);
    QCOMPARE(facts.count, 3);
    QCOMPARE(facts.notFinite, 2);
    QCOMPARE(facts.least, 1.0);
    QCOMPARE(facts.most, 5.0);
    QCOMPARE(facts.mean, 3.0);
    QCOMPARE(facts.deviation, std::sqrt(8.0 / 3));
    QCOMPARE(rangeText(facts), QStringLiteral("1 … 5"));
    QCOMPARE(rangeText(factsOf({})), QStringLiteral("–"));
  }

  void numbersAreReadInTheirType() {
    const std::array<std::byte, 4> bytes{std::byte(1), std::byte(0), std::byte(0), std::byte(255)};
    QCOMPARE(numbersOf(DType::U8, bytes), (std::vector<double>{1, 0, 0, 255}));
    QCOMPARE(numbersOf(DType::I8, bytes), (std::vector<double>{1, 0, 0, -1}));
    QCOMPARE(numbersOf(DType::I32, bytes), (std::vector<double>{-16777215}));
  }

  void picturesSpanTheRange() {
    const std::vector<double> numbers{-1, 0, 1, 3};
    const QImage image = pictureOf(Shape{1, 2, 2}, numbers, factsOf(numbers));
    QCOMPARE(image.size(), QSize(2, 2));
    QCOMPARE(qGray(image.pixel(0, 0)), 0);
    QCOMPARE(qGray(image.pixel(1, 0)), 64);
    QCOMPARE(qGray(image.pixel(1, 1)), 255);
    QVERIFY(pictureOf(Shape{4}, numbers, factsOf(numbers)).isNull());
    QVERIFY(pictureOf(Shape{2, 1, 2}, numbers, factsOf(numbers)).isNull());  // two channels
    QVERIFY(pictureOf(Shape{1, 3, 3}, numbers, factsOf(numbers)).isNull());  // too few numbers
  }

  void largePicturesAreMadeSmall() {
    std::vector<double> numbers(200 * 100, 1.0);
    for (int column = 0; column < 100; ++column) numbers[size_t(column)] = 0;  // the first row
    numbers[1] = std::nan("");
    const QImage image = pictureOf(Shape{1, 200, 100}, numbers, factsOf(numbers));
    QCOMPARE(image.size(), QSize(50, 100));
    QCOMPARE(qGray(image.pixel(0, 0)), 170);  // of three values, two of them white
    QCOMPARE(qGray(image.pixel(1, 0)), 128);
    QCOMPARE(qGray(image.pixel(0, 1)), 255);
    const std::vector<double> odd(145 * 3, 2.0);
    QCOMPARE(pictureOf(Shape{3, 145}, odd, {1, 3, 2, 0, 1, 0}).size(), QSize(73, 2));
    QCOMPARE(qGray(pictureOf(Shape{3, 145}, odd, {1, 3, 2, 0, 1, 0}).pixel(72, 1)), 128);
  }

  void onlyWhatIsShownIsKept() {
    BatchQuestion asked;
    asked.training = std::make_shared<PictureDataset>(144);
    asked.stages = {asked.training};
    asked.titles = QStringList{QStringLiteral("As read")};
    asked.batchSize = 400;
    const FirstBatch batch = firstBatch(asked, {});
    QCOMPARE(batch.targets.size(), size_t(400));
    QCOMPARE(batch.facts.count, qint64(400) * 3 * 144 * 144);
    QCOMPARE(batch.pictures.size(), qsizetype(kPictureBytes / (3 * 144 * 144 * sizeof(float))));
    asked.training = std::make_shared<PictureDataset>(288);
    asked.stages = {asked.training};
    asked.batchSize = 2;
    const FirstBatch large = firstBatch(asked, {});
    QCOMPARE(large.pictures.size(), 2);
    QCOMPARE(large.pictures[0].size(), QSize(144, 144));
    QCOMPARE(qRed(large.pictures[0].pixel(9, 9)), 128);  // two of 2, two of 4
    QCOMPARE(large.chain[0].picture.size(), QSize(144, 144));
  }

  void theBatchIsTheRunsFirst() {
    const auto dataset = std::make_shared<FloatDataset>(true);
    const FirstBatch batch = firstBatch(question(dataset, 4), {});
    Loader loader(dataset, LoaderOptions{4, true, false, 7, 0, 2});
    loader.start(0);
    const auto fed = loader.next();
    QVERIFY(fed.has_value());
    QCOMPARE(batch.indices, fed->indices);
    double sum = 0;
    double most = -1e9;
    for (int i = 0; i < 8; ++i) {
      sum += fed->values.data<float>()[i];
      most = std::max(most, double(fed->values.data<float>()[i]));
    }
    QCOMPARE(batch.facts.mean, sum / 8);
    QCOMPARE(batch.facts.most, most);
    QCOMPARE(batch.shape, QStringLiteral("4×1×1×2"));
    QCOMPARE(batch.dtype, QStringLiteral("f32"));
    QCOMPARE(batch.bytes, 4 * 2 * 4);
    QCOMPARE(batch.pictures.size(), 4);
    QCOMPARE(batch.chain.size(), 2);
    QCOMPARE(batch.chain[1].facts.most - batch.chain[0].facts.most, 7.0);
    QCOMPARE(batch.chain[0].shape, QStringLiteral("1×1×2 f32"));
  }

  void theDeviationOfTheWholeIsNotThatOfTheParts() {
    const FirstBatch batch = firstBatch(question(std::make_shared<FloatDataset>(), 10), {});
    std::vector<double> all;
    for (int i = 0; i < 10; ++i) {
      all.push_back(i);
      all.push_back(-i);
    }
    QVERIFY(std::abs(batch.facts.deviation - factsOf(all).deviation) < 1e-12);
  }

  void aBatchLargerThanTheDataIsAllOfIt() {
    QCOMPARE(firstBatch(question(std::make_shared<FloatDataset>(), 64), {}).indices.size(),
             size_t(10));
  }

  void damageAndStopsAreHeard() {
    const auto damaged = std::make_shared<FloatDataset>(false, 3);
    QVERIFY_EXCEPTION_THROWN((void)firstBatch(question(damaged, 10), {}), Error);
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(firstBatch(question(damaged, 10), stop.get_token()).pictures.size(), 0);
  }

  void rowsAreSamplesWithTheirClass() {
    BatchModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setBatch(firstBatch(question(std::make_shared<FloatDataset>(), 3), {}),
                   {QStringLiteral("zero"), QStringLiteral("one")});
    QCOMPARE(model.rowCount(), 3);
    for (int row = 0; row < 3; ++row) {
      const int64_t target = model.batch().targets[size_t(row)];
      const QString name = target == 0   ? QStringLiteral("zero")
                           : target == 1 ? QStringLiteral("one")
                                         : QString::number(target);
      QCOMPARE(model.index(row).data(ImageGrid::kChipTextRole).toString(), name);
      QVERIFY(model.index(row).data(Qt::DecorationRole).canConvert<QImage>());
    }
  }
};

QTEST_MAIN(FirstBatchTest)
#include "first_batch_test.moc"

// SPDX-License-Identifier: Apache-2.0
// What the tests of convolution kernels do with a case, through the public operators alone.
#include "tests/engine/ops/conv2d_cases.h"

#include <gtest/gtest.h>

#include "engine/backend/cpu/wide.h"
#include "tests/support/threads_guard.h"

namespace tenon::test {

std::string ConvCase::text() const {
  std::string all = std::string(why) + " x " + toString(x) + ", w " + toString(w) + ", stride " +
                    std::to_string(params.stride[0]) + "," + std::to_string(params.stride[1]) +
                    ", padding " + std::to_string(params.padding[0]) + "," +
                    std::to_string(params.padding[1]);
  if (!bias) all += ", no bias";
  return all;
}

Tensor randomNumbers(const Shape& shape, uint64_t seed, DType dtype) {
  return converted(converted(makeInput({shape}, seed), DType::F32), dtype);
}

std::vector<Tensor> convolveAll(const ConvCase& c, DType dtype) {
  const Tensor x = randomNumbers(c.x, 1, dtype), w = randomNumbers(c.w, 2, dtype);
  const Tensor b = c.bias ? randomNumbers({c.w[0]}, 3, dtype) : Tensor();
  const Tensor y = conv2d(x, w, b, c.params);
  const Tensor dy = randomNumbers(y.shape(), 4, dtype);
  const auto [dw, db] = conv2dBackwardWeight(dy, x, {c.params, {c.w[2], c.w[3]}, c.bias ? 1 : 0});
  return {y, conv2dBackwardData(dy, w, c.params, c.x[2], c.x[3]), dw, db};
}

std::vector<std::byte> bitsOf(const ConvCase& c) {
  std::vector<std::byte> bits;
  for (const Tensor& result : convolveAll(c, DType::F32)) {
    const std::vector<std::byte> more = result.toBytes();
    bits.insert(bits.end(), more.begin(), more.end());
  }
  return bits;
}

void expectNear(const ConvCase& c, const std::vector<Tensor>& fast,
                const std::vector<Tensor>& exact, double unit) {
  SCOPED_TRACE(c.text());
  const int64_t taps = c.w[2] * c.w[3], pixels = c.x[0] * c.x[2] * c.x[3];
  const int64_t terms[] = {taps * c.w[1], taps * c.w[0], pixels, pixels};
  for (size_t i = 0; i < fast.size(); ++i)
    EXPECT_TRUE(near(fast[i], exact[i], {1e-5, unit * static_cast<double>(terms[i])}))
        << "result " << i;
}

void expectSameBitsForAnyTeam(const ConvCase& c) {
  SCOPED_TRACE(c.text());
  std::vector<std::byte> bits;
  for (const int threads : {1, 2, 3, 7}) {
    const FixedCompute fixed(threads, false);
    const std::vector<std::byte> now = bitsOf(c);
    if (threads == 1) bits = now;
    EXPECT_EQ(now, bits) << threads << " threads";
  }
}

void expectSameBitsForAnyWidth(const ConvCase& c) {
  SCOPED_TRACE(c.text());
  struct Restore {
    bool wide = cpu::wide::available();
    ~Restore() { cpu::wide::allow(wide); }
  } const restore;
  const std::vector<std::byte> bits = bitsOf(c);
  cpu::wide::allow(false);
  EXPECT_EQ(bitsOf(c), bits);
}

void expectOthers(const ConvCase& c, const char* kernel) {
  SCOPED_TRACE(c.text());
  KernelLog log;
  convolveAll(c, DType::F32);
  for (const char* op : kConvOps) EXPECT_NE(log.last(op), kernel) << op;
}

}  // namespace tenon::test

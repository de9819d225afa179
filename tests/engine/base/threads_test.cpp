// SPDX-License-Identifier: Apache-2.0
// The queue and the pool: order, blocking, stopping, errors.
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "engine/base/bounded_queue.h"
#include "engine/base/error.h"
#include "engine/base/thread_pool.h"

namespace tenon {
namespace {

using namespace std::chrono_literals;

TEST(BoundedQueue, KeepsTheOrderAndItsCapacity) {
  BoundedQueue<int> queue(2);
  EXPECT_TRUE(queue.tryPush(1));
  EXPECT_TRUE(queue.tryPush(2));
  EXPECT_FALSE(queue.tryPush(3));
  EXPECT_EQ(queue.size(), 2U);
  EXPECT_EQ(queue.pop(), 1);
  EXPECT_EQ(queue.tryPop(), 2);
  EXPECT_EQ(queue.tryPop(), std::nullopt);
  EXPECT_EQ(BoundedQueue<int>(0).capacity(), 1U);
}

TEST(BoundedQueue, ARefusedItemIsUntouched) {
  BoundedQueue<std::unique_ptr<int>> queue(1);
  queue.push(std::make_unique<int>(1));
  auto item = std::make_unique<int>(2);
  EXPECT_FALSE(queue.tryPush(std::move(item)));
  ASSERT_NE(item, nullptr);  // NOLINT(bugprone-use-after-move): documented
  queue.close();
  EXPECT_FALSE(queue.push(std::move(item)));
  EXPECT_EQ(*item, 2);
}

TEST(BoundedQueue, CloseWakesAndLetsTheRestOut) {
  BoundedQueue<int> queue(1);
  queue.push(1);
  std::thread pusher([&queue] { EXPECT_FALSE(queue.push(2)); });
  std::this_thread::sleep_for(5ms);
  queue.close();
  pusher.join();
  EXPECT_TRUE(queue.closed());
  EXPECT_EQ(queue.pop(), 1);
  EXPECT_EQ(queue.pop(), std::nullopt);
}

TEST(BoundedQueue, StopTokenWakesBothSides) {
  BoundedQueue<int> full(1);
  full.push(1);
  BoundedQueue<int> empty(1);
  std::stop_source stop;
  std::thread pusher([&] { EXPECT_FALSE(full.push(2, stop.get_token())); });
  std::thread popper([&] { EXPECT_EQ(empty.pop(stop.get_token()), std::nullopt); });
  std::this_thread::sleep_for(5ms);
  stop.request_stop();
  pusher.join();
  popper.join();
  EXPECT_EQ(full.pop(stop.get_token()), 1);  // what is inside still comes out
}

TEST(BoundedQueue, ManyThreadsLoseAndDoubleNothing) {
  BoundedQueue<int> queue(3);
  std::atomic<long> sum = 0;
  std::atomic<int> count = 0;
  std::vector<std::thread> consumers;
  for (int t = 0; t < 3; ++t)
    consumers.emplace_back([&] {
      while (auto item = queue.pop()) {
        sum += *item;
        ++count;
      }
    });
  std::vector<std::thread> producers;
  for (int t = 0; t < 3; ++t)
    producers.emplace_back([&queue, t] {
      for (int i = 0; i < 2000; ++i) queue.push(t * 2000 + i);
    });
  for (std::thread& thread : producers) thread.join();
  queue.close();
  for (std::thread& thread : consumers) thread.join();
  EXPECT_EQ(count, 6000);
  EXPECT_EQ(sum, 6000L * 5999 / 2);
}

TEST(ThreadPool, ReturnsResultsAndErrors) {
  ThreadPool pool(2, "tenon-test");
  EXPECT_EQ(pool.threads(), 2U);
  std::vector<std::future<int>> results;
  for (int i = 0; i < 100; ++i) results.push_back(pool.submit([i] { return i * i; }));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(results[static_cast<size_t>(i)].get(), i * i);
  std::future<void> failing = pool.submit([] { throw Error(Code::Io, "disk gone"); });
  try {
    failing.get();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::Io);
  }
  auto owner = std::make_unique<int>(7);
  EXPECT_EQ(pool.submit([owner = std::move(owner)] { return *owner; }).get(), 7);
  std::string name = pool.submit([] {
                           char text[16];
                           pthread_getname_np(pthread_self(), text, sizeof text);
                           return std::string(text);
                         })
                         .get();
  EXPECT_EQ(name, "tenon-test");
}

TEST(ThreadPool, OneThreadKeepsTheOrder) {
  std::vector<int> order;
  ThreadPool pool(0, "a-name-that-is-too-long-for-the-system");
  EXPECT_EQ(pool.threads(), 1U);
  for (int i = 0; i < 50; ++i) pool.submit([&order, i] { order.push_back(i); });
  pool.submit([] {}).get();
  std::vector<int> wanted(50);
  std::iota(wanted.begin(), wanted.end(), 0);
  EXPECT_EQ(order, wanted);
}

TEST(ThreadPool, StopReachesTheRunningTaskAndDropsTheWaiting) {
  ThreadPool pool(1, "tenon-test");
  std::promise<void> started;
  std::future<bool> running = pool.submit([&started](std::stop_token stop) {
    started.set_value();
    while (!stop.stop_requested()) std::this_thread::sleep_for(1ms);
    return true;
  });
  started.get_future().get();
  std::atomic<bool> ran = false;
  std::future<void> waiting = pool.submit([&ran] { ran = true; });
  EXPECT_EQ(pool.waiting(), 1U);
  pool.stop();
  EXPECT_TRUE(running.get());
  EXPECT_THROW(waiting.get(), std::future_error);
  EXPECT_FALSE(ran);
  EXPECT_THROW(pool.submit([] {}).get(), std::future_error);
  pool.stop();  // again does nothing
}

}  // namespace
}  // namespace tenon

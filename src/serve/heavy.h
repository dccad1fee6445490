// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Requests that compute for long: at most two run at a time, so that tiles are still answered.
#pragma once

#include <semaphore>

namespace sextant::serve {

class HeavyWork {
 public:
  HeavyWork() { places().acquire(); }
  ~HeavyWork() { places().release(); }
  HeavyWork(const HeavyWork&) = delete;
  HeavyWork& operator=(const HeavyWork&) = delete;

 private:
  static constexpr int kAtATime = 2;
  static std::counting_semaphore<kAtATime>& places() {
    static std::counting_semaphore<kAtATime> all(kAtATime);
    return all;
  }
};

}  // namespace sextant::serve

// Results as one number, so that threads can compare theirs bit by bit.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "bisector/evaluate.h"
#include "bisector/explain.h"
#include "bisector/matrix.h"
#include "bisector/network.h"
#include "bisector/predict.h"

namespace bisector::threads {

/// FNV-1a over the words of what it is given, in order.
class Digest {
 public:
  Digest& add(std::uint64_t word) {
    value_ = (value_ ^ word) * 0x100000001b3u;
    value_ ^= value_ >> 29;
    return *this;
  }
  Digest& add(double number) { return add(std::bit_cast<std::uint64_t>(number)); }
  Digest& add(const std::string& text) {
    for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
    return add(static_cast<std::uint64_t>(text.size()));
  }
  template <class T>
  Digest& add(const std::vector<T>& values) {
    for (const auto& value : values) add(value);
    return add(static_cast<std::uint64_t>(values.size()));
  }
  Digest& add(const std::vector<bool>& values) {
    for (const bool value : values) add(static_cast<std::uint64_t>(value));
    return *this;
  }
  Digest& add(const Matrix& matrix) { return add(matrix.values()); }
  Digest& add(const Explanation& e) {
    add(e.relevance).add(e.g).add(e.decision).add(e.value);
    return add(e.prediction).add(e.positive).add(e.negative).add(e.tie);
  }
  Digest& add(const Predictions& p) { return add(p.decisions).add(p.classes); }
  Digest& add(const Evidence& e) { return add(e.weight).add(e.activation).add(e.relevance); }
  Digest& add(const Network& n) {
    return add(n.detection).add(n.hidden).add(n.g).add(n.positive_weights).add(n.negative_weights);
  }
  Digest& add(const PixelFlippingResult& r) { return add(r.aufc).add(r.curves).add(r.mean_curve); }

  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace bisector::threads

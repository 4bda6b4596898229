// Objects that are made once per pair of classes, on first use: a model of many classes has many
// pairs, of which a file of data needs few.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "bisector/model.h"

namespace bisector::detail {

template <class T>
class PairCache {
 public:
  /// The T of a pair; make(pair) returns it as a std::unique_ptr. The reference is valid as long as
  /// this object.
  template <class Make>
  const T& get(Model::ClassPair pair, const Make& make) const {
    const std::lock_guard lock(mutex_);
    auto& made = made_[{pair.positive, pair.negative}];
    if (!made) made = make(pair);
    return *made;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::map<std::pair<std::size_t, std::size_t>, std::unique_ptr<const T>> made_;
};

}  // namespace bisector::detail

// What the library uses of C++20 and emscripten's standard library does not have yet (3.1.6 carries
// libc++ 13). Included in front of every source of the engine; newer ones need none of it.
#pragma once

#include <version>
#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 15000

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <string>

namespace std {

/// As far as cells of a table need it.
inline from_chars_result from_chars(const char* first, const char* last, double& value) {
  const string text(first, last);
  char* end = nullptr;
  value = strtod(text.c_str(), &end);
  if (end == text.c_str()) return {first, errc::invalid_argument};
  return {first + (end - text.c_str()), errc()};
}

/// There are no threads in a page: what a thread would do is done at once.
class jthread {
 public:
  template <class Work>
  explicit jthread(Work&& work) {
    work();
  }
};

namespace ranges {

template <class Range, class Output>
void copy(Range&& range, Output output) {
  std::copy(std::begin(range), std::end(range), output);
}

template <class Range, class Output>
void move(Range&& range, Output output) {
  std::move(std::begin(range), std::end(range), output);
}

/// The repeated elements at the end.
template <class Iterator>
class Repeated {
 public:
  Repeated(Iterator first, Iterator last) : first_(first), last_(last) {}
  Iterator begin() const { return first_; }
  Iterator end() const { return last_; }

 private:
  Iterator first_, last_;
};

template <class Range>
auto unique(Range&& range) {
  return Repeated(std::unique(std::begin(range), std::end(range)), std::end(range));
}

template <class Range, class Output, class Operation>
void transform(Range&& range, Output output, Operation operation) {
  std::transform(std::begin(range), std::end(range), output, operation);
}

template <class First, class Second, class Output, class Operation>
void transform(First&& first, Second&& second, Output output, Operation operation) {
  std::transform(std::begin(first), std::end(first), std::begin(second), output, operation);
}

template <class Range, class Value>
void fill(Range&& range, const Value& value) {
  std::fill(std::begin(range), std::end(range), value);
}

template <class First, class Second, class Equal = std::equal_to<>,
          class FirstProjection = std::identity, class SecondProjection = std::identity>
bool equal(First&& first, Second&& second, Equal is_equal = {}, FirstProjection of_first = {},
           SecondProjection of_second = {}) {
  return std::equal(std::begin(first), std::end(first), std::begin(second), std::end(second),
                    [&](const auto& a, const auto& b) {
                      return std::invoke(is_equal, std::invoke(of_first, a),
                                         std::invoke(of_second, b));
                    });
}

template <class Range, class Value>
auto find(Range&& range, const Value& value) {
  return std::find(std::begin(range), std::end(range), value);
}

template <class Range, class Value, class Projection>
auto find(Range&& range, const Value& value, Projection projection) {
  return std::find_if(std::begin(range), std::end(range), [&](const auto& element) {
    return std::invoke(projection, element) == value;
  });
}

template <class Range, class Predicate>
auto adjacent_find(Range&& range, Predicate predicate) {
  return std::adjacent_find(std::begin(range), std::end(range), predicate);
}

template <class Range, class Predicate>
auto find_if(Range&& range, Predicate predicate) {
  return std::find_if(std::begin(range), std::end(range), predicate);
}

template <class Range, class Predicate>
bool any_of(Range&& range, Predicate predicate) {
  return std::any_of(std::begin(range), std::end(range), predicate);
}

template <class Range, class Predicate>
bool all_of(Range&& range, Predicate predicate) {
  return std::all_of(std::begin(range), std::end(range), predicate);
}

template <class Range, class Value>
auto count(Range&& range, const Value& value) {
  return std::count(std::begin(range), std::end(range), value);
}

template <class Range, class Predicate>
auto count_if(Range&& range, Predicate predicate) {
  return std::count_if(std::begin(range), std::end(range), predicate);
}

template <class Range>
void reverse(Range&& range) {
  std::reverse(std::begin(range), std::end(range));
}

template <class Range, class Less = std::less<>, class Projection = std::identity>
void sort(Range&& range, Less is_less = {}, Projection projection = {}) {
  std::sort(std::begin(range), std::end(range), [&](const auto& a, const auto& b) {
    return std::invoke(is_less, std::invoke(projection, a), std::invoke(projection, b));
  });
}

template <class Range, class Less = std::less<>, class Projection = std::identity>
void stable_sort(Range&& range, Less is_less = {}, Projection projection = {}) {
  std::stable_sort(std::begin(range), std::end(range), [&](const auto& a, const auto& b) {
    return std::invoke(is_less, std::invoke(projection, a), std::invoke(projection, b));
  });
}

template <class Range>
auto minmax(Range&& range) {
  const auto [least, most] = std::minmax_element(std::begin(range), std::end(range));
  return std::pair(*least, *most);
}

template <class Range, class Less = std::less<>, class Projection = std::identity>
auto max_element(Range&& range, Less is_less = {}, Projection projection = {}) {
  return std::max_element(std::begin(range), std::end(range), [&](const auto& a, const auto& b) {
    return std::invoke(is_less, std::invoke(projection, a), std::invoke(projection, b));
  });
}

template <class Range, class Less = std::less<>, class Projection = std::identity>
auto min_element(Range&& range, Less is_less = {}, Projection projection = {}) {
  return std::min_element(std::begin(range), std::end(range), [&](const auto& a, const auto& b) {
    return std::invoke(is_less, std::invoke(projection, a), std::invoke(projection, b));
  });
}

}  // namespace ranges
}  // namespace std

#endif

#include "io/libsvm/libsvm_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>

#include "io/text/cells.h"
#include "io/text/text_input.h"

namespace bisector::io {
namespace {

constexpr std::array<std::string_view, 14> kKeywords = {
    "svm_type", "kernel_type",        "degree", "gamma", "coef0",
    "nr_class", "total_sv",           "rho",    "label", "probA",
    "probB",    "prob_density_marks", "nr_sv",  "SV"};

// The number of density marks in one-class models with probability estimates (newer LIBSVM).
constexpr std::size_t kDensityMarks = 10;

struct SvmType {
  std::string_view name;
  LibsvmHeader::Kind kind;
};

constexpr std::array<SvmType, 5> kSvmTypes = {{{"c_svc", LibsvmHeader::Kind::classifier},
                                               {"nu_svc", LibsvmHeader::Kind::classifier},
                                               {"one_class", LibsvmHeader::Kind::one_class},
                                               {"epsilon_svr", LibsvmHeader::Kind::regressor},
                                               {"nu_svr", LibsvmHeader::Kind::regressor}}};

/// The lines of the head, not yet parsed: keyword, values and line number.
class Fields {
 public:
  explicit Fields(TextLines& lines) : lines_(lines) {}

  /// Collects lines up to "SV".
  void collect() {
    while (lines_.next()) {
      std::string_view rest = lines_.text();
      const std::string keyword(take_word(rest));
      if (keyword.empty()) continue;
      add(keyword, rest);
      if (keyword == "SV") return;
    }
    lines_.fail(fmt::format("the file ends before SV{}", fields_.empty() ? ": it is empty" : ""));
  }

  bool has(const std::string& keyword) const { return fields_.contains(keyword); }
  std::size_t line(const std::string& keyword) const { return get(keyword).line; }

  /// The only value of a required keyword.
  const std::string& word(const std::string& keyword) const {
    const Field& field = get(keyword);
    require_count(keyword, field, 1, "");
    return field.values.front();
  }

  double number(const std::string& keyword) const { return numbers(keyword, 1, "").front(); }

  std::vector<double> numbers(const std::string& keyword, std::size_t count,
                              std::string_view reason) const {
    const Field& field = get(keyword);
    require_count(keyword, field, count, reason);
    std::vector<double> numbers;
    for (const auto& word : field.values) {
      const auto number = parse_finite(word);
      if (!number) fail_value(keyword, word, "a finite number");
      numbers.push_back(*number);
    }
    return numbers;
  }

  template <class Integer>
  std::vector<Integer> integers(const std::string& keyword, std::size_t count,
                                std::string_view reason) const {
    const Field& field = get(keyword);
    require_count(keyword, field, count, reason);
    std::vector<Integer> numbers;
    for (const auto& word : field.values) {
      const auto number = parse_integer<Integer>(word);
      if (!number)
        fail_value(keyword, word,
                   fmt::format("a whole number from {} to {}", std::numeric_limits<Integer>::min(),
                               std::numeric_limits<Integer>::max()));
      numbers.push_back(*number);
    }
    return numbers;
  }

  [[noreturn]] void fail_value(const std::string& keyword, std::string_view value,
                               std::string_view expected) const {
    lines_.fail_at(line(keyword),
                   fmt::format("{} is {}, expected {}", keyword, shown(value), expected));
  }

  [[noreturn]] void fail(const std::string& keyword, std::string_view problem) const {
    lines_.fail_at(line(keyword), problem);
  }

 private:
  struct Field {
    std::size_t line;
    std::vector<std::string> values;
  };

  void add(const std::string& keyword, std::string_view rest) {
    if (!is_libsvm_keyword(keyword))
      lines_.fail(fmt::format("unknown keyword {}, expected one of {}", shown(keyword),
                              fmt::join(kKeywords, ", ")));
    const auto [place, is_new] = fields_.try_emplace(keyword, Field{lines_.number(), {}});
    if (!is_new)
      lines_.fail(
          fmt::format("{} occurs twice, the first time on line {}", keyword, place->second.line));
    for (auto word = take_word(rest); !word.empty(); word = take_word(rest))
      place->second.values.emplace_back(word);
  }

  const Field& get(const std::string& keyword) const {
    const auto place = fields_.find(keyword);
    if (place == fields_.end())
      lines_.fail(fmt::format("{} is missing, expected it before SV", keyword));
    return place->second;
  }

  void require_count(const std::string& keyword, const Field& field, std::size_t count,
                     std::string_view reason) const {
    if (field.values.size() != count)
      lines_.fail_at(field.line,
                     fmt::format("{} has {} value{}, expected {}{}", keyword, field.values.size(),
                                 field.values.size() == 1 ? "" : "s", count, reason));
  }

  TextLines& lines_;
  std::map<std::string, Field> fields_;
};

LibsvmHeader::Kind svm_kind(const Fields& fields) {
  const auto& name = fields.word("svm_type");
  const auto* type = std::ranges::find(kSvmTypes, name, &SvmType::name);
  if (type == kSvmTypes.end())
    fields.fail_value("svm_type", name, "c_svc, nu_svc, one_class, epsilon_svr or nu_svr");
  return type->kind;
}

double gamma(const Fields& fields) {
  const double value = fields.number("gamma");
  if (!(value > 0.0)) fields.fail("gamma", fmt::format("gamma is {}, expected above 0", value));
  return value;
}

/// Whole numbers, as in LIBSVM.
double degree(const Fields& fields) {
  const auto value = fields.integers<std::uint32_t>("degree", 1, "").front();
  if (value < 1 || value > 100)
    fields.fail("degree", fmt::format("degree is {}, expected from 1 to 100", value));
  return value;
}

Kernel kernel(const Fields& fields) {
  const auto& type = fields.word("kernel_type");
  if (type == "rbf") return Kernel(gamma(fields));
  if (type == "linear") return Kernel(KernelTerm{KernelForm::polynomial});
  if (type == "polynomial")
    return Kernel(KernelTerm{KernelForm::polynomial, gamma(fields), degree(fields), 1.0,
                             fields.number("coef0")});
  if (type == "sigmoid")
    return Kernel(KernelTerm{KernelForm::sigmoid, gamma(fields), 1.0, 1.0, fields.number("coef0")});
  fields.fail_value("kernel_type", type, "rbf, linear, polynomial or sigmoid");
}

std::size_t class_count(const Fields& fields, LibsvmHeader::Kind kind) {
  // 32 bits, so that the number of pairs of classes fits into 64.
  const std::uint32_t classes = fields.integers<std::uint32_t>("nr_class", 1, "").front();
  if (classes < 2)
    fields.fail("nr_class", fmt::format("nr_class is {}, expected at least 2", classes));
  if (kind != LibsvmHeader::Kind::classifier && classes != 2)
    fields.fail("nr_class", fmt::format("nr_class is {}, expected 2, as {} models have it", classes,
                                        fields.word("svm_type")));
  return classes;
}

std::size_t total_sv(const Fields& fields) {
  const auto total = fields.integers<std::uint64_t>("total_sv", 1, "").front();
  if (total == 0) fields.fail("total_sv", "total_sv is 0, expected at least one support vector");
  return total;
}

void read_classes(const Fields& fields, LibsvmHeader& header) {
  const std::string reason = fmt::format(": nr_class is {}", header.classes);
  for (const auto label : fields.integers<std::int32_t>("label", header.classes, reason))
    header.labels.push_back(fmt::format("{}", label));
  // 32 bits each, so that their sum cannot overflow.
  for (const auto count : fields.integers<std::uint32_t>("nr_sv", header.classes, reason))
    header.nr_sv.push_back(count);
  const auto sum = std::accumulate(header.nr_sv.begin(), header.nr_sv.end(), std::size_t{0});
  if (sum != header.total_sv)
    fields.fail("nr_sv", fmt::format("nr_sv adds up to {}, expected {}, which is total_sv", sum,
                                     header.total_sv));
}

void require_no_classes(const Fields& fields) {
  for (const char* keyword : {"label", "nr_sv"}) {
    if (fields.has(keyword))
      fields.fail(keyword, fmt::format("{} does not belong to {} models, which have no classes",
                                       keyword, fields.word("svm_type")));
  }
}

// Unused entries must be well-formed too: a malformed line means a damaged file.
void check_unused(const Fields& fields, std::size_t machines, std::string_view reason) {
  for (const char* keyword : {"degree", "gamma", "coef0"}) {
    if (fields.has(keyword)) fields.number(keyword);
  }
  for (const char* keyword : {"probA", "probB"}) {
    if (fields.has(keyword)) fields.numbers(keyword, machines, reason);
  }
  if (fields.has("prob_density_marks")) fields.numbers("prob_density_marks", kDensityMarks, "");
  fields.numbers("SV", 0, ": support vectors start on the next line");
}

}  // namespace

bool is_libsvm_keyword(std::string_view word) {
  return std::ranges::find(kKeywords, word) != kKeywords.end();
}

LibsvmHeader read_libsvm_header(TextLines& lines) {
  Fields fields(lines);
  fields.collect();
  LibsvmHeader header{};
  header.sv_line = lines.number();
  header.kind = svm_kind(fields);
  header.kernel = kernel(fields);
  header.classes = class_count(fields, header.kind);
  header.total_sv = total_sv(fields);
  const std::size_t machines = header.classes * (header.classes - 1) / 2;
  const std::string reason = fmt::format(": nr_class is {}", header.classes);
  header.rho = fields.numbers("rho", machines, reason);
  if (header.kind == LibsvmHeader::Kind::classifier)
    read_classes(fields, header);
  else
    require_no_classes(fields);
  check_unused(fields, machines, reason);
  const bool has_probabilities =
      header.kind == LibsvmHeader::Kind::classifier && fields.has("probA") && fields.has("probB");
  if (has_probabilities) {
    header.prob_a = fields.numbers("probA", machines, reason);
    header.prob_b = fields.numbers("probB", machines, reason);
  }
  return header;
}

}  // namespace bisector::io

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "arrays.h"
#include "bindings.h"
#include "bisector/explain.h"
#include "bisector/notes.h"
#include "bisector/outside.h"
#include "progress.h"

namespace bisector::python {
namespace {

using namespace nb::literals;

/// Fields of one type for all rows. They share one array, because making an array can take longer
/// than explaining a row.
template <class T>
class Fields {
 public:
  Fields(std::vector<const char*> names, std::size_t rows)
      : names_(std::move(names)), rows_(rows), values_(names_.size() * rows) {}

  /// Sets some rows, of which `first` is the first one, of the next field; after the last one, of
  /// the first one.
  template <class Values>
  void set(std::size_t first, const Values& values) {
    std::ranges::transform(values, values_.data() + next_ * rows_ + first,
                           [](auto value) { return static_cast<T>(value); });
    next_ = (next_ + 1) % names_.size();
  }

  void release(nb::dict& result) {
    if (names_.empty()) return;
    using Table = nb::ndarray<nb::numpy, T, nb::ndim<2>>;
    const nb::object all = nb::cast(values_.template release<Table>({names_.size(), rows_}));
    for (std::size_t n = 0; n < names_.size(); ++n) result[names_[n]] = all[n];
  }

 private:
  std::vector<const char*> names_;
  std::size_t rows_, next_ = 0;
  Buffer<T> values_;
};

using Names = std::vector<const char*>;

/// The keys of the fields of one type that a kind of model has.
template <class T>
Names keys(bool is_regressor, Names names = {}) {
  Explanation::columns([&](const ResultColumn& column, auto member) {
    if constexpr (std::is_same_v<decltype(member), std::vector<T> Explanation::*>)
      if (column.is_of(is_regressor)) names.push_back(column.key.data());
  });
  return names;
}

template <class Explained>
std::vector<bool> unexplained_rows(const Explained& explanation) {
  std::vector<bool> flags;
  for (std::size_t r = 0; r < explanation.tie.size(); ++r)
    flags.push_back(is_unexplained(explanation, r));
  return flags;
}

/// An Explanation of all rows, filled part by part; Index is large enough for the classes.
template <class Index>
class Collected {
 public:
  Collected(std::size_t rows, std::size_t features, bool regressor, bool has_errors)
      : rows_(rows),
        features_(features),
        is_regressor_(regressor),
        has_errors_(has_errors),
        relevance_(rows * features),
        standard_error_(has_errors ? rows * features : 0),
        numbers_(keys<double>(regressor), rows),
        classes_(keys<std::size_t>(regressor), rows),
        flags_(keys<bool>(regressor, {"unexplained"}), rows) {}

  void add(std::size_t first, const Explanation& part) {
    std::ranges::copy(part.relevance.values(), relevance_.data() + first * features_);
    std::ranges::copy(part.standard_error.values(), standard_error_.data() + first * features_);
    flags_.set(first, unexplained_rows(part));
    Explanation::columns([&](const ResultColumn& column, auto member) {
      if (column.is_of(is_regressor_)) set(first, part.*member);
    });
  }

  nb::dict release() {
    nb::dict result;
    result["relevance"] = relevance_.template release<Array2>({rows_, features_});
    if (has_errors_)
      result["standard_error"] = standard_error_.template release<Array2>({rows_, features_});
    numbers_.release(result);
    classes_.release(result);
    flags_.release(result);
    return result;
  }

 private:
  void set(std::size_t first, const std::vector<double>& values) { numbers_.set(first, values); }
  void set(std::size_t first, const std::vector<std::size_t>& values) {
    classes_.set(first, values);
  }
  void set(std::size_t first, const std::vector<bool>& values) { flags_.set(first, values); }
  void set(std::size_t, const Matrix&) {}  // has its own array

  std::size_t rows_, features_;
  bool is_regressor_, has_errors_;
  Buffer<double> relevance_, standard_error_;
  Fields<double> numbers_;
  Fields<Index> classes_;
  Fields<bool> flags_;
};

/// The columns of ClassExplanations for all rows, filled part by part.
class CollectedClasses {
 public:
  CollectedClasses(std::size_t rows, std::size_t features, std::size_t classes)
      : rows_(rows),
        features_(features),
        classes_(classes),
        relevance_(rows * features * classes),
        base_(rows * classes),
        output_(rows * classes),
        remainder_(rows * classes),
        stretch_(rows),
        flags_({"tie", "outside", "unexplained", "alike"}, rows) {}

  void add(std::size_t first, const ClassExplanations& part) {
    for (const auto& flags : {part.tie, part.outside, unexplained_rows(part), part.alike})
      flags_.set(first, flags);
    std::ranges::copy(part.stretch, stretch_.data() + first);
    for (std::size_t r = 0; r < part.output.rows(); ++r) {
      const std::size_t row = first + r;
      for (std::size_t c = 0; c < classes_; ++c) {
        for (std::size_t d = 0; d < features_; ++d)
          relevance_.data()[(row * features_ + d) * classes_ + c] = part.relevance[c](r, d);
        base_.data()[row * classes_ + c] = part.base[c];
        output_.data()[row * classes_ + c] = part.output(r, c);
        remainder_.data()[row * classes_ + c] = part.remainder(r, c);
      }
    }
  }

  nb::dict release() {
    using Array3 = nb::ndarray<nb::numpy, double, nb::ndim<3>>;
    nb::dict result;
    result["relevance"] = relevance_.release<Array3>({rows_, features_, classes_});
    result["base"] = base_.release<Array2>({rows_, classes_});
    result["output"] = output_.release<Array2>({rows_, classes_});
    result["remainder"] = remainder_.release<Array2>({rows_, classes_});
    result["stretch"] = stretch_.release<nb::ndarray<nb::numpy, double, nb::ndim<1>>>({rows_});
    flags_.release(result);
    return result;
  }

 private:
  std::size_t rows_, features_, classes_;
  Buffer<double> relevance_, base_, output_, remainder_, stretch_;
  Fields<bool> flags_;
};

bool has_neighborhood(const Explainer& explainer) {
  const MethodParameters& parameters = explainer.settings().parameters;
  const auto share = parameters.find("neighborhood");
  return std::holds_alternative<NeighborhoodRule>(explainer.method()) ||
         (share != parameters.end() && share->second != ParameterValue(0.0));
}

/// A number of rows that takes well under a second, before anything is measured.
std::size_t first_part(const Model& model, const Explainer& explainer) {
  const auto features = static_cast<double>(model.model_features());
  double operations = explainer.settings().cost * (features + 8);
  // The neighborhood rule compares with at most 2,000 rows and sorts them.
  if (has_neighborhood(explainer)) operations += 2000.0 * (features + 100.0);
  return static_cast<std::size_t>(std::clamp(5e8 / operations, 1.0, 65536.0));
}

/// A model of very many points is read once per tile of rows, not once per row.
std::size_t least_part(const Model& model) {
  constexpr std::size_t kManyNumbers = 100'000'000, kTile = 128;
  return model.shared_points().rows() * model.model_features() > kManyNumbers ? kTile : 1;
}

/// An Explainer that takes and gives arrays, in parts between which Python may interrupt.
class ArrayExplainer {
 public:
  ArrayExplainer(const Model& model, const Method& method, const ExplainOptions& options)
      : explainer_(model, method, options),
        features_(model.features()),
        labels_(model.labels().size()),
        regressor_(model.is_regressor()),
        has_errors_(explainer_(Matrix(0, features_)).standard_error.cols() > 0),
        first_part_(first_part(model, explainer_)),
        least_part_(least_part(model)) {}

  /// The points that vote in each row; see Explainer.
  using Voters = std::vector<std::vector<std::size_t>>;

  nb::dict explain(const Rows& rows, const ProgressCallback& progress, std::size_t first_row,
                   const Voters& voters) {
    constexpr auto kFew = static_cast<std::size_t>(std::numeric_limits<std::int16_t>::max());
    if (labels_ <= kFew) return explain_as<std::int16_t>(rows, progress, first_row, voters);
    return explain_as<std::int32_t>(rows, progress, first_row, voters);
  }

  nb::dict all_classes(const Rows& rows, const ProgressCallback& progress, std::size_t first_row,
                       const Voters& voters) {
    RowParts parts(rows);
    CollectedClasses collected(parts.rows(), features_, labels_);
    if (parts.rows() == 0) explainer_.all_classes(parts.all());  // refuses what rows would refuse
    const std::size_t classes = std::max<std::size_t>(labels_, 1);
    const std::size_t first_part = std::max<std::size_t>(first_part_ / classes, 1);
    fill(collected, parts, progress, {first_part, most_rows() / classes + 1, least_part_},
         [&](MatrixView<const double> part, std::size_t first) {
           return explainer_.all_classes(part, first_row + first, of_part(voters, first, part));
         });
    return collected.release();
  }

  /// g and its gradient, each row for its own pair of classes.
  nb::tuple gradients(const Rows& rows, const Indices& positive, const Indices& negative) const {
    RowParts parts(rows);
    const auto all = parts.all();
    const std::vector<std::size_t> first = indices(positive), second = indices(negative);
    if (first.size() != second.size())
      throw InvalidInput("positive and negative classes of different rows");
    std::vector<Model::ClassPair> pairs;
    for (std::size_t r = 0; r < first.size(); ++r) pairs.push_back({first[r], second[r]});
    ContrastGradients found;
    {
      const WithoutLock without_lock;
      found = explainer_.gradients(all, pairs);
    }
    return nb::make_tuple(array(found.g), array(std::move(found.gradient)));
  }

  /// Relevance of a network's inputs with its totals.
  nb::dict complete(const Rows& rows, const Rows& relevance, const Rows& standard_error,
                    const Vector& base, bool is_path) const {
    RowParts parts(rows);
    Explanation found = explainer_.complete(
        parts.all(), {matrix(relevance), matrix(standard_error), vector(base), is_path});
    Collected<std::int32_t> collected(parts.rows(), found.relevance.cols(), regressor_,
                                      found.standard_error.rows() > 0);
    collected.add(0, found);
    return collected.release();
  }

  const Explainer& explainer() const { return explainer_; }

 private:
  template <class Index>
  nb::dict explain_as(const Rows& rows, const ProgressCallback& progress, std::size_t first_row,
                      const Voters& voters) {
    RowParts parts(rows);
    Collected<Index> collected(parts.rows(), features_, regressor_, has_errors_);
    if (parts.rows() == 0 && parts.cols() != features_) explainer_(parts.all());
    fill(collected, parts, progress, {first_part_, most_rows(), least_part_},
         [&](MatrixView<const double> part, std::size_t first) {
           return explainer_(part, first_row + first, of_part(voters, first, part));
         });
    return collected.release();
  }

  static std::span<const std::vector<std::size_t>> of_part(const Voters& voters, std::size_t first,
                                                           MatrixView<const double> part) {
    return voters.empty() ? std::span(voters) : std::span(voters).subspan(first, part.rows());
  }

  /// Rows of a part whose temporary arrays need a few megabytes.
  std::size_t most_rows() const {
    return std::max<std::size_t>((std::size_t{1} << 18) / features_, 1024);
  }

  /// Adds explain(rows of the part, position of the first one) for every part.
  template <class All, class Explain>
  static void fill(All& collected, RowParts& parts, const ProgressCallback& progress, PartRows rows,
                   const Explain& explain) {
    in_parts(parts.rows(), rows, progress, [&](std::size_t first, std::size_t count) {
      try {
        collected.add(first, explain(parts.part(first, count), first));
      } catch (const InvalidRow& error) {
        throw error.shifted(first);  // the message counts the rows of all parts
      }
    });
  }

  Explainer explainer_;
  std::size_t features_, labels_;
  bool regressor_, has_errors_;
  std::size_t first_part_, least_part_;
};

std::span<const double> row_of(const Vector& row) { return {row.data(), row.shape(0)}; }

void bind_network(nb::module_& m) {
  nb::class_<Evidence>(m, "CoreEvidence")
      .def_ro("positive", &Evidence::positive)
      .def_ro("negative", &Evidence::negative)
      .def_ro("weight", &Evidence::weight)
      .def_ro("activation", &Evidence::activation)
      .def_prop_ro("relevance", as_array(&Evidence::relevance), kOwned);
  nb::class_<Network>(m, "CoreNetwork")
      .def_ro("positive", &Network::positive)
      .def_ro("negative", &Network::negative)
      .def_prop_ro("detection", as_array(&Network::detection), kOwned)
      .def_prop_ro("hidden", as_array(&Network::hidden), kOwned)
      .def_ro("g", &Network::g)
      .def_prop_ro("positive_weights", as_array(&Network::positive_weights), kOwned)
      .def_prop_ro("negative_weights", as_array(&Network::negative_weights), kOwned);
}

void bind_columns(nb::module_& m) {
  m.def(
      "explanation_columns",
      [](bool is_classifier) {
        using enum ResultColumn::Role;
        std::vector<std::string_view> first = {"row"}, last, details;
        Explanation::columns([&](const ResultColumn& column, auto member) {
          const bool is_block = std::is_same_v<decltype(member), Matrix Explanation::*>;
          if (is_block || column.role == internal || !column.is_of(!is_classifier)) return;
          (column.role == before  ? first
           : column.role == after ? last
                                  : details)
              .push_back(column.name);
        });
        if (!is_classifier) details.push_back("level");
        return std::tuple(first, last, details);
      },
      "is_classifier"_a,
      "The columns of a table of explanations: before the features, after them, and details.");
  m.def(
      "explanation_fields",
      [] {
        std::vector<std::tuple<std::string_view, bool>> fields;
        Explanation::columns([&](const ResultColumn& column, auto member) {
          if constexpr (!std::is_same_v<decltype(member), Matrix Explanation::*>)
            fields.emplace_back(column.key, column.is_signed);
        });
        return fields;
      },
      "The fields of an explanation with one entry per row, and whether they change their sign "
      "with "
      "that of the relevance.");
}

/// The notes on an explanation in arrays, of which Python may have taken a part.
void bind_notes(nb::module_& m) {
  using Flags = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  m.def(
      "notes",
      [](const Flags& tie, const Flags& outside, const Flags& unexplained, const Flags& alike,
         const Vector& stretch, const std::string& method, const std::string& adds_up,
         bool averages_points, const std::string& note) {
        NoteCounts counts;
        for (std::size_t r = 0; r < tie.shape(0); ++r)
          counts.add_row({tie(r), outside(r), unexplained(r), alike(r), is_stretched(stretch(r))});
        ExplainSettings settings;
        settings.method = method;
        settings.adds_up = adds_up;
        settings.averages_points = averages_points;
        settings.note = note;
        return sentences(counts, settings, FrontEnd::python);
      },
      "tie"_a, "outside"_a, "unexplained"_a, "alike"_a, "stretch"_a, "method"_a = "",
      "adds_up"_a = "", "averages_points"_a = false, "note"_a = "",
      nb::sig(
          "def notes(tie: numpy.typing.ArrayLike, outside: numpy.typing.ArrayLike, unexplained: "
          "numpy.typing.ArrayLike, alike: numpy.typing.ArrayLike, stretch: "
          "numpy.typing.ArrayLike, method: str = '', adds_up: str = '', averages_points: bool = "
          "False, note: str = '') -> list[str]"),
      "What a reader of explanations should know: one sentence for each note.");
  nb::class_<OutsideRows>(m, "OutsideRows")
      .def(
          "__init__",
          [](OutsideRows* self, const Model& model, const std::optional<Rows>& background,
             unsigned threads) {
            new (self) OutsideRows(model, threads,
                                   background ? std::optional(matrix(*background)) : std::nullopt);
          },
          "model"_a, "background"_a = nb::none(), "threads"_a = 0)
      .def(
          "__call__",
          [](const OutsideRows& self, const Rows& rows) {
            RowParts parts(rows);
            return self(parts.all());
          },
          "rows"_a, "For each row whether it is far from the training data.");
}

}  // namespace

void bind_explainers(nb::module_& m) {
  bind_network(m);
  bind_columns(m);
  bind_notes(m);
  nb::class_<ArrayExplainer>(m, "Explainer")
      .def(nb::init<const Model&, const Method&, const ExplainOptions&>(), "model"_a, "method"_a,
           "options"_a = ExplainOptions())
      .def(
          "__call__", &ArrayExplainer::explain, "rows"_a, "progress"_a = nb::none(),
          "first_row"_a = 0, "voters"_a = ArrayExplainer::Voters(),
          nb::sig("def __call__(self, rows: numpy.typing.ArrayLike, progress: "
                  "collections.abc.Callable[[int, int], object] | None = None, first_row: int = 0, "
                  "voters: list[list[int]] = []) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
          "The fields of an Explanation by their names. Fields that the kind of model does not "
          "have are left out, as are standard errors if the method has none.")
      .def(
          "all_classes", &ArrayExplainer::all_classes, "rows"_a, "progress"_a = nb::none(),
          "first_row"_a = 0, "voters"_a = ArrayExplainer::Voters(),
          nb::sig("def all_classes(self, rows: numpy.typing.ArrayLike, progress: "
                  "collections.abc.Callable[[int, int], object] | None = None, first_row: int = 0, "
                  "voters: list[list[int]] = []) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
          "Each class against the rest: arrays whose last axis is the class, and one stretch, tie, "
          "outside, unexplained and alike for each row.")
      .def("gradients", &ArrayExplainer::gradients, "rows"_a, "positive"_a, "negative"_a,
           nb::sig("def gradients(self, rows: numpy.typing.ArrayLike, positive: "
                   "numpy.typing.ArrayLike, negative: numpy.typing.ArrayLike) -> "
                   "tuple[numpy.typing.NDArray[numpy.float64], "
                   "numpy.typing.NDArray[numpy.float64]]"),
           "g of each row for its pair of classes, and the gradient of g by the row.")
      .def("complete", &ArrayExplainer::complete, "rows"_a, "relevance"_a, "standard_error"_a,
           "base"_a, "is_path"_a,
           nb::sig("def complete(self, rows: numpy.typing.ArrayLike, relevance: "
                   "numpy.typing.ArrayLike, standard_error: numpy.typing.ArrayLike, base: "
                   "numpy.typing.ArrayLike, is_path: bool) -> dict[str, "
                   "numpy.typing.NDArray[typing.Any]]"),
           "Relevance of the inputs of a network whose outputs are the rows, with its totals.")
      .def(
          "evidence",
          [](const ArrayExplainer& self, const Vector& row, std::size_t count) {
            return self.explainer().evidence(row_of(row), count);
          },
          "row"_a, "count"_a)
      .def(
          "network",
          [](const ArrayExplainer& self, const Vector& row) {
            return self.explainer().network(row_of(row));
          },
          "row"_a)
      .def_prop_ro(
          "model", [](const ArrayExplainer& self) { return self.explainer().model(); },
          "The model with the background that is used, and with what auto has to know of it.")
      .def_prop_ro("method", [](const ArrayExplainer& self) { return self.explainer().method(); })
      .def_prop_ro("settings",
                   [](const ArrayExplainer& self) { return self.explainer().settings(); });
}

}  // namespace bisector::python

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bisector/explain.h"
#include "bisector/train/train.h"
#include "common/dataset.h"
#include "common/protocol.h"
#include "wine/wine.h"

namespace bisector::paper {
namespace {

constexpr double kSmooth = 1e-4, kDetailed = 0.2;
constexpr std::size_t kFolds = 5;
constexpr std::uint64_t kSeed = 0;

SvmLearner learner_of(const WineSettings& settings, double gamma, double cost) {
  return {.gamma = gamma, .cost = cost, .class_weights = settings.class_weights};
}

/// C with the best training accuracy; the first of equal ones.
double cost_by_training(const Dataset& wines, const WineSettings& settings, double gamma) {
  double best = 0.0, best_accuracy = -1.0;
  for (const double cost : settings.costs) {
    const Model model =
        train(learner_of(settings, gamma, cost), wines.rows.view(), wines.target).model;
    const double reached = accuracy(model, wines.rows, wines.target);
    if (reached > best_accuracy) best = cost, best_accuracy = reached;
  }
  return best;
}

/// C with the best cross-validated accuracy.
double cost_by_validation(const Dataset& wines, const WineSettings& settings, double gamma) {
  const AffineMap scaling = fit_scaling(wines.rows.view(), Scaling::standard_median, kSeed).map;
  Matrix scaled(wines.rows.rows(), wines.rows.cols());
  for (std::size_t r = 0; r < scaled.rows(); ++r) scaling.apply(wines.rows.row(r), scaled.row(r));
  TuneOptions options{.seed = kSeed};
  options.grid.gamma = {gamma};
  options.grid.cost = settings.costs;
  const TuneResult tuning = tune(learner_of(settings, gamma, 1.0), scaled, wines.target, options);
  return std::get<SvmLearner>(tuning.trials[tuning.best].learner).cost;
}

/// A line for each wine of the fold: its number, whether the model was right, its relevance.
std::vector<std::string> explain_fold(const Dataset& wines, const std::vector<std::size_t>& folds,
                                      std::size_t fold, const SvmLearner& learner) {
  std::vector<std::size_t> inside, outside;
  ClassTarget target{{}, wines.target.labels};
  for (std::size_t n = 0; n < folds.size(); ++n) {
    (folds[n] == fold ? outside : inside).push_back(n);
    if (folds[n] != fold) target.classes.push_back(wines.target.classes[n]);
  }
  const TrainResult training = train(learner, gather_rows(wines.rows, inside), target);
  ExplainOptions options;
  options.unit = Unit::g;
  options.positive_class = wines.target.labels[1];
  const Explanation why =
      explain(training.model, gather_rows(wines.rows, outside).view(), EtaRule{}, options);
  const std::vector<std::string> labels = training.model.labels();
  std::vector<std::string> lines;
  for (std::size_t r = 0; r < outside.size(); ++r) {
    const bool is_right =
        labels[why.prediction[r]] == wines.target.labels[wines.target.classes[outside[r]]];
    lines.push_back(fmt::format("{},{},{}", outside[r], is_right ? 1 : 0,
                                fmt::join(why.relevance.row(r), ",")));
  }
  return lines;
}

double find_cost(const Dataset& wines, const WineSettings& settings, double gamma,
                 StudyRun& study) {
  const auto tune = [&] {
    const double cost = settings.tunes_on_training_rows
                            ? cost_by_training(wines, settings, gamma)
                            : cost_by_validation(wines, settings, gamma);
    return StudyRun::Lines{fmt::format("{}", cost)};
  };
  return std::stod(study.lines(fmt::format("tune {} {}", settings.id, gamma), tune).at(0));
}

WineModel run_model(const Dataset& wines, const WineSettings& settings, double gamma, double cost,
                    StudyRun& study) {
  WineModel model{gamma, cost, 0.0, Matrix(wines.rows.rows(), wines.rows.cols())};
  const auto folds = stratified_folds(wines.target.classes, 2, kFolds, kSeed);
  for (std::size_t fold = 0; fold < kFolds; ++fold) {
    const auto& lines = study.lines(
        fmt::format("explain {} {} {} {}", settings.id, gamma, cost, fold),
        [&] { return explain_fold(wines, folds, fold, learner_of(settings, gamma, cost)); });
    for (const std::string& line : lines) {
      const std::vector<double> cells = numbers_of(line);
      model.accuracy += cells.at(1) / static_cast<double>(wines.rows.rows());
      std::copy(cells.begin() + 2, cells.end(),
                model.relevance.row(static_cast<std::size_t>(cells.at(0))).begin());
    }
  }
  return model;
}

}  // namespace

Matrix WineModel::normalized() const {
  Matrix rows = relevance;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    double sum = 0.0;
    for (const double value : rows.row(r)) sum += std::abs(value);
    for (double& value : rows.row(r)) value = sum > 0.0 ? value / sum : 0.0;
  }
  return rows;
}

std::vector<double> WineStudy::values(std::size_t feature) const { return column(wines, feature); }

std::vector<double> column(const Matrix& matrix, std::size_t col) {
  std::vector<double> values(matrix.rows());
  for (std::size_t r = 0; r < matrix.rows(); ++r) values[r] = matrix(r, col);
  return values;
}

const std::vector<WineSettings>& wine_settings() {
  static const std::vector<WineSettings> all = {
      {"paper",
       "the paper's settings",
       {1e-4, 1e-2, 1e-1, 1e1, 1e3},
       true,
       {0.6, 0.4},
       20.0,
       {{"chlorides", 0.10}, {"residual sugar", 10.0}}},
      // gamma = 1e-4 is a straight line unless C is large.
      {"default",
       "our settings",
       {1e-2, 1, 1e2, 1e4},
       false,
       {},
       std::numeric_limits<double>::infinity(),
       {}}};
  return all;
}

std::vector<WineStudy> run_wine_models(const StudyFolders& options, std::ostream& log) {
  const Dataset wines = load(chosen_datasets({"wine"}).front(), options.data);
  StudyRun run(options.out, "wine", "", log);
  std::vector<WineStudy> studies;
  for (const WineSettings& settings : wine_settings()) {
    const auto tuned_model = [&](double gamma) {
      const double cost = find_cost(wines, settings, gamma, run);
      return run_model(wines, settings, gamma, cost, run);
    };
    WineStudy study{
        settings, wines.feature_names, wines.rows, tuned_model(kSmooth), tuned_model(kDetailed),
        {}};
    for (const double cost : settings.costs) {
      if (cost != study.detailed.cost)
        study.others.push_back(run_model(wines, settings, kDetailed, cost, run));
    }
    studies.push_back(std::move(study));
  }
  return studies;
}

}  // namespace bisector::paper

#include "threads/tasks.h"

#include <unistd.h>

#include <atomic>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>

#include "bisector/baselines.h"
#include "bisector/error.h"
#include "bisector/evaluate.h"
#include "bisector/explain.h"
#include "bisector/io/data_reader.h"
#include "bisector/io/model_file.h"
#include "bisector/method.h"
#include "bisector/predict.h"
#include "bisector/train/train.h"
#include "reference/plain_machines.h"
#include "threads/digest.h"

namespace bisector::threads {
namespace {

constexpr std::size_t kPoints = 60, kFeatures = 5, kRows = 40;
constexpr unsigned kInnerThreads = 2;  // the library's own threads, inside those of the caller

struct NamedModel {
  std::string name;
  std::shared_ptr<const Model> model;
};

Matrix some_rows(std::uint64_t seed, std::size_t rows = kRows) {
  Random random(seed);
  return reference::normal_matrix(random, rows, kFeatures);
}

std::vector<NamedModel> models() {
  using namespace reference;
  const KernelMachine machine = plain_machine(1, kPoints, kFeatures, 0.2);
  const AffineMap scaling(std::vector<double>(kFeatures, 0.1), std::vector<double>(kFeatures, 2.0));
  std::vector<double> positive = machine.coefficients();
  for (double& value : positive) value = std::abs(value);
  const KernelMachine inside(machine.points(), positive, Kernel(machine.gamma()), -4.0);
  const auto share = [](Model model) { return std::make_shared<const Model>(std::move(model)); };
  return {{"svm", share(plain_classifier(machine, scaling))},
          {"svm of 3", share(three_classes(2, kFeatures))},
          {"regressor", share(Model(KernelRegressor{machine, 0.1}))},
          {"one-class", share(Model(OneClassMachine{inside}))},
          {"neighbors", share(plain_neighbors(3, kPoints, kFeatures, 2, 7))},
          {"neighbors of 3", share(plain_neighbors(4, kPoints, kFeatures, 3, 6))},
          {"centroids", share(Model(CentroidModel(some_rows(5, 4), {"a", "b", "c", "d"})))}};
}

/// Adds the tasks of one model after the other.
class Collection {
 public:
  explicit Collection(std::filesystem::path folder) : folder_(std::move(folder)) {}

  template <class Run>
  void add(const std::string& name, Run run) {
    tasks_.push_back({name, [run = std::move(run)] {
                        Digest digest;
                        run(digest);
                        return digest.value();
                      }});
  }

  void add_explainers(const NamedModel& named) {
    for (const Precision precision : {Precision::float64, Precision::float32}) {
      ExplainOptions options;
      options.precision = precision;
      options.threads = kInnerThreads;
      const std::string type = precision == Precision::float64 ? " f64" : " f32";
      const auto explainer = std::make_shared<const Explainer>(*named.model, EtaRule{}, options);
      const auto path = std::make_shared<const Explainer>(*named.model, PathRule{}, options);
      const auto decide =
          std::make_shared<const DecisionFunction>(*named.model, precision, kInnerThreads);
      add("explain " + named.name + type,
          [=, this](Digest& d) { d.add((*explainer)(rows_->view())); });
      add("path " + named.name + type, [=, this](Digest& d) { d.add((*path)(rows_->view())); });
      add("predict " + named.name + type,
          [=, this](Digest& d) { d.add((*decide)(rows_->view())); });
      add("look " + named.name + type, [=, this](Digest& d) {
        d.add(explainer->network(rows_->row(1))).add(explainer->evidence(rows_->row(2), 5));
      });
    }
    add("make " + named.name, [=, this, model = named.model](Digest& d) {
      d.add(explain(*model, rows_->view())).add(predict(*model, rows_->view()));
    });
  }

  void add_methods(const NamedModel& named) {
    for (Method method : all_methods()) {
      ExplainOptions options;
      options.threads = kInnerThreads;
      if (auto* sampled = std::get_if<SampledShapley>(&method)) sampled->sequences = 3;
      try {
        const auto explainer = std::make_shared<const Explainer>(*named.model, method, options);
        add(std::string(bisector::name(method)) + " " + named.name,
            [=, this](Digest& d) { d.add((*explainer)(rows_->view())); });
      } catch (const InvalidInput&) {  // not every model has a gradient
      }
    }
  }

  void add_evaluation(const NamedModel& named) {
    add("evaluate " + named.name, [=, this, model = named.model](Digest& d) {
      const std::vector<Candidate> candidates{{"lrp", EtaRule{}}};
      EvaluateOptions options;
      options.flipping.samples = 4;
      options.flipping.threads = kInnerThreads;
      d.add(evaluate(*model, rows_->view(), background_->view(), candidates, options).results[0]);
    });
  }

  void add_files(const NamedModel& named) {
    add("bundle " + named.name, [=, this, model = named.model](Digest& d) {
      const std::filesystem::path path = new_file(".npz");
      write_bundle(path, *model);
      d.add(predict(read_model(path), rows_->view()));
      std::filesystem::remove(path);
    });
  }

  void add_table() {
    const std::filesystem::path path = new_file(".csv");
    std::ofstream out(path);
    out << "a,b,c,d,e\n";
    for (std::size_t r = 0; r < rows_->rows(); ++r) {
      for (std::size_t c = 0; c < kFeatures; ++c) out << (c == 0 ? "" : ",") << (*rows_)(r, c);
      out << "\n";
    }
    const std::shared_ptr<const void> remover(
        nullptr, [path](const void*) { std::filesystem::remove(path); });
    add("table", [path, remover](Digest& d) { d.add(read_all(*open_data(path)).numbers); });
  }

  void add_training() {
    ClassTarget target{{}, {"low", "high"}};
    std::vector<double> numbers;
    for (std::size_t r = 0; r < rows_->rows(); ++r) {
      numbers.push_back((*rows_)(r, 0) + (*rows_)(r, 1));
      target.classes.push_back(numbers.back() > 0.0);
    }
    const auto add_learner = [&](const char* name, Learner learner, Target goal) {
      add(name, [=, this](Digest& d) {
        TrainOptions options;
        options.threads = kInnerThreads;
        d.add(predict(train(learner, rows_->view(), goal, options).model, rows_->view()));
      });
    };
    add_learner("train svm", SvmLearner{}, target);
    add_learner("train knn", NeighborLearner{5}, target);
    add_learner("train krr", RidgeLearner{}, numbers);
    add("tune svm", [=, this](Digest& d) {
      TuneOptions options;
      options.grid.gamma = {0.1, 1.0};
      options.grid.cost = {1.0, 100.0};
      options.threads = kInnerThreads;
      for (const Trial& trial : tune(SvmLearner{}, rows_->view(), target, options).trials)
        d.add(trial.mean);
    });
  }

  void add_others() {
    const auto shapley = std::make_shared<const ExactShapleyValues>(
        reference::plain_machine(1, kPoints, kFeatures, 0.2), some_rows(7, 3), kInnerThreads);
    add("exact Shapley", [=, this](Digest& d) { d.add((*shapley)(rows_->view())); });
    add("density", [=, this](Digest& d) { d.add(DensityEstimate(background_->view()).scale()); });
  }

  std::vector<Task> take(std::shared_ptr<Collection> self) {
    // Shared objects live as long as the last task that refers to them.
    std::vector<Task> tasks = std::move(tasks_);
    for (Task& task : tasks) task.run = [self, run = std::move(task.run)] { return run(); };
    return tasks;
  }

 private:
  std::filesystem::path new_file(const char* extension) {
    return folder_ / (std::to_string(::getpid()) + "-" + std::to_string(next_file_++) + extension);
  }

  std::filesystem::path folder_;
  static inline std::atomic<int> next_file_ = 0;
  std::shared_ptr<const Matrix> rows_ = std::make_shared<const Matrix>(some_rows(11));
  std::shared_ptr<const Matrix> background_ = std::make_shared<const Matrix>(some_rows(12, 80));
  std::vector<Task> tasks_;
};

}  // namespace

std::vector<Task> shared_tasks(const std::filesystem::path& folder) {
  const auto collection = std::make_shared<Collection>(folder);
  for (const NamedModel& named : models()) {
    collection->add_explainers(named);
    collection->add_methods(named);
    if (!named.model->is_regressor()) collection->add_evaluation(named);
    collection->add_files(named);
  }
  collection->add_table();
  collection->add_training();
  collection->add_others();
  return collection->take(collection);
}

std::vector<std::uint64_t> run_alone(const std::vector<Task>& tasks) {
  std::vector<std::uint64_t> digests;
  for (const Task& task : tasks) digests.push_back(task.run());
  return digests;
}

}  // namespace bisector::threads

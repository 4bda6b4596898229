#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "bisector/io/model_file.h"
#include "io/model_test_support.h"

namespace bisector {
namespace {

using test::error_of;
using test::RandomModels;

Model read_text(const std::string& text) {
  std::istringstream in(text);
  return read_libsvm_model(in, "model.txt");
}

const std::string kThreeClasses =
    "svm_type c_svc\n"
    "kernel_type rbf\n"
    "gamma 0.25\n"
    "nr_class 3\n"
    "total_sv 4\n"
    "rho 0.5 -0.25 0\n"
    "label 2 -1 7\n"
    "nr_sv 2 1 1\n"
    "SV\n"
    "1 0.5 1:0.5 3:-2 \n"
    "0.25 0 2:1e-3 \n"
    "-1 0.75 \n"
    "-0.5 -0.75 1:4 2:5 \n";

const std::string kOneClass =
    "svm_type one_class\n"
    "kernel_type rbf\n"
    "gamma 2\n"
    "nr_class 2\n"
    "total_sv 2\n"
    "rho 0.75\n"
    "SV\n"
    "1 1:1 \n"
    "0.5 2:1 \n";

TEST(LibsvmModelReader, ReadsAClassifierInLibsvmsArrangement) {
  const Model model = read_text(kThreeClasses);
  const Matrix points(4, 3, {0.5, 0, -2, 0, 1e-3, 0, 0, 0, 0, 4, 5, 0});
  const Matrix coefficients(2, 4, {1, 0.25, -1, -0.5, 0.5, 0, 0.75, -0.75});
  EXPECT_EQ(model, Model(KernelClassifier(points, {2, 1, 1}, coefficients, {-0.5, 0.25, 0},
                                          Kernel(0.25), {"2", "-1", "7"})));
}

TEST(LibsvmModelReader, ReadsOneClassModelsAndRegressorsWithTheirIntercept) {
  const KernelMachine machine(Matrix(2, 2, {1, 0, 0, 1}), {1, 0.5}, Kernel(2), -0.75);
  EXPECT_EQ(read_text(kOneClass), Model(OneClassMachine{machine}));
  for (const char* type : {"epsilon_svr", "nu_svr"}) {
    std::string text = kOneClass;
    text.replace(text.find("one_class"), 9, type);
    EXPECT_EQ(read_text(text), Model(KernelRegressor{machine, std::nullopt})) << type;
  }
}

TEST(LibsvmModelReader, TakesKeywordsInAnyOrderAndLineEndingsOfWindows) {
  const Model expected = read_text(kOneClass);
  EXPECT_EQ(read_text("rho 0.75\ntotal_sv 2\n\nnr_class 2\ncoef0 0\ndegree 3\ngamma 2\n"
                      "kernel_type rbf\nsvm_type one_class\nSV\n1 1:1\n0.5 2:1"),
            expected);
  EXPECT_EQ(read_text("svm_type one_class\r\nkernel_type rbf\r\ngamma 2\r\nnr_class 2\r\n"
                      "total_sv 2\r\nrho 0.75\r\nSV\r\n1 1:1 \r\n0.5\t2:+1 \r\n\r\n"),
            expected);
}

TEST(LibsvmModelReader, LeavesProbabilityEstimatesAside) {
  std::string classifier = kThreeClasses, one_class = kOneClass;
  classifier.insert(classifier.find("nr_sv"), "probA -1 -2 -3\nprobB 0.1 0.2 0.3\n");
  one_class.insert(one_class.find("SV"), "prob_density_marks 1 2 3 4 5 6 7 8 9 10\n");
  EXPECT_EQ(read_text(classifier), read_text(kThreeClasses));
  EXPECT_EQ(read_text(one_class), read_text(kOneClass));
}

struct Corruption {
  const char* text;         // in a valid file ...
  const char* replacement;  // ... replaced by this ...
  const char* message;      // ... gives this error
};

void PrintTo(const Corruption& corruption, std::ostream* out) { *out << corruption.message; }

class LibsvmModelCorruption : public testing::TestWithParam<Corruption> {};

TEST_P(LibsvmModelCorruption, IsReportedWithItsPlace) {
  const auto& [text, replacement, message] = GetParam();
  std::string file = kThreeClasses;
  const std::size_t at = file.find(text);
  ASSERT_NE(at, std::string::npos) << text;
  file.replace(at, std::string(text).size(), replacement);
  EXPECT_EQ(error_of([&] { read_text(file); }), std::string("model.txt") + message);
}

INSTANTIATE_TEST_SUITE_P(
    Head, LibsvmModelCorruption,
    testing::Values(
        Corruption{"c_svc", "svc",
                   ":1: svm_type is \"svc\", expected c_svc, nu_svc, one_class, epsilon_svr or "
                   "nu_svr"},
        Corruption{"rbf", "precomputed",
                   ":2: kernel_type is \"precomputed\", expected rbf, linear, polynomial or "
                   "sigmoid"},
        Corruption{"kernel_type rbf", "kernel_type", ":2: kernel_type has 0 values, expected 1"},
        Corruption{"gamma 0.25", "gamma 0", ":3: gamma is 0, expected above 0"},
        Corruption{"gamma 0.25", "gamma -1", ":3: gamma is -1, expected above 0"},
        Corruption{"gamma 0.25", "gamma nan", ":3: gamma is \"nan\", expected a finite number"},
        Corruption{"gamma 0.25", "gamma 1e999", ":3: gamma is \"1e999\", expected a finite number"},
        Corruption{"gamma 0.25", "gamma 0.25x", ":3: gamma is \"0.25x\", expected a finite number"},
        Corruption{"gamma 0.25", "gamma 0.25 1", ":3: gamma has 2 values, expected 1"},
        Corruption{"gamma 0.25\n", "", ":8: gamma is missing, expected it before SV"},
        Corruption{"gamma 0.25", "gamma 0.25\ngamma 0.25",
                   ":4: gamma occurs twice, the first time on line 3"},
        Corruption{"gamma 0.25", "gama 0.25",
                   ":3: unknown keyword \"gama\", expected one of svm_type, kernel_type, degree, "
                   "gamma, coef0, nr_class, total_sv, rho, label, probA, probB, "
                   "prob_density_marks, nr_sv, SV"},
        Corruption{"gamma 0.25", "gamma 0.25\ndegree three",
                   ":4: degree is \"three\", expected a finite number"},
        Corruption{"nr_class 3", "nr_class 1", ":4: nr_class is 1, expected at least 2"},
        Corruption{"nr_class 3", "nr_class -3",
                   ":4: nr_class is \"-3\", expected a whole number from 0 to 4294967295"},
        Corruption{"nr_class 3", "nr_class 4294967295",
                   ":6: rho has 3 values, expected 9223372030412324865: nr_class is 4294967295"},
        Corruption{"nr_class 3", "nr_class 4", ":6: rho has 3 values, expected 6: nr_class is 4"},
        Corruption{"total_sv 4", "total_sv 0",
                   ":5: total_sv is 0, expected at least one support vector"},
        Corruption{"total_sv 4", "total_sv 4.5",
                   ":5: total_sv is \"4.5\", expected a whole number from 0 to "
                   "18446744073709551615"},
        Corruption{"total_sv 4", "total_sv 5",
                   ":8: nr_sv adds up to 4, expected 5, which is total_sv"},
        Corruption{"rho 0.5 -0.25 0", "rho 0.5 -0.25 inf",
                   ":6: rho is \"inf\", expected a finite number"},
        Corruption{"rho 0.5 -0.25 0\n", "", ":8: rho is missing, expected it before SV"},
        Corruption{"label 2 -1 7", "label 2 -1",
                   ":7: label has 2 values, expected 3: nr_class is 3"},
        Corruption{"label 2 -1 7", "label 2 -1 7.5",
                   ":7: label is \"7.5\", expected a whole number from -2147483648 to 2147483647"},
        Corruption{"label 2 -1 7", "label 2 -1 2",
                   ": label \"2\" stands twice, expected distinct labels"},
        Corruption{"label 2 -1 7\n", "", ":8: label is missing, expected it before SV"},
        Corruption{"nr_sv 2 1 1", "nr_sv 2 1 1 0",
                   ":8: nr_sv has 4 values, expected 3: nr_class is 3"},
        Corruption{"nr_sv 2 1 1\n", "", ":8: nr_sv is missing, expected it before SV"},
        Corruption{"nr_sv 2 1 1", "nr_sv 2 1 1\nprobA 1 2",
                   ":9: probA has 2 values, expected 3: nr_class is 3"},
        Corruption{"nr_sv 2 1 1", "nr_sv 2 1 1\nprob_density_marks 1",
                   ":9: prob_density_marks has 1 value, expected 10"},
        Corruption{"SV\n", "SV 1\n",
                   ":9: SV has 1 value, expected 0: support vectors start on the next line"}));

INSTANTIATE_TEST_SUITE_P(
    SupportVectors, LibsvmModelCorruption,
    testing::Values(
        Corruption{"-0.5 -0.75 1:4 2:5 \n", "", ":9: total_sv is 4 but 3 support vectors follow"},
        Corruption{"2:5 \n", "2:5\n1 1 1:1\n",
                   ":14: total_sv is 4 but more lines follow, expected the end of the file"},
        Corruption{"1 0.5 1:0.5", "1 1:0.5", ":10: 1 coefficient before the features, expected 2"},
        Corruption{"-1 0.75", "-1", ":12: 1 coefficient before the features, expected 2"},
        Corruption{"1 0.5 1:0.5", "1 half 1:0.5",
                   ":10: coefficient 2 is \"half\", expected a finite number"},
        Corruption{"1 0.5 1:0.5", "nan 0.5 1:0.5",
                   ":10: coefficient 1 is \"nan\", expected a finite number"},
        Corruption{"1:0.5 3:-2", "1:0.5 3",
                   ":10: \"3\" is among the features, expected index:value"},
        Corruption{"1:0.5 3:-2", "1:0.5 0:-2",
                   ":10: feature index \"0\", expected a whole number from 1 to 10000000 "
                   "(limit features)"},
        Corruption{"1:0.5 3:-2", "1:0.5 -3:-2",
                   ":10: feature index \"-3\", expected a whole number from 1 to 10000000 "
                   "(limit features)"},
        Corruption{"1:0.5 3:-2", "1:0.5 1000000000000:-2",
                   ":10: feature index \"1000000000000\", expected a whole number from 1 to "
                   "10000000 (limit features)"},
        Corruption{"1:0.5 3:-2", "1:0.5 10000001:-2",
                   ":10: feature index \"10000001\", expected a whole number from 1 to 10000000 "
                   "(limit features)"},
        Corruption{"1:0.5 3:-2", "3:0.5 3:-2",
                   ":10: feature index 3 follows 3, expected ascending indices"},
        Corruption{"1:0.5 3:-2", "1:0.5 3:", ":10: feature 3 is \"\", expected a finite number"},
        Corruption{"1:0.5 3:-2", "1:0.5 3:-inf",
                   ":10: feature 3 is \"-inf\", expected a finite number"},
        Corruption{"1:0.5 3:-2", "1:0.5 3:1e200",
                   ": support vectors: point 1, feature 3 is 1e+200, expected a number within "
                   "±1e+100"},
        Corruption{"1:0.5 3:-2", "1:0.5 3:\x01\xff",
                   ":10: feature 3 is \"\\x01\?\", expected a finite number"}));

TEST(LibsvmModelReader, RefusesFieldsThatDoNotBelongToTheKind) {
  const auto with = [](const std::string& line) {
    std::string text = kOneClass;
    return text.insert(text.find("SV"), line);
  };
  EXPECT_EQ(error_of([&] { read_text(with("label 1 -1\n")); }),
            "model.txt:7: label does not belong to one_class models, which have no classes");
  EXPECT_EQ(error_of([&] { read_text(with("nr_sv 1 1\n")); }),
            "model.txt:7: nr_sv does not belong to one_class models, which have no classes");
  std::string three = kOneClass;
  three.replace(three.find("nr_class 2"), 10, "nr_class 3");
  EXPECT_EQ(error_of([&] { read_text(three); }),
            "model.txt:4: nr_class is 3, expected 2, as one_class models have it");
}

TEST(LibsvmModelReader, SaysWhereAFileEndsTooEarly) {
  EXPECT_EQ(error_of([] { read_text(""); }), "model.txt: the file ends before SV: it is empty");
  EXPECT_EQ(error_of([] { read_text("svm_type c_svc\nkernel_type rbf\n"); }),
            "model.txt:2: the file ends before SV");
}

// Counts in the head are the file's word; none may become an allocation.
TEST(LibsvmModelReader, DoesNotAllocateWhatTheHeadPromises) {
  std::string text = kOneClass;
  text.replace(text.find("total_sv 2"), 10, "total_sv 1000000000000");
  EXPECT_EQ(error_of([&] { read_text(text); }),
            "model.txt:7: total_sv is 1000000000000 but 2 support vectors follow");
}

TEST(LibsvmModelReader, RefusesMatricesBeyondTheLimitBeforeTheyAreMade) {
  std::string text = kOneClass;
  text.replace(text.find("total_sv 2"), 10, "total_sv 215");
  text.replace(text.find("2:1 "), 4, "10000000:1 ");
  for (int n = 2; n < 215; ++n) text += "1 1:1\n";
  EXPECT_EQ(error_of([&] { read_text(text); }),
            "model.txt:7: 215 support vectors of 10000000 features from 1158 bytes of text, "
            "expected fewer (limits elements, expansion)");
}

TEST(LibsvmModelReader, EveryTruncationIsAnErrorOrAModel) {
  for (const std::string& whole : {kThreeClasses, kOneClass}) {
    const std::size_t sv = whole.find("SV\n");
    for (std::size_t length = 0; length < whole.size(); ++length) {
      SCOPED_TRACE(length);
      const bool is_model = test::succeeds_or_rejects([&] { read_text(whole.substr(0, length)); });
      if (length < sv + 3) {
        EXPECT_FALSE(is_model);
      }
    }
  }
}

TEST(LibsvmModelReader, EveryChangedByteIsAnErrorOrAModel) {
  for (std::size_t at = 0; at < kThreeClasses.size(); ++at) {
    for (const char byte : {'\0', ' ', '\n', '9', ':', '-', 'e', '\xff'}) {
      SCOPED_TRACE(testing::Message() << "byte " << at << " becomes " << int{byte});
      std::string changed = kThreeClasses;
      changed[at] = byte;
      test::succeeds_or_rejects([&] { read_text(changed); });
    }
  }
}

}  // namespace
}  // namespace bisector

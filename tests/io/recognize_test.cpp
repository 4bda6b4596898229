#include "io/recognize.h"

#include <gtest/gtest.h>

#include "io/data_testing.h"

namespace bisector {

using namespace io;

namespace {

using Kind = DataFormat::Kind;

Kind kind_of(std::string_view content, const std::string& name = "data") {
  const TempFile file(name, content);
  TextInput input{InputFile(file.path())};
  return recognize(input, file.path());
}

TEST(Recognize, KnowsEveryFormatByItsContent) {
  EXPECT_EQ(kind_of("\x93NUMPY\x01 ...", "wrong.csv"), Kind::npy);
  EXPECT_EQ(kind_of("PK\x03\x04 ...", "wrong.csv"), Kind::npz);
  EXPECT_EQ(kind_of("+1 1:0.5 2:1e-3\n", "wrong.csv"), Kind::libsvm);
  EXPECT_EQ(kind_of("# made by hand\n\n1,3 7:1\n"), Kind::libsvm);
  EXPECT_EQ(kind_of("0\n1 3:2\n"), Kind::libsvm);
  EXPECT_EQ(kind_of("a,b\n1,2\n"), Kind::csv);
  EXPECT_EQ(kind_of("1,2\n3,4\n"), Kind::csv);
  EXPECT_EQ(kind_of(""), Kind::csv);
}

TEST(Recognize, TimesAreNotPairs) {
  EXPECT_EQ(kind_of("when,what\n12:30,5\n"), Kind::csv);
  EXPECT_EQ(kind_of("12:30 1:2\n"), Kind::csv);
  EXPECT_EQ(kind_of("5 1:2 three\n"), Kind::csv);
  EXPECT_EQ(kind_of("5 1:2,7 8\n"), Kind::csv);
}

TEST(Recognize, TheFileExtensionDecidesInDoubt) {
  EXPECT_EQ(kind_of("1\n2\n"), Kind::csv);
  EXPECT_EQ(kind_of("1\n2\n", "a.svm"), Kind::libsvm);
  EXPECT_EQ(kind_of("1\n2\n", "a.LIBSVM"), Kind::libsvm);
  EXPECT_EQ(kind_of("%a,b\n1,2\n", "a.csv"), Kind::csv);
}

TEST(Recognize, RowsMayBeLongerThanTheSample) {
  std::string wide = "1";
  for (int i = 1; i < 30'000; ++i) wide += " " + std::to_string(i) + ":0.25";
  EXPECT_EQ(kind_of(wide + "\n"), Kind::libsvm);
}

TEST(Recognize, RefusesFilesOfOtherKinds) {
  EXPECT_EQ(format_error("a.csv.gz", "\x1F\x8B..."),
            "a.csv.gz: damaged gzip data (unknown compression method)");
  EXPECT_EQ(format_error("a.csv", std::string("\xFF\xFE"
                                              "1\0,",
                                              5)),
            "a.csv: not valid UTF-16");
  for (const std::string_view content : {std::string_view("\x7F"
                                                          "ELF\0\0\0",
                                                          7),
                                         std::string_view("\x89PNG\r\n\0\0", 8)})
    EXPECT_EQ(format_error("a.csv", content),
              "a.csv: a binary file, expected CSV, LIBSVM, NPY or NPZ");
  EXPECT_EQ(format_error("a.csv", "%PDF-1.4\n1 0 obj\n").substr(0, 23), "a.csv: a PDF document, ");
}

TEST(Recognize, NamesTheProgramThatConvertsOtherTables) {
  const std::string arff =
      "a.txt: an ARFF file, expected CSV: sed '1,/^@data/Id' a.txt | bisector ... - --header no";
  EXPECT_EQ(format_error("a.txt", "\n% hello\n@Relation x\n"), arff);
  EXPECT_EQ(format_error("a.txt", "\xEF\xBB\xBF@RELATION x\n"), arff);
  const std::string json =
      "a.txt: JSON, expected CSV: duckdb -csv -c \"FROM read_json('a.txt')\" | bisector ... -, "
      "or use bisector.Explainer in Python";
  EXPECT_EQ(format_error("a.txt", "{\"a\": 1}\n{\"a\": 2}\n"), json);
  EXPECT_EQ(format_error("a.txt", "[{\"a\": 1}, {\"a\": 2}]"), json);
  EXPECT_EQ(format_error("a.txt", "PAR1 ..."),
            "a.txt: a Parquet file, expected CSV: duckdb -csv -c \"FROM read_parquet('a.txt')\" | "
            "bisector ... -, or use bisector.explain_parquet in Python");
  for (const std::string_view mark : {"ARROW1", "\xFF\xFF\xFF\xFF", "FEA1"})
    EXPECT_EQ(format_error("a.txt", mark),
              "a.txt: an Arrow or Feather file, expected CSV: read it in Python, and use "
              "bisector.Explainer there or to_csv(..., index=False) of pandas");
  EXPECT_EQ(format_error("a.txt", "BZh91AY"),
            "a.txt: packed by bzip2, expected plain text, gzip or zstd: bzip2 -dc a.txt | "
            "bisector ... -");
}

TEST(Recognize, OptionsOfOtherFormatsAreRefused) {
  const auto error = [](const DataFormat& format) {
    return message_of<InvalidInput>([&] { read_numbers("a.txt", "1 1:2\n", format); });
  };
  EXPECT_EQ(error({.delimiter = ','}), "a.txt is not CSV: no delimiter or header to choose");
  EXPECT_EQ(error({.header = DataFormat::Header::yes}),
            "a.txt is not CSV: no delimiter or header to choose");
  EXPECT_EQ(error({.array = "X"}), "a.txt is not an NPZ file: no array \"X\" to choose");
}

TEST(Recognize, AGivenKindIsUsed) {
  EXPECT_EQ(read_numbers("a", "1\n2\n", {.kind = Kind::libsvm}), matrix({{1}, {2}}));
  EXPECT_EQ(format_error("a", "1,2\n", {.kind = Kind::npy}), "a: the file ends early");
  EXPECT_EQ(format_error("a", "1,2,3,4,5,6,7\n", {.kind = Kind::npy}),
            "a: not an NPY array: the first bytes are not those of NumPy");
  EXPECT_EQ(format_error("a", "1,2\n", {.kind = Kind::npz}),
            "a: not a readable zip archive, expected a whole file: Not a zip archive");
}

}  // namespace
}  // namespace bisector

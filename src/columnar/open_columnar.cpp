#include "bisector/columnar/open_columnar.h"

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/ipc/reader.h>
#include <fmt/format.h>
#include <parquet/arrow/reader.h>
#include <parquet/exception.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "bisector/error.h"
#include "columnar/column_text.h"
#include "io/text/table_reader.h"

namespace bisector {
namespace {

using columnar::ColumnText;

constexpr std::int64_t kBatchRows = 8192;

/// Throws FormatError with the first line of Arrow's message.
[[noreturn]] void fail(const std::string& source, const std::string& format,
                       const std::string& reason) {
  throw FormatError(
      source, 0,
      fmt::format("a damaged {} file ({})", format, reason.substr(0, reason.find('\n'))));
}

/// A sequence of batches with their schema.
struct Batches {
  std::string source, format;
  std::shared_ptr<arrow::io::ReadableFile> file;
  std::shared_ptr<arrow::Schema> schema;
  std::unique_ptr<parquet::arrow::FileReader> parquet;  // outlives its stream
  std::shared_ptr<arrow::RecordBatchReader> stream;
  std::shared_ptr<arrow::ipc::RecordBatchFileReader> blocks;
  int next_block = 0;

  template <class Value>
  Value get(arrow::Result<Value> result) const {
    if (!result.ok()) fail(source, format, result.status().message());
    return std::move(result).ValueUnsafe();
  }
  /// The next batch; null at the end.
  std::shared_ptr<arrow::RecordBatch> next() {
    if (blocks != nullptr)
      return next_block < blocks->num_record_batches() ? get(blocks->ReadRecordBatch(next_block++))
                                                       : nullptr;
    return get(stream->Next());
  }
};

Batches open_batches(const std::filesystem::path& path) {
  Batches batches;
  batches.source = path.string();
  auto file = arrow::io::ReadableFile::Open(path.string());
  if (!file.ok()) throw FileError(fmt::format("cannot open {}", batches.source));
  batches.file = *file;
  const auto mark = batches.file->ReadAt(0, 6);
  const std::string_view head = mark.ok() ? std::string_view(**mark) : std::string_view();
  if (head.starts_with("PAR1")) {
    batches.format = "Parquet";
    parquet::ArrowReaderProperties properties;
    properties.set_batch_size(kBatchRows);
    parquet::arrow::FileReaderBuilder builder;
    const auto opened = builder.Open(batches.file);
    if (!opened.ok()) fail(batches.source, batches.format, opened.message());
    builder.properties(properties);
    batches.parquet = batches.get(builder.Build());
    const auto status = batches.parquet->GetSchema(&batches.schema);
    if (!status.ok()) fail(batches.source, batches.format, status.message());
    batches.stream = batches.get(batches.parquet->GetRecordBatchReader());
  } else if (head == "ARROW1") {
    batches.format = "Arrow";
    batches.blocks = batches.get(arrow::ipc::RecordBatchFileReader::Open(batches.file));
    batches.schema = batches.blocks->schema();
  } else {
    batches.format = "Arrow";
    if (!batches.file->Seek(0).ok()) throw FileError(fmt::format("cannot read {}", batches.source));
    batches.stream = batches.get(arrow::ipc::RecordBatchStreamReader::Open(batches.file));
    batches.schema = batches.stream->schema();
  }
  return batches;
}

class BatchRecords : public io::Records {
 public:
  /// `columns`: the columns of the batches to read, in order.
  BatchRecords(Batches batches, std::vector<int> columns)
      : batches_(std::move(batches)), fields_(std::move(columns)) {
    cells_.resize(fields_.size());
  }

  bool next() override {
    while (batch_ == nullptr || ++row_ >= batch_->num_rows()) {
      if (!next_batch()) return false;
      if (batch_->num_rows() > 0) break;
    }
    ++line_;
    for (std::size_t c = 0; c < columns_.size(); ++c) cells_[c] = columns_[c].cell(row_);
    return true;
  }

  std::optional<double> fraction_read() const override {
    const auto size = batches_.file->GetSize();
    const auto place = batches_.file->Tell();
    if (!size.ok() || !place.ok() || *size == 0) return std::nullopt;
    return static_cast<double>(*place) / static_cast<double>(*size);
  }

 private:
  bool next_batch() {
    batch_ = batches_.next();
    row_ = 0;
    columns_.clear();
    if (batch_ == nullptr) return false;
    for (const int field : fields_) columns_.emplace_back(batch_->column(field));
    return true;
  }

  Batches batches_;
  std::vector<int> fields_;
  std::shared_ptr<arrow::RecordBatch> batch_;
  std::vector<ColumnText> columns_;
  std::int64_t row_ = 0;
};

bool is_pandas_index(const std::string& name) { return name.starts_with("__index_level_"); }

/// The columns to read, with an index of pandas first.
std::vector<int> usable_fields(const arrow::Schema& schema, Reading& reading) {
  std::vector<int> fields;
  for (int f = 0; f < schema.num_fields(); ++f) {
    const arrow::Field& field = *schema.field(f);
    if (columnar::has_cells(*field.type())) {
      fields.push_back(f);
      continue;
    }
    reading.notes.push_back(
        fmt::format("left out: column \"{}\" of type {}, which is neither numbers nor "
                    "text",
                    field.name(), field.type()->ToString()));
  }
  std::ranges::stable_partition(fields,
                                [&](int f) { return is_pandas_index(schema.field(f)->name()); });
  return fields;
}

}  // namespace

std::unique_ptr<DataReader> open_columnar(const std::filesystem::path& path,
                                          const DataFormat& /*format*/) {
  try {
    Batches batches = open_batches(path);
    Reading reading{.summary = fmt::format("{}, columns with names", batches.format)};
    std::vector<int> fields = usable_fields(*batches.schema, reading);
    std::vector<std::string> names;
    for (const int f : fields) names.push_back(batches.schema->field(f)->name());
    std::ranges::replace_if(names, is_pandas_index, "");
    auto records = std::make_unique<BatchRecords>(std::move(batches), std::move(fields));
    return std::make_unique<io::TableReader>(
        path.string(), io::named_columns(std::move(names), std::move(reading)), std::move(records));
  } catch (const parquet::ParquetException& error) {
    fail(path.string(), "Parquet", error.what());
  }
}

}  // namespace bisector

#include "bisector/io/byte_source.h"
#include "io/packed/packed_source.h"

namespace bisector {
namespace io {
namespace {

class PlainSource : public ByteSource {
 public:
  explicit PlainSource(std::unique_ptr<Blocks> blocks) : blocks_(std::move(blocks)) {}
  const std::string& source() const override { return blocks_->file().source(); }
  std::size_t read(std::span<char> to) override { return blocks_->read(to); }
  std::optional<double> fraction_read() const override { return blocks_->file().fraction_read(); }
  void rewind() override { blocks_->rewind(); }

 private:
  std::unique_ptr<Blocks> blocks_;
};

}  // namespace
}  // namespace io

std::unique_ptr<ByteSource> open_bytes(const std::filesystem::path& path, const Limits& limits) {
  auto blocks = std::make_unique<io::Blocks>(path);
  if (auto packed = io::unpacker_of(blocks, limits)) return packed;
  return std::make_unique<io::PlainSource>(std::move(blocks));
}

}  // namespace bisector

#include "io/packed/open_bytes.h"

#include "io/packed/packed_source.h"

namespace bisector::io {
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

std::unique_ptr<ByteSource> open_bytes(const std::filesystem::path& path, const Limits& limits) {
  auto blocks = std::make_unique<Blocks>(path);
  if (auto packed = unpacker_of(blocks, limits)) return packed;
  return std::make_unique<PlainSource>(std::move(blocks));
}

std::size_t read_fully(ByteSource& source, std::span<char> to) {
  std::size_t done = 0;
  while (done < to.size()) {
    const std::size_t got = source.read(to.subspan(done));
    if (got == 0) break;
    done += got;
  }
  return done;
}

}  // namespace bisector::io

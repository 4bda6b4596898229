#include "common/journal.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "bisector/error.h"

namespace bisector::paper {
namespace {

class JournalFile : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }
  std::string content() const {
    std::ifstream in(path_);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::filesystem::path path_ = testing::TempDir() + "journal-" + std::to_string(::getpid()) + "-" +
                                testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(JournalFile, KeepsAddedUnits) {
  {
    Journal journal(path_, "study v1");
    EXPECT_FALSE(journal.contains("a 1"));
    journal.add("a 1", {"x,1", "y,2"});
    journal.add("b 2", {});
  }
  const Journal journal(path_, "study v1");
  EXPECT_EQ(journal.lines("a 1"), (std::vector<std::string>{"x,1", "y,2"}));
  EXPECT_TRUE(journal.contains("b 2"));
}

// A run that is killed at any byte keeps complete units and can continue.
TEST_F(JournalFile, ContinuesAfterTruncationAtAnyByte) {
  std::size_t first_unit = 0;
  {
    Journal journal(path_, "study v1");
    journal.add("a", {"1"});
    first_unit = content().size();
    journal.add("b", {"2", "3"});
  }
  const std::string whole = content();
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    SCOPED_TRACE(testing::Message() << "cut after " << length << " bytes");
    std::ofstream(path_, std::ios::trunc) << whole.substr(0, length);
    {
      Journal journal(path_, "study v1");
      EXPECT_EQ(journal.contains("a"), length >= first_unit);
      EXPECT_EQ(journal.contains("b"), length == whole.size());
      if (!journal.contains("a")) journal.add("a", {"1"});
      if (!journal.contains("b")) journal.add("b", {"2", "3"});
    }
    EXPECT_EQ(content(), whole);
  }
}

// A unit with a changed byte is computed again.
TEST_F(JournalFile, DropsUnitsWithChangedBytes) {
  std::size_t heading = 0, first_unit = 0;
  {
    Journal journal(path_, "study v1");
    heading = content().size();
    journal.add("a", {"0.25"});
    first_unit = content().size();
    journal.add("b", {"0.5", "0.75"});
  }
  const std::string whole = content();
  for (std::size_t at = heading; at < whole.size(); ++at) {
    for (const char change : {'\x01', '\x08', '\x2a'}) {
      SCOPED_TRACE(testing::Message() << "byte " << at << " changed by " << int{change});
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ change);
      std::ofstream(path_, std::ios::trunc) << damaged;
      {
        Journal journal(path_, "study v1");
        EXPECT_EQ(journal.contains("a"), at >= first_unit);
        // Without the end of its last line the first unit takes the next one along.
        EXPECT_EQ(journal.contains("b"), at + 1 < first_unit);
        if (!journal.contains("a")) journal.add("a", {"0.25"});
        if (!journal.contains("b")) journal.add("b", {"0.5", "0.75"});
      }
      const Journal mended(path_, "study v1");
      EXPECT_EQ(mended.lines("a"), (std::vector<std::string>{"0.25"}));
      EXPECT_EQ(mended.lines("b"), (std::vector<std::string>{"0.5", "0.75"}));
    }
  }
}

TEST_F(JournalFile, RefusesOtherSettings) {
  { Journal journal(path_, "study v1 seeds=5"); }
  EXPECT_THROW(Journal(path_, "study v1 seeds=1"), InvalidInput);
  std::ofstream(path_, std::ios::trunc) << "study v0" << std::string(100000, 'x') << "\n";
  try {
    Journal(path_, "study v1 seeds=1");
    FAIL() << "another study's file was taken";
  } catch (const InvalidInput& error) {
    EXPECT_LT(std::string(error.what()).size(), 1000U);
  }
}

}  // namespace
}  // namespace bisector::paper

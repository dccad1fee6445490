// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Parts of the agent that need no process of their own: environments, images, comparison of names, UTF-8.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "agent/core/environment.h"
#include "agent/core/image.h"
#include "agent/core/names.h"

namespace sextant::agent {
namespace {

using spool::Untraced;

constexpr const char* kAgent = "/opt/sextant/lib/libsextant-agent.so";

std::vector<std::string> stripped(std::vector<std::string> environment, bool preload_too = true) {
  std::vector<char*> pointers;
  for (std::string& entry : environment) pointers.push_back(entry.data());
  pointers.push_back(nullptr);
  std::vector<char*> room(stripped_room(pointers.data()) / sizeof(char*) + 1);
  std::vector<std::string> result;
  for (char** e = strip_environment(pointers.data(), kAgent, preload_too, room.data()); *e != nullptr; ++e)
    result.emplace_back(*e);
  return result;
}

bool has_agent(std::vector<std::string> environment) {
  std::vector<char*> pointers;
  for (std::string& entry : environment) pointers.push_back(entry.data());
  pointers.push_back(nullptr);
  return environment_has_agent(pointers.data(), kAgent);
}

using Strings = std::vector<std::string>;

TEST(Environment, StripsOnlyTheAgent) {
  std::string agent = kAgent;
  EXPECT_EQ(stripped({"A=1", "LD_PRELOAD=" + agent, "B=2"}), (Strings{"A=1", "B=2"}));
  EXPECT_EQ(stripped({"LD_PRELOAD=x.so:" + agent}), (Strings{"LD_PRELOAD=x.so"}));
  EXPECT_EQ(stripped({"LD_PRELOAD=" + agent + ":x.so y.so"}), (Strings{"LD_PRELOAD=x.so:y.so"}));
  EXPECT_EQ(stripped({"LD_PRELOAD=x.so " + agent + " y.so"}), (Strings{"LD_PRELOAD=x.so:y.so"}));
  EXPECT_EQ(stripped({"LD_PRELOAD=" + agent + ".old"}), (Strings{"LD_PRELOAD=" + agent + ".old"}));
  const std::string exports = "/opt/sextant/lib/libsextant-opencl.so";
  EXPECT_EQ(stripped({"LD_PRELOAD=" + agent + ":" + exports + ":x.so"}), (Strings{"LD_PRELOAD=x.so"}));
  EXPECT_EQ(stripped({"LD_PRELOAD=" + agent + ":/x" + exports}), (Strings{"LD_PRELOAD=/x" + exports}));
  EXPECT_EQ(stripped({"LD_PRELOAD="}), (Strings{"LD_PRELOAD="}));
  EXPECT_EQ(stripped({"NVTX_INJECTION64_PATH=" + agent, "SEXTANT_RUN=/r"}), (Strings{"SEXTANT_RUN=/r"}));
  EXPECT_EQ(stripped({"NVTX_INJECTION64_PATH=/other.so", "XLD_PRELOAD=" + agent}),
            (Strings{"NVTX_INJECTION64_PATH=/other.so", "XLD_PRELOAD=" + agent}));
  EXPECT_EQ(stripped({"LD_PRELOAD=" + agent, "NVTX_INJECTION64_PATH=" + agent}, false),
            (Strings{"LD_PRELOAD=" + agent}));
  EXPECT_EQ(stripped({}), Strings{});
  char* nothing = nullptr;
  EXPECT_EQ(*strip_environment(nullptr, kAgent, true, &nothing), nullptr);
}

TEST(Environment, KnowsWhetherTheAgentIsInIt) {
  std::string agent = kAgent;
  EXPECT_TRUE(has_agent({"SEXTANT_RUN=/r", "LD_PRELOAD=" + agent}));
  EXPECT_TRUE(has_agent({"SEXTANT_RUN=/r", "LD_PRELOAD=a.so:" + agent + " b.so"}));
  EXPECT_FALSE(has_agent({"LD_PRELOAD=" + agent}));
  EXPECT_FALSE(has_agent({"SEXTANT_RUN=/r"}));
  EXPECT_FALSE(has_agent({"SEXTANT_RUN=/r", "LD_PRELOAD=" + agent + "2"}));
  EXPECT_FALSE(has_agent({"SEXTANT_RUN=/r", "LD_PRELOAD=/x" + agent}));
  EXPECT_FALSE(environment_has_agent(nullptr, kAgent));
}

class ImageTest : public ::testing::Test {
 protected:
  ImageTest() {
    char name[] = "/tmp/sextant-image-XXXXXX";
    folder_ = ::mkdtemp(name);
  }
  ~ImageTest() override {
    for (const std::string& file : files_) ::unlink(file.c_str());
    ::rmdir(folder_.c_str());
  }
  std::string write(const std::string& name, const std::string& content, mode_t mode = 0755) {
    std::string path = folder_ + "/" + name;
    std::ofstream(path, std::ios::binary) << content;
    ::chmod(path.c_str(), mode);
    files_.push_back(path);
    return path;
  }
  static std::string read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string folder_;
  std::vector<std::string> files_;
};

TEST_F(ImageTest, TellsWhatCanLoadTheAgent) {
  EXPECT_EQ(inspect_image("/bin/sh", -1), Untraced::kNo);
  EXPECT_EQ(inspect_image(SEXTANT_LOOK_STATIC, -1), Untraced::kStatic);
  EXPECT_EQ(inspect_image("/no/such/file", -1), Untraced::kNo);
  EXPECT_EQ(inspect_image(folder_.c_str(), -1), Untraced::kNo);
  EXPECT_EQ(inspect_image("/dev/null", -1), Untraced::kNo);
  EXPECT_EQ(inspect_image(write("empty", "").c_str(), -1), Untraced::kNo);
  EXPECT_EQ(inspect_image(write("text", "echo hello\n").c_str(), -1), Untraced::kNo);
}

TEST_F(ImageTest, ScriptsCountAsTheirInterpreter) {
  EXPECT_EQ(inspect_image(write("sh", "#!/bin/sh\n").c_str(), -1), Untraced::kNo);
  EXPECT_EQ(inspect_image(write("static", std::string("#!  ") + SEXTANT_LOOK_STATIC + " -x\n").c_str(), -1),
            Untraced::kStatic);
  EXPECT_EQ(inspect_image(write("second", "#!" + folder_ + "/static\n").c_str(), -1), Untraced::kStatic);
  EXPECT_EQ(inspect_image(write("loop", "#!" + folder_ + "/loop\n").c_str(), -1), Untraced::kNo);
  EXPECT_EQ(inspect_image(write("nothing", "#!\n").c_str(), -1), Untraced::kNo);
}

TEST_F(ImageTest, OtherMachinesAndDamagedHeaders) {
  std::string image = read("/bin/true");
  std::string other = image;
  other[18] = static_cast<char>(other[18] ^ 0x5a);  // e_machine
  EXPECT_EQ(inspect_image(write("machine", other).c_str(), -1), Untraced::kArchitecture);
  other = image;
  other[4] = 1;  // 32 bits
  EXPECT_EQ(inspect_image(write("class", other).c_str(), -1), Untraced::kArchitecture);
  std::string musl = image;
  size_t at = musl.find("/lib64/ld-linux-x86-64.so.2");
  if (at != std::string::npos) {
    musl.replace(at, 22, "/lib64/ld-musl-x86_64.");
    EXPECT_EQ(inspect_image(write("musl", musl).c_str(), -1), Untraced::kMusl);
  }
  for (size_t length : {4, 63, 64, 100, 500})
    inspect_image(write("cut", image.substr(0, length)).c_str(), -1);
  std::string wild = image;
  std::memset(wild.data() + 32, 0xff, 8);  // e_phoff
  EXPECT_EQ(inspect_image(write("wild", wild).c_str(), -1), Untraced::kStatic);
}

TEST_F(ImageTest, SetuidOfAnotherUser) {
  if (::getuid() != 0) GTEST_SKIP() << "needs root to give files away";
  std::string path = write("setuid", read("/bin/true"));
  ASSERT_EQ(::chown(path.c_str(), 1, 1), 0);
  ASSERT_EQ(::chmod(path.c_str(), 04755), 0);
  EXPECT_EQ(inspect_image(path.c_str(), -1), Untraced::kSetuid);
  ASSERT_EQ(::chown(path.c_str(), 0, 0), 0);
  ASSERT_EQ(::chmod(path.c_str(), 04755), 0);
  EXPECT_EQ(inspect_image(path.c_str(), -1), Untraced::kNo);
}

TEST_F(ImageTest, FindsProgramsAsExecvpDoes) {
  char path[256];
  std::string program = write("prog", "x");
  write("plain", "x", 0644);
  EXPECT_TRUE(find_program("prog", ("/no:" + folder_).c_str(), path, sizeof path));
  EXPECT_EQ(path, program);
  EXPECT_FALSE(find_program("no-such-program", ("/no:" + folder_).c_str(), path, sizeof path));
  EXPECT_TRUE(find_program("./x/y", "/bin", path, sizeof path));
  EXPECT_STREQ(path, "./x/y");
  EXPECT_TRUE(find_program("sh", nullptr, path, sizeof path));
}

TEST(Names, SameText) {
  std::string copy(100, '\0');
  for (uint32_t length : {0u, 1u, 7u, 14u, 15u, 16u, 17u, 31u, 32u, 33u, 50u}) {
    std::string text;
    for (uint32_t i = 0; i < length; ++i) text += static_cast<char>('a' + i % 26);
    copy.assign(100, '\0');
    copy.replace(0, length, text);
    EXPECT_TRUE(same_text(text.c_str(), copy.data(), length)) << length;
    EXPECT_FALSE(same_text((text + "x").c_str(), copy.data(), length)) << length;
    for (uint32_t i = 0; i < length; ++i) {
      std::string other = text;
      other[i] = '!';
      EXPECT_FALSE(same_text(other.c_str(), copy.data(), length)) << length << " " << i;
      EXPECT_FALSE(same_text(text.substr(0, i).c_str(), copy.data(), length)) << length << " " << i;
    }
  }
}

TEST(Names, Utf8) {
  char to[64];
  auto converted = [&](const wchar_t* text, size_t room) { return std::string(to, to_utf8(text, to, room)); };
  EXPECT_EQ(converted(L"", 64), "");
  EXPECT_EQ(converted(L"a\u00e4\u20ac\U0001F600", 64), "a\u00e4\u20ac\U0001F600");
  wchar_t bad[] = {L'x', 0xd800, 0x110000, -1, 0};
  EXPECT_EQ(converted(bad, 64), "x\ufffd\ufffd\ufffd");
  EXPECT_EQ(converted(L"ab\u20ac", 4), "ab");
  EXPECT_EQ(converted(L"ab\u20ac", 5), "ab\u20ac");
}

}  // namespace
}  // namespace sextant::agent

// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/tags.h"

#include <errno.h>
#include <fmt/format.h>
#include <stdio.h>
#include <sys/stat.h>

#include <fstream>

namespace sextant::serve {

namespace {

bool is_plain(const std::string& text) {
  for (const char c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return false;
  return true;
}

}  // namespace

Result<std::unique_ptr<Tags>> Tags::load(const std::string& path) {
  auto tags = std::make_unique<Tags>();
  tags->path_ = path;
  if (path.empty()) return tags;
  std::ifstream in(path);
  struct stat status {};
  if (!in && (::stat(path.c_str(), &status) == 0 || errno != ENOENT))
    return fail(ErrorCode::kDenied, fmt::format("--tags-file {}: it cannot be read", path));
  for (std::string line; std::getline(in, line) && tags->tags_.size() < kMostReports;) {
    size_t at = line.find('\t');
    std::vector<std::string>& of = tags->tags_[line.substr(0, at)];
    while (at != std::string::npos && of.size() < kMostTags) {
      const size_t next = line.find('\t', at + 1);
      of.push_back(line.substr(at + 1, next == std::string::npos ? next : next - at - 1));
      at = next;
    }
  }
  return tags;
}

std::vector<std::string> Tags::of(const std::string& file) const {
  const std::lock_guard lock(mutex_);
  const auto at = tags_.find(file);
  return at == tags_.end() ? std::vector<std::string>() : at->second;
}

Status Tags::set(const std::string& file, const std::vector<std::string>& tags) {
  if (tags.size() > kMostTags) return fail(ErrorCode::kUsage, fmt::format("at most {} tags", kMostTags));
  for (const std::string& tag : tags)
    if (tag.empty() || tag.size() > kMostLength || !is_plain(tag))
      return fail(ErrorCode::kUsage,
                  fmt::format("a tag has 1 to {} bytes, none of them a control character", kMostLength));
  if (!is_plain(file)) return fail(ErrorCode::kUsage, "a file with such a name cannot have tags");
  const std::lock_guard lock(mutex_);
  if (tags_.size() >= kMostReports && tags_.count(file) == 0)
    return fail(ErrorCode::kUsage, fmt::format("at most {} reports can have tags", kMostReports));
  const auto before = tags_;
  if (tags.empty())
    tags_.erase(file);
  else
    tags_[file] = tags;
  Status saved = save();
  if (!saved) tags_ = before;
  return saved;
}

/// Under a temporary name first, so that it is whole at every moment.
Status Tags::save() const {
  const std::string temporary = path_ + ".new";
  std::ofstream out(temporary, std::ios::trunc);
  for (const auto& [file, tags] : tags_) {
    out << file;
    for (const std::string& tag : tags) out << '\t' << tag;
    out << '\n';
  }
  out.close();
  if (!out || ::rename(temporary.c_str(), path_.c_str()) != 0)
    return fail(ErrorCode::kDenied, fmt::format("{} cannot be written", path_));
  return {};
}

}  // namespace sextant::serve

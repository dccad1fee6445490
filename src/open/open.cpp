// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "open/open.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <set>

#include "importers/nsys_sqlite.h"
#include "open/cache.h"
#include "open/nsys_program.h"
#include "query/gpu_busy.h"
#include "report/writer.h"

namespace sextant::open {

namespace {

constexpr int kMaxFolderDepth = 8;
constexpr size_t kMaxFiles = 100000;

/// A private folder that goes away with its owner, whatever is in it.
class Scratch {
 public:
  static Result<Scratch> make() {
    const char* base = std::getenv("TMPDIR");
    std::string name = std::string(base != nullptr && base[0] == '/' ? base : "/tmp") + "/sextant-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) return fail_errno(errno, "cannot make a temporary folder " + name);
    return Scratch(name);
  }
  Scratch(Scratch&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  Scratch& operator=(Scratch&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~Scratch() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  explicit Scratch(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

void tell(const OpenOptions& options, const std::string& text) {
  if (options.notice) options.notice(text);
}

/// What has to be done with a file that only nsys can read.
Error needs_nsys(const std::string& path, const Sniffed& sniffed) {
  const std::string version = sniffed.made_by.empty() ? "" : " " + sniffed.made_by;
  if (sniffed.kind == FileKind::kNsysStream)
    return {
        ErrorCode::kUnsupported,
        path + " is an unfinished recording of nsys" + version + ": with that version run `nsys import -i " +
            path +
            "` (before 2024: its program QdstrmImporter), then `nsys export --type=sqlite` on what it makes"};
  return {ErrorCode::kUnsupported,
          path + " is a report of nsys" + version +
              ", which only nsys can read: run `nsys export --type=sqlite " + path +
              "` with that version or a later one (or use --with-nsys), then open what it makes"};
}

/// The SQLite database behind a file: itself, or what nsys exports into `scratch`.
Result<std::string> database_of(const std::string& path, const Sniffed& sniffed, const OpenOptions& options,
                                const Scratch& scratch) {
  if (sniffed.kind == FileKind::kSqlite) return path;
  if (!options.with_nsys) return tl::unexpected(needs_nsys(path, sniffed));
  const char* search_path = std::getenv("PATH");
  auto nsys = find_nsys(search_path == nullptr ? "" : search_path, sniffed.made_by);
  if (!nsys) return tl::unexpected(Error(nsys.error()).with(path + " cannot be exported"));
  tell(options, path + ": exporting with " + nsys->path + " " + nsys->version);
  const std::string database = scratch.file("export.sqlite");
  SEXTANT_TRY(export_with_nsys(*nsys, path, sniffed.kind == FileKind::kNsysStream, database, scratch.path()));
  return database;
}

/// What reports say first and takes long to find out in a large one.
Status note_figures(const std::string& file, report::Writer& writer) {
  SEXTANT_ASSIGN(const query::Source source, query::Source::open(file));
  SEXTANT_ASSIGN(const std::string busy, query::gpu_busy_note(source));
  return busy.empty() ? Status() : writer.write_meta(query::kGpuBusyKey, busy);
}

Status import(const std::string& path, const Sniffed& sniffed, const ContentHash& hash,
              const OpenOptions& options, const std::string& report) {
  SEXTANT_ASSIGN(const Scratch scratch, Scratch::make());
  SEXTANT_ASSIGN(const std::string database, database_of(path, sniffed, options, scratch));
  importers::NsysImportOptions how;
  how.run_id = hash;
  how.go_on = options.go_on;
  how.progress = options.progress;
  how.source_name = path;
  how.at_end = note_figures;
  SEXTANT_TRY(importers::import_nsys_sqlite(database, report, how));
  return {};
}

Result<Opened> import_aside(const std::string& path, const Sniffed& sniffed, const OpenOptions& options) {
  SEXTANT_ASSIGN(const Scratch scratch, Scratch::make());
  SEXTANT_TRY(import(path, sniffed, {}, options, scratch.file("import.sxt")));
  SEXTANT_ASSIGN(query::Source source, query::Source::open(scratch.file("import.sxt")));
  return Opened{std::move(source), sniffed.kind, path, true};
}

bool changed_since(const std::string& path, const struct stat& before) {
  struct stat now {};
  return ::stat(path.c_str(), &now) != 0 || now.st_ino != before.st_ino || now.st_size != before.st_size ||
         now.st_mtim.tv_sec != before.st_mtim.tv_sec || now.st_mtim.tv_nsec != before.st_mtim.tv_nsec;
}

/// An import that is whole and was made from this very content.
bool sound(const query::Source& source, const ContentHash& hash) {
  const report::FileHeader& header = source.reader().header();
  return source.reader().complete() && std::equal(hash.begin(), hash.end(), header.run_id);
}

Result<Opened> open_import(const std::string& path, const Sniffed& sniffed, const OpenOptions& options) {
  if (options.no_cache) return import_aside(path, sniffed, options);
  const std::string folder =
      options.cache_folder.empty() ? Cache::default_folder().value_or("") : options.cache_folder;
  const auto cache = folder.empty()
                         ? fail(ErrorCode::kNotFound, "neither XDG_CACHE_HOME nor HOME is set")
                         : Cache::open(folder, options.cache_bytes.value_or(Cache::default_bytes()));
  if (!cache) {
    tell(options, "the import of " + path + " is not kept: " + cache.error().message);
    return import_aside(path, sniffed, options);
  }
  struct stat before {};
  if (::stat(path.c_str(), &before) != 0) return fail_errno(errno, "cannot read " + path);
  SEXTANT_ASSIGN(const ContentHash hash, hash_file(path, options.go_on));
  const std::string place = cache->place(hash, importers::kNsysImporterVersion);
  if (cache->use(place)) {
    auto source = query::Source::open(place);
    if (source && sound(*source, hash)) return Opened{std::move(*source), sniffed.kind, path, false};
  }
  if (Status made = import(path, sniffed, hash, options, place); !made) {
    if (made.error().code != ErrorCode::kIo || made.error().message.find(place) == std::string::npos)
      return tl::unexpected(made.error());
    tell(options, "the import of " + path + " is not kept: " + made.error().message);
    return import_aside(path, sniffed, options);
  }
  SEXTANT_ASSIGN(query::Source source, query::Source::open(place));
  if (changed_since(path, before)) {  // the import may be of other bytes than the hash
    ::unlink(place.c_str());
    return fail(ErrorCode::kUnsupported, path + " changed while it was read: try again when it is written");
  }
  cache->trim(place);
  return Opened{std::move(source), sniffed.kind, path, true};
}

/// Files of a folder that are to be taken, folders below it included.
void collect(const std::filesystem::path& folder, int depth, Take take, std::set<std::string>* found) {
  if (depth > kMaxFolderDepth) return;
  std::error_code error;
  std::filesystem::directory_iterator at(folder, std::filesystem::directory_options::skip_permission_denied,
                                         error);
  for (; !error && at != std::filesystem::directory_iterator() && found->size() < kMaxFiles;
       at.increment(error)) {
    std::error_code unreadable;
    if (at->is_symlink(unreadable)) continue;
    const std::string path = at->path().string();
    if (at->is_directory(unreadable)) {
      if (!path.ends_with(".run")) collect(at->path(), depth + 1, take, found);
    } else if (at->is_regular_file(unreadable)) {
      const auto sniffed = sniff(path);
      const bool named_so = take == Take::kAllNamedSo && path.ends_with(".sxt");
      if (sniffed &&
          ((sniffed->kind != FileKind::kUnknown && sniffed->kind != FileKind::kNcuReport) || named_so))
        found->insert(path);
    }
  }
}

/// Whether an export of this file of nsys lies beside it.
bool has_export(const std::string& path, const std::set<std::string>& files) {
  const auto sniffed = sniff(path);
  if (!sniffed || (sniffed->kind != FileKind::kNsysReport && sniffed->kind != FileKind::kNsysStream))
    return false;
  return files.contains(std::filesystem::path(path).replace_extension(".sqlite").string());
}

}  // namespace

Result<Opened> open_file(const std::string& path, const OpenOptions& options) {
  SEXTANT_ASSIGN(const Sniffed sniffed, sniff(path));
  switch (sniffed.kind) {
    case FileKind::kSqlite:
    case FileKind::kNsysReport:
    case FileKind::kNsysStream:
      return open_import(path, sniffed, options);
    case FileKind::kNcuReport:
      return fail(ErrorCode::kUnsupported,
                  path + " holds kernel results of ncu, which this release does not read");
    case FileKind::kFolder: {
      SEXTANT_ASSIGN(const std::vector<std::string> files, expand(std::span(&path, 1)));
      if (files.size() == 1) return open_file(files[0], options);
      return fail(ErrorCode::kUsage,
                  path + " holds " + std::to_string(files.size()) + " reports: name one of them");
    }
    case FileKind::kReport:
    case FileKind::kUnknown:
      break;
  }
  SEXTANT_ASSIGN(query::Source source, query::Source::open(path));
  return Opened{std::move(source), sniffed.kind, path, false};
}

Result<query::Source> open(const std::string& path, const OpenOptions& options) {
  SEXTANT_ASSIGN(Opened opened, open_file(path, options));
  return std::move(opened.source);
}

Result<std::vector<std::string>> expand(std::span<const std::string> paths, Take take) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    std::set<std::string> found;
    collect(path, 0, take, &found);
    const size_t before = files.size();
    for (const std::string& file : found)
      if (!has_export(file, found)) files.push_back(file);
    if (files.size() == before) return fail(ErrorCode::kNotFound, path + " holds no reports");
  }
  return files;
}

}  // namespace sextant::open

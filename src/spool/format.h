// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The run folder: what agents (inside targets) and the collector share, and all that is left of a run when
// everything was killed. Constants and layouts only; the prose is docs/formats/spool.md (sections are cited
// as §).
//
//   control                     one ControlPage, then one ProcessPage per registered process image (§2, §3)
//   free-N                      an arena that nobody has claimed yet (§4)
//   PID-STARTTIME-INSTANCE.ring an arena: header page, segment descriptors, segments (§4, §5)
//   manifest.json               who, where, options, state: for people and for `recover`
//
// All integers are little-endian, native alignment. Everything in a run folder is hostile input to whoever
// reads it: readers copy a field once, check it, and use the copy. Fields marked (A) are written by agents,
// (C) by the collector.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace sextant::spool {

inline constexpr uint32_t kControlMagic = 0x43545853;  // "SXTC"
inline constexpr uint32_t kControlDone =
    0x44545853;  // "SXTD": the report is complete, the folder is being removed
inline constexpr uint32_t kProcessMagic = 0x50545853;  // "SXTP"
inline constexpr uint32_t kArenaMagic = 0x41545853;    // "SXTA"
inline constexpr uint32_t kVersion = 1;                // agent and collector refuse any other
inline constexpr size_t kPageBytes = 4096;
inline constexpr size_t kSlotBytes = 16;

template <typename T>
using Shared = std::atomic<T>;
static_assert(Shared<uint64_t>::is_always_lock_free && Shared<uint32_t>::is_always_lock_free);

// §2
// ---------------------------------------------------------------------------------------------------------------

enum ControlFlags : uint32_t {
  kTraceNvtx = 1u << 0,
  kFiltered = 1u << 2,        // the folder has a file `filter` (spool/filter.h)
  kBlockWhenFull = 1u << 1,   // --block: wait for room (bounded) instead of dropping
  kTraceOsrt = 1u << 3,       // -t osrt, for the agent that has its hooks (§11)
  kOsrtFiles = 1u << 4,       // --osrt-file-access
  kTraceOpencl = 1u << 8,     // bits 8 and 9: OpenCL
  kForceProfiling = 1u << 9,  // --opencl-force-profiling: queues measure, also where the program did not ask
};

inline constexpr size_t kOsrtBitmapBytes = 64;

enum class CollectorState : uint32_t { kStarting = 0, kRunning = 1, kDraining = 2, kGone = 3 };

struct alignas(kPageBytes) ControlPage {
  uint32_t magic;                    // (C) written last
  uint32_t version;                  // (C)
  uint32_t clock_kind;               // (C) base::ClockKind
  uint32_t flags;                    // (C) ControlFlags
  uint8_t run_id[16];                // (C) also in the report's header
  uint64_t arena_reserve_bytes;      // (C) address space an agent maps for its arena, beyond the file's end
  uint64_t budget_bytes;             // (C) --buffer-size
  Shared<uint64_t> budget_used;      // (A)(C) allocated arena bytes of all processes
  Shared<uint32_t> pages_ready;      // (C) process pages that exist in the file
  Shared<uint32_t> pages_claimed;    // (A) next page to claim, by fetch_add; >= pages_ready: none left
  Shared<uint32_t> arenas_ready;     // (C) free-0 .. free-(n-1) have been made
  Shared<uint32_t> arenas_claimed;   // (A) next free arena to claim, by fetch_add
  Shared<uint32_t> collector_state;  // (C) CollectorState
  Shared<uint32_t> collecting;       // (C) 1: record; 0: before --delay, after --duration
  Shared<uint64_t>
      heartbeat_ns;  // (C) CLOCK_MONOTONIC of its last pass; older than 2 s: no collector answers
  Shared<uint64_t> processes_dropped;  // (A) processes that found no page
  uint32_t collector_pid;              // (C)
  uint64_t osrt_threshold;             // (C) shorter calls are not recorded; in stamps
  uint8_t
      osrt_excluded[kOsrtBitmapBytes];  // (C) bit N: function N of event/osrt_functions.def is not recorded
};
static_assert(sizeof(ControlPage) == kPageBytes);

// §3
// ---------------------------------------------------------------------------------------------------------------

enum class PageState : uint32_t {
  kFree = 0,
  kFilling = 1,
  kLive = 2,
  kDone = 3
};  // kDone (C): consumed, never reused

enum class PageOrigin : uint32_t {
  kImage = 1,  // an agent loaded by the dynamic linker or by NVTX: first image or after exec
  kFork = 2,   // a fork child that did not exec (yet)
  kUntraced =
      3,  // a note by the parent or by the process itself before exec: pid will run an image without agent
};

enum class ExitKind : uint32_t { kNone = 0, kExit = 1, kUnderscoreExit = 2, kExec = 3 };

/// Why a process image, or one of its sources, is not recorded. Text for people: event::untraced_text().
enum class Untraced : uint32_t {
  kNo = 0,
  kStatic = 1,           // no program interpreter: preload and NVTX tool cannot be loaded safely
  kSetuid = 2,           // setuid, setgid or file capabilities: the linker ignores the preload
  kArchitecture = 3,     // another machine or word size
  kMusl = 4,             // another C library: the agent stays inert
  kEnvironment = 5,      // the program started it with an environment that lacks the agent
  kOtherNvtxTool = 6,    // NVTX_INJECTION64_PATH names another tool; left to it
  kNoRunFolder = 7,      // the run folder cannot be opened from there (other uid, chroot, mount namespace)
  kOtherVersion = 8,     // agent and collector are of different versions
  kNoPage = 9,           // the process table is full
  kNoArena = 10,         // no arena could be claimed or mapped (limits, budget, disk full)
  kAgentInvisible = 11,  // the agent's file is not visible to the child (chroot)
  kSanitizer = 12,       // linked with the shared address sanitizer, which must be the first library
  kOwnTool = 13,         // sextant itself
};

enum LossReason : uint32_t {  // bits of ProcessPage::loss_reasons
  kLossBudget = 1u << 0,      // --buffer-size used up
  kLossNoSpace = 1u << 1,     // the file system would not allocate
  kLossLimits = 1u << 2,      // RLIMIT_FSIZE, RLIMIT_AS
  kLossSandbox = 1u << 3,     // seccomp or chroot: no system call allowed any more, pool used up
  kLossSegments = 1u << 4,    // segment descriptors used up
  kLossThreads = 1u << 5,     // no memory for a thread's control block
  kLossNames = 1u << 6,       // 64 MiB of names used up: "(name dropped)"
  kLossVfork = 1u << 7,       // events of a child that shares memory with its parent
  kLossTruncated = 1u << 8,   // names over kMaxNameBytes were cut
  kSharedThread =
      1u << 9,  // no loss: a clone child without thread-local storage of its own shares its parent's ring
};

inline constexpr size_t kMaxArgsBytes = 2560;
inline constexpr size_t kMaxPathBytes = 512;
inline constexpr size_t kMaxLauncherBytes = 320;

struct alignas(kPageBytes) ProcessPage {
  Shared<uint32_t> state;  // (A) PageState; kLive is stored last, with release
  uint32_t magic;          // (A)
  uint32_t version;        // (A)
  uint32_t origin;         // (A) PageOrigin
  uint32_t pid;            // (A) as the process itself sees it
  uint32_t ppid;           // (A)
  uint64_t start_time;     // (A) field 22 of /proc/PID/stat (ticks since boot); 0: unknown
  uint64_t image_id;  // (A) first 8 bytes at AT_RANDOM: the same for all agents of an image, new after exec
  uint64_t start_stamp;             // (A)
  uint64_t init_ticks;              // (A) stamps spent in the agent's own start (PROFILER_OVERHEAD)
  Shared<uint64_t> end_stamp;       // (A)
  Shared<uint32_t> exit_kind;       // (A) ExitKind: how the process said it ends; a signal leaves kNone
  Shared<int32_t> exit_code;        // (A)
  Shared<uint32_t> untraced;        // (A) Untraced
  Shared<uint32_t> nvtx_instances;  // (A) NVTX clients that attached
  Shared<uint32_t> arena;  // (A) 0: none; otherwise 1 + the number N of the claimed free-N, or UINT32_MAX:
                           // made by the agent
  uint32_t instance;       // (A) this page's own number: unique in the run, names the arena file
  Shared<uint32_t> loss_reasons;  // (A) LossReason bits
  Shared<uint32_t>
      exec_untraced;  // (A) Untraced: what the image named in `exec_path` is, when exit_kind is kExec
  Shared<uint64_t> lost_records;     // (A) records dropped
  Shared<uint64_t> lost_first;       // (A) stamp of the first dropped record
  Shared<uint64_t> lost_last;        // (A) stamp of the last dropped record
  Shared<uint64_t> names_dropped;    // (A)
  Shared<uint64_t> slow_ticks;       // (A) stamps spent in the agent's slow paths (PROFILER_OVERHEAD)
  Shared<uint32_t> hook;             // (A) crash marker: number of the hook that is active, 0: none
  uint32_t args_bytes;               // (A) bytes of the whole command line, which may be more than is kept
  uint32_t uid;                      // (A)
  char comm[16];                     // (A) /proc/PID/comm at registration
  char exe[kMaxPathBytes];           // (A) NUL-terminated, cut if longer
  char exec_path[kMaxPathBytes];     // (A) kUntraced, or kExec: the program to be run
  char args[kMaxArgsBytes];          // (A) argv, each NUL-terminated
  char launcher[kMaxLauncherBytes];  // (A) NAME=value of the variables in spool/launcher.h, each
                                     // NUL-terminated; behind the last one a NUL
};
static_assert(sizeof(ProcessPage) == kPageBytes);

// §4
// ---------------------------------------------------------------------------------------------------------------

inline constexpr uint32_t kMaxSegments = 1024;
inline constexpr uint32_t kMaxOffers = 128;
inline constexpr size_t kSegmentClass0Bytes = 4096;   // class c holds kSegmentClass0Bytes << c
inline constexpr uint32_t kSegmentClasses = 12;       // the largest: 8 MiB
inline constexpr uint32_t kStringClass = 4;           // string segments are at least 64 KiB
inline constexpr size_t kMaxStringBytes = 64u << 20;  // a process
inline constexpr size_t kMaxNameBytes = 60000;        // longer names are cut there (at a UTF-8 boundary)

enum class SegmentState : uint32_t {
  kNone = 0,       // descriptor reserved, its memory not (yet) allocated; stays so when allocation failed
  kFree = 1,       // zeroed, waiting to be taken
  kRing = 2,       // the current segment of a ring
  kClosed = 3,     // the ring went on to another segment or its thread ended
  kStrings = 4,    // holds names until the process ends
  kRecycling = 5,  // (C) drained, being zeroed
  kCalls = 6,      // CallsInProgress of kThreadsOfCalls threads, until the process ends (§11)
};

struct alignas(64) SegmentDescriptor {
  Shared<uint32_t> state;   // SegmentState
  uint32_t size_bytes;      // kSegmentClass0Bytes << class
  uint64_t offset;          // in the arena file; a multiple of kPageBytes
  uint32_t tid;             // (A) owner
  uint32_t ring;            // (A) serial number of the owning ring in this arena, from 1, never reused
  uint64_t first_sequence;  // (A) sequence number of slot 0: the previous segment's + its slots
  uint32_t used;  // (A) slots (kStrings: 16-byte units) reserved; may overshoot the size. Own-thread xadd
  Shared<uint32_t> consumed;  // (C) slots whose rows are in the report
  Shared<uint64_t> lost;      // (A) records this ring dropped after its previous segment was full
  uint8_t pad[8];
};
static_assert(sizeof(SegmentDescriptor) == 64);

struct alignas(kPageBytes) ArenaHeader {
  uint32_t magic;  // (C, or A where it makes the arena) written last
  uint32_t version;
  uint32_t arena_number;           // N of free-N, or UINT32_MAX
  uint32_t pid;                    // (A) once claimed
  uint64_t start_time;             // (A)
  uint32_t instance;               // (A)
  Shared<uint32_t> segment_count;  // (A)(C) descriptors reserved; agents never pass kMaxSegments
  Shared<uint64_t> file_bytes;     // (A)(C) file offset of the next segment; from kSegmentsOffset on
  Shared<uint32_t> next_ring;      // (A) last ring serial given
  Shared<uint32_t>
      wanted_class;  // (A) 1 + largest class that was looked for and not found; (C) takes it to 0
  Shared<uint32_t>
      offers[kMaxOffers];  // 0: empty, else 1 + descriptor index of a kFree segment; taken by exchange(0)
};
static_assert(sizeof(ArenaHeader) == kPageBytes);

inline constexpr size_t kDescriptorsOffset = kPageBytes;
inline constexpr size_t kSegmentsOffset = kPageBytes + kMaxSegments * sizeof(SegmentDescriptor);

// §5
// ---------------------------------------------------------------------------------------------------------------

enum class Kind : uint8_t {  // bits 0-7 of Slot::stamp_kind; 0: reserved, not (yet) filled
  kNone = 0,
  kPush = 1,          // 1 slot, or 3 with Attributes
  kPop = 2,           // 1 slot
  kMark = 3,          // 1 slot, or 3 with Attributes
  kStart = 4,         // 2 slots (range id), or 4 (range id, Attributes)
  kEnd = 5,           // 2 slots (range id)
  kThreadName = 6,    // 2 slots: a = tid
  kCategoryName = 7,  // 2 slots: a = category
  kDomain = 8,        // 1 slot: domain id gets the name
  kDomainEnd = 9,     // 1 slot: the domain was destroyed
  kResource = 10,     // 3 slots: a = identifier, b = ResourceAction << 32 | type; a = handle
  kSync = 11,         // 2 slots: a = object, b = SyncAction
  kMemory = 12,       // 4 slots: MemorySlots
  kRegister = 13,     // 2 slots: name = the description's bytes (§5.1), a = id, b = Registered
  kPayload = 14,      // 4 slots: PayloadSlots, the beginning of a payload
  kPayloadPart = 15,  // 4 slots: 48 more bytes of it; name = number of the part, from 1
  kCounter = 16,      // 2 slots: a = counter, b = bits of the value or a reason; flags: CounterFlags
  kUnknownCall = 17,  // 1 slot: a function that this release does not know; name = its module
  kOsrtCall = 18,     // 2 slots: OsrtSlot; 3 with kOsrtNamed: OsrtNameSlot. domain = function (§11)
  // 30 to 49: OpenCL (spool/opencl.h); `domain` of their first slot is no NVTX domain
  kClCall = 30,      // 2 slots: a call that enqueues nothing
  kClEnqueue = 31,   // 3 slots: a call that enqueues a command
  kClDone = 32,      // 6 slots: a command is complete, with all that is known of it
  kClObject = 33,    // 2 slots: a platform, device, context, queue or program
  kClClock = 34,     // 2 slots: the device's clock, read between two stamps
  kClBuild = 35,     // 4 slots: a program was built
  kClUntraced = 36,  // 2 slots: an entry point that is not traced
  kVoid = 255,       // abandoned reservation
};

struct Slot {           // the first slot of every record
  uint64_t stamp_kind;  // stamp << 8 | Kind; stored last, with release: a record is whole or not there
  uint32_t name;        // string id (§6), 0: no name
  uint16_t domain;      // per-process domain id, 0: default
  uint8_t slots;        // length of the record; stored before anything else of the record
  uint8_t flags;        // RecordFlags
};
static_assert(sizeof(Slot) == kSlotBytes);

enum RecordFlags : uint8_t {
  kHasAttributes = 1,
  kRegisteredName = 2,  // the client passed a registered string
  kNameOfSystem = 4,    // kThreadName: what the system calls the thread, which counts less than NVTX's name
};

struct ValueSlot {  // kStart, kEnd: a = range id; kThreadName: a = tid; kCategoryName: a = category
  uint64_t a;
  uint64_t b;
};

enum class PayloadType : uint8_t {
  kNone = 0,
  kUint64 = 1,
  kInt64 = 2,
  kDouble = 3,
  kUint32 = 4,
  kInt32 = 5,
  kFloat = 6,
  kExtended = 7,  // the value is the number of an event (PayloadSlots::event)
};

/// kPayload: two slots, then the first 16 bytes. The data go on in kPayloadPart records of the same thread.
struct PayloadSlots {
  uint64_t event;    // joins with AttributesSlots::payload where payload_type is kExtended
  uint64_t schema;   // of the client, or a predefined type
  uint64_t address;  // where it was: pointers in other payloads of the event lead here
  uint32_t bytes;    // in all, without what was cut
  uint16_t index;    // of the event's payloads
  uint16_t use;      // PayloadUse
};
static_assert(sizeof(PayloadSlots) == 2 * kSlotBytes);
inline constexpr size_t kFirstPayloadBytes = 16, kPartBytes = 48;
inline constexpr uint32_t kMaxPayloadBytes = 64u << 10;
inline constexpr uint16_t kCopiedText = 0xffff;  // PayloadSlots::index: a text that a payload points to

/// How a payload belongs to its event. The low byte; bits above: PayloadUseFlags.
enum class PayloadUse : uint8_t {
  kEvent = 0,        // of the event whose record names it, behind this one
  kPop = 1,          // of the range that the next kPop of this thread and domain closes
  kEnd = 2,          // `event` is the id of a start/end range
  kSample = 3,       // `event` is a counter: one sample
  kSampleBatch = 4,  // likewise, many; the next payload with index 1 has their times
  kSubmitted = 5,    // an event of its own, with its times inside
  kBatch = 6,        // likewise, many
};
enum PayloadUseFlags : uint16_t {
  kLastPayload = 1 << 8,  // no other payload of this event follows
  kPayloadCut = 1 << 9,   // it was longer than kMaxPayloadBytes
};

enum CounterFlags : uint8_t { kCounterReal = 1, kCounterMissing = 2 };
enum class ResourceAction : uint8_t { kName = 0, kDestroy = 1 };
enum class SyncAction : uint8_t {
  kCreate = 1,
  kDestroy = 2,
  kAcquireStart = 3,
  kAcquireFailed = 4,
  kAcquireSuccess = 5,
  kReleasing = 6
};

/// What kMemory says: the numbers are those of NVTX's memory functions.
struct MemorySlots {  // three slots
  uint64_t object;    // heap, region or permissions
  uint32_t action;    // number of the function
  uint32_t flags;     // usage of a heap, permissions, flags of the call
  uint64_t address;
  uint64_t bytes;
  uint64_t parent;  // heap of a region, permissions that it is assigned to
  uint32_t category;
  uint32_t type;  // of the memory, or of the reference
};
static_assert(sizeof(MemorySlots) == 3 * kSlotBytes);

/// What kRegister describes (§5.1).
enum class Registered : uint8_t {
  kSchema = 1,
  kEnum = 2,
  kScope = 3,
  kCounter = 4,
  kTimeDomain = 5,
  kTimeSync = 6,
};

/// kOsrtCall: a call of the C library that returned. The stamp is its beginning; `name` is what OsrtFlags
/// say.
struct OsrtSlot {
  uint64_t duration_error;  // stamps, at most kOsrtMaxDuration, and errno << 48 where it failed
  uint64_t value;           // the result; with kOsrtWide the object (Slot::name is the result then)
};
inline constexpr uint64_t kOsrtMaxDuration = (uint64_t{1} << 48) - 1;
enum OsrtFlags : uint8_t {
  kOsrtWide = 1,    // the object has 64 bits
  kOsrtWaits = 2,   // the time was waiting for others
  kOsrtFailed = 4,  // errno says why
  kOsrtNamed = 8,   // a third slot follows
  kOsrtDetail =
      16,  // a second argument in 32 bits (event::OsrtDetail), where the function's table line has one
  kOsrtUnfinished = 32,  // the call has not returned: its thread ended in it; duration until then
};
/// Of calls about files where those are recorded.
struct OsrtNameSlot {
  uint64_t file;  // number of the file in this process, as an opening call gave it; 0: not known
  uint64_t text;  // string id of the path, 0: none
};

/// A call that has not returned: what its record would be, as far as it is known before. One line of the
/// processor's cache a thread: the call, and one that a signal handler makes in the middle of it.
struct CallInProgress {
  Shared<uint64_t>
      first;  // (A) as the record's first word; 0: none. Stored last; 0 again once the call has returned
  Shared<uint64_t> second;  // (A) as the record's second word
  Shared<uint64_t> value;   // (A) as OsrtSlot::value
  Shared<uint64_t> tid;     // (A)
};
struct alignas(64) CallsInProgress {
  CallInProgress call[2];
};
inline constexpr uint32_t kThreadsOfCalls = kSegmentClass0Bytes / sizeof(CallsInProgress);

struct AttributesSlots {  // two slots
  uint32_t color;         // ARGB
  uint32_t category;
  uint8_t has_color;
  uint8_t payload_type;  // PayloadType
  uint8_t pad[6];
  uint64_t payload;  // the client's bits, zero-extended
  uint64_t reserved;
};
static_assert(sizeof(AttributesSlots) == 2 * kSlotBytes);

// §6
// ---------------------------------------------------------------------------------------------------------------

/// A name in a kStrings segment, 16-byte aligned. Its id is its offset in the arena file / 16.
struct StringHeader {
  Shared<uint32_t> bytes_plus_1;  // stored last, with release; 0: not (yet) there
  uint32_t hash;
  // bytes follow, then at least one NUL
};
static_assert(sizeof(StringHeader) == 8);

inline constexpr uint32_t kNameDropped = 1;  // the id of "(name dropped)": no string lies at offset 16

}  // namespace sextant::spool

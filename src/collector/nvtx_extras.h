// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// NvtxExtras: an instance's records beside ranges and marks: names of resources, synchronisation objects,
// memory, registrations, payloads, counters. They become rows here. Payloads come in pieces, ring by ring; a
// piece that is missing (lost, killed in the middle) costs its payload, counted. Not thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "collector/extra_rows.h"
#include "collector/names.h"
#include "collector/nvtx_schemas.h"
#include "collector/payload_decoder.h"
#include "spool/reader.h"

namespace sextant::collector {

struct ExtraCounts {
  uint64_t samples = 0;  // of counters
  uint64_t payloads = 0;
  uint64_t incomplete = 0;     // payloads of which a piece is missing
  uint64_t no_schema = 0;      // payloads and samples whose layout is not known
  uint64_t damaged = 0;        // descriptions that make no sense
  uint64_t unknown_calls = 0;  // functions that this release does not know
};

class NvtxExtras {
 public:
  struct Origin {
    uint32_t process = 0, page = 0;
    uint64_t tid = 0;
    uint32_t ring = 0;
  };
  /// The report's string ids of a record's name and domain.
  struct Names {
    uint32_t name = 0, domain = 0;
  };

  explicit NvtxExtras(report::Writer& writer) : writer_(writer) {}

  const ExtraCounts& counts() const { return counts_; }

  /// Whether a record needs a description that another thread has yet to tell.
  bool must_wait(const spool::Record& record, uint32_t ring) const;

  /// A record of the kinds that are none of ranges, marks, and their names.
  void take(const spool::Record& record, uint64_t stamp, const Origin& origin, const Names& names,
            ExtraRows* to);

  /// A registration, whose description is the name of its record.
  void registered(const spool::Record& record, const std::string& description, const Origin& origin,
                  uint32_t domain, ExtraRows* to);
  /// The same out of a report, for recovery: no rows.
  void restore(uint16_t domain, uint64_t what, uint64_t id, std::string_view description);

  /// The message that an event's payload gave, once. 0: none.
  uint32_t take_message(uint64_t event);

  /// A payload for the range that the next pop closes: the event of that range, given the payload's own.
  std::function<uint64_t(uint16_t domain, uint64_t event)> link_pop;

  /// A new report begins: everything that is known goes into it. `domain_of`: the string of a domain.
  void begin_report(uint32_t process, uint32_t page, const std::function<uint32_t(uint16_t)>& domain_of,
                    ExtraRows* to);

 private:
  struct Piece {
    spool::PayloadSlots head{};
    std::vector<uint8_t> bytes;
  };
  struct Pending {
    std::vector<Piece> pieces;  // the last one may lack bytes
    uint16_t domain = 0;
    uint64_t stamp = 0;
    bool active = false;
  };

  void begin_piece(const spool::Record& record, uint64_t stamp, const Origin& origin, const Names& names,
                   ExtraRows* to);
  void add_part(const spool::Record& record, const Origin& origin, const Names& names, ExtraRows* to);
  void finish_if_whole(Pending* pending, const Origin& origin, const Names& names, ExtraRows* to);
  void event_payloads(const Pending& pending, const Origin& origin, const Names& names, ExtraRows* to);
  void one_payload(PayloadDecoder& decoder, const Pending& pending, const Piece& piece, uint64_t event,
                   const Origin& origin, const Names& names, ExtraRows* to);
  void sample_payload(const Pending& pending, const Origin& origin, const Names& names, ExtraRows* to);
  void add_sample(uint64_t stamp, const Origin& origin, uint32_t domain, uint64_t counter,
                  const PayloadValue& value, int64_t given, ExtraRows* to);
  void add_rows(uint32_t process, uint32_t page, uint16_t domain_id, uint32_t domain, spool::Registered what,
                uint64_t id, std::string_view description, ExtraRows* to);

  report::Writer& writer_;
  Schemas schemas_;
  ExtraCounts counts_;
  std::map<uint32_t, Pending> pending_;              // by ring
  std::unordered_map<uint64_t, uint32_t> messages_;  // by event
};

}  // namespace sextant::collector

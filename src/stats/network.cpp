// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// network_congestion: times in which a network port had something to send and could not, more than
// `ticks_threshold` ticks a millisecond.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "event/schema_system.h"
#include "event/schema_target.h"
#include "query/sums.h"
#include "stats/cuda_names.h"
#include "stats/reports.h"

namespace sextant::stats {

namespace {

using enum text::CellType;

struct Wait {
  int64_t start_ns, duration_ns;
  double rate;  // ticks a millisecond
  std::string guid, name;
};

constexpr uint64_t kCard = 0;  // network_sample.device_kind

/// Whether a metric counts ticks of waiting: "IB: Send waits", "port_xmit_wait".
bool is_wait_metric(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return name.find("send wait") != std::string::npos || name.find("xmit_wait") != std::string::npos ||
         name.find("xmitwait") != std::string::npos;
}

using Metric = std::pair<uint64_t, uint64_t>;  // list and index

Result<std::map<Metric, bool>> wait_metrics(const query::Source& source) {
  namespace col = event::network_metric;
  const uint16_t columns[] = {col::kList, col::kIndex, col::kName};
  SEXTANT_ASSIGN(const query::TableBatch b, source.read_table(event::kNetworkMetric, columns));
  std::map<Metric, bool> metrics;
  for (size_t i = 0; i < b.rows; ++i)
    metrics[{b.columns[0][i], b.columns[1][i]}] = is_wait_metric(display(source, b.columns[2][i]));
  return metrics;
}

struct Card {
  std::string guid, name;
};

/// Network cards by the number that samples have.
Result<std::map<uint64_t, Card>> load_cards(const query::Source& source) {
  namespace col = event::network_card;
  const uint16_t columns[] = {col::kGuid, col::kNic, col::kName};
  SEXTANT_ASSIGN(const query::TableBatch b, source.read_table(event::kNetworkCard, columns));
  std::map<uint64_t, Card> by_number;
  for (size_t i = 0; i < b.rows; ++i)
    by_number[b.columns[1][i]] = {fmt::format("0x{:X}", b.columns[0][i]), display(source, b.columns[2][i])};
  const uint16_t id_columns[] = {event::network_card_id::kNic, event::network_card_id::kDevice};
  SEXTANT_ASSIGN(const query::TableBatch ids, source.read_table(event::kNetworkCardId, id_columns));
  std::map<uint64_t, Card> cards;
  for (size_t i = 0; i < ids.rows; ++i) cards[ids.columns[1][i]] = by_number[ids.columns[0][i]];
  return cards;
}

}  // namespace

Result<text::Table> make_network_congestion(const query::Source& source, const ReportArguments& arguments) {
  using namespace event::network_sample;
  SEXTANT_ASSIGN(auto metrics, wait_metrics(source));
  SEXTANT_ASSIGN(auto cards, load_cards(source));
  auto waits = std::make_shared<std::vector<Wait>>();
  const uint16_t columns[] = {kStart, kDuration, kDeviceKind, kDevice, kMetricList, kMetric, kValue};
  SEXTANT_TRY(source.scan_table(event::kNetworkSample, columns, 1, [&](size_t, query::TableBatch& b) {
    const auto& c = b.columns;
    for (size_t i = 0; i < b.rows; ++i) {
      if (c[1][i] == 0 || !metrics[{c[4][i], c[5][i]}]) continue;
      const double rate = static_cast<double>(c[6][i]) * 1e6 / static_cast<double>(c[1][i]);
      if (rate <= arguments.ticks) continue;
      const auto card = c[2][i] == kCard ? cards.find(c[3][i]) : cards.end();
      const Card known = card == cards.end() ? Card{fmt::format("0x{:X}", c[3][i]), ""} : card->second;
      waits->push_back(
          {static_cast<int64_t>(c[0][i]), static_cast<int64_t>(c[1][i]), rate, known.guid, known.name});
    }
  }));
  std::stable_sort(waits->begin(), waits->end(),
                   [](const Wait& a, const Wait& b) { return a.start_ns < b.start_ns; });
  text::Table table;
  table.columns = {{"Start", "ns", kInteger},    {"End", "ns", kInteger},
                   {"Duration", "ns", kInteger}, {"Send wait rate", "ticks/ms", kReal},
                   {"GUID", "", kText},          {"Name", "", kText}};
  table.rows = waits->size();
  if (table.rows == 0)
    table.why_empty = source.rows(event::kNetworkSample) == 0
                          ? why_nothing(source, "samples of network devices", "them")
                          : fmt::format("No network port waited for more than {:.0f} ticks a millisecond.",
                                        arguments.ticks);
  table.fill = [waits](uint64_t row, std::span<text::Cell> cells) {
    const Wait& wait = (*waits)[row];
    cells[0].set(wait.start_ns);
    cells[1].set(query::sum(wait.start_ns, wait.duration_ns));
    cells[2].set(wait.duration_ns);
    cells[3].set(wait.rate);
    cells[4].set(std::string_view(wait.guid));
    cells[5].set(std::string_view(wait.name));
  };
  return table;
}

}  // namespace sextant::stats

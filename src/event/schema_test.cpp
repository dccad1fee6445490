// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "event/schema.h"

#include <gtest/gtest.h>

#include <set>

#include "event/opencl_commands.h"
#include "event/schema_cuda.h"

namespace sextant::event {
namespace {

TEST(Schema, NumbersAndNamesAreUnique) {
  std::set<uint16_t> ids;
  std::set<std::string_view> names;
  for (const Table& table : tables()) {
    EXPECT_TRUE(ids.insert(table.id).second) << table.name;
    EXPECT_TRUE(names.insert(table.name).second) << table.name;
    EXPECT_LE(table.key_columns, table.columns.size());
    EXPECT_FALSE(table.meaning.empty()) << table.name;
    std::set<uint16_t> column_ids;
    std::set<std::string_view> column_names;
    for (const Column& column : table.columns) {
      EXPECT_TRUE(column_ids.insert(column.id).second) << table.name << "." << column.name;
      EXPECT_TRUE(column_names.insert(column.name).second) << table.name << "." << column.name;
      EXPECT_FALSE(column.meaning.empty()) << table.name << "." << column.name;
      EXPECT_EQ(table.find(column.name), &column);
    }
  }
}

TEST(Schema, TablesWithMissingValuesHaveTheirNullsAtTheEnd) {
  for (const Table& table : tables()) {
    const Column* nulls = table.find("nulls");
    if (nulls == nullptr) continue;
    EXPECT_EQ(nulls, &table.columns.back()) << table.name;
    EXPECT_EQ(nulls->id, kNullsColumn) << table.name;
    for (const Column& column : table.columns.first(table.columns.size() - 1))
      EXPECT_LT(column.id, kNullsColumn) << table.name << "." << column.name;
  }
  EXPECT_TRUE(is_null(uint64_t{1} << 62, 62));
  EXPECT_FALSE(is_null(~(uint64_t{1} << 5), 5));
}

TEST(Schema, IsOrderedByNumberAndLeavesForeignNumbersAlone) {
  for (size_t i = 1; i < tables().size(); ++i) EXPECT_LT(tables()[i - 1].id, tables()[i].id);
  EXPECT_LT(tables().back().id, kFirstForeignTable);
}

TEST(Schema, FindsByNumberAndName) {
  ASSERT_NE(find_table(kNvtxRange), nullptr);
  EXPECT_EQ(find_table("nvtx_range"), find_table(kNvtxRange));
  EXPECT_EQ(find_table("nothing"), nullptr);
  EXPECT_EQ(find_table(uint16_t{9999}), nullptr);
  EXPECT_EQ(find_table(kNvtxRange)->find("nothing"), nullptr);
}

TEST(Schema, NvtxTablesShareTheirColumnNumbers) {
  for (uint16_t id : {kNvtxRange, kNvtxMark, kNvtxStart, kNvtxEnd, kNvtxOpen}) {
    const Table* table = find_table(id);
    EXPECT_EQ(table->find("process")->id, nvtx::kProcessId);
    EXPECT_EQ(table->find("tid")->id, nvtx::kTid);
    EXPECT_EQ(table->find("start")->id, nvtx::kStart);
  }
}

TEST(Schema, WorkOfOpenclHasTheColumnNumbersOfCudas) {
  for (const uint16_t id : {kOpenclKernel, kOpenclMemory, kOpenclSync}) {
    const Table* table = find_table(id);
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(table->find("start")->id, cuda_kernel::kStart) << table->name;
    EXPECT_EQ(table->find("duration")->id, cuda_kernel::kDuration) << table->name;
    EXPECT_EQ(table->find("process")->id, cuda_kernel::kProcess) << table->name;
    EXPECT_EQ(table->find("device")->id, cuda_kernel::kDevice) << table->name;
    EXPECT_EQ(table->find("context")->id, cuda_kernel::kContext) << table->name;
    EXPECT_EQ(table->find("queue")->id, cuda_kernel::kStream) << table->name;
    EXPECT_EQ(table->find("correlation")->id, cuda_kernel::kCorrelation) << table->name;
  }
  EXPECT_EQ(find_table(kOpenclKernel)->find("name")->id, cuda_kernel::kName);
  EXPECT_EQ(find_table(kOpenclKernel)->find("global_x")->id, cuda_kernel::kGridX);
  EXPECT_EQ(find_table(kOpenclKernel)->find("local_z")->id, cuda_kernel::kBlockZ);
  EXPECT_EQ(find_table(kOpenclMemory)->find("bytes")->id, cuda_memcpy::kBytes);
  for (const char* name : {"start", "duration", "process", "tid", "correlation", "name", "return_value"})
    EXPECT_EQ(find_table(kOpenclApi)->find(name)->id, find_table(kCudaApi)->find(name)->id) << name;
}

TEST(Schema, OpenclCommandsAreFoundByNumber) {
  for (const OpenclCommand& command : opencl_commands()) {
    EXPECT_EQ(find_opencl_command(command.number), &command);
    EXPECT_EQ(command.table == kOpenclMemory, command.transfer != Transfer::kNone) << command.label;
  }
  EXPECT_EQ(opencl_command_label(0x11F4), "[OpenCL write buffer]");
  EXPECT_EQ(opencl_command_label(0), "[OpenCL command]");
  EXPECT_EQ(find_opencl_command(0x120F), nullptr);
}

}  // namespace
}  // namespace sextant::event

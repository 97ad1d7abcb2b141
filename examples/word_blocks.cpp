// SPDX-License-Identifier: Apache-2.0
// Counts the words of text files in blocks of 1,000 lines, numbered through all files. The program
// starts the job as a process of its own, kills it in the middle, starts it again, and compares
// what it has written with an independent computation.
#include <string_view>

#include "weir/connectors/file_sink.hpp"
#include "weir/connectors/line_file_source.hpp"
#include "weir/dataflow/stream.hpp"
#include "weir/windowing/tumbling_windows.hpp"

#include "examples/support/block_rows.hpp"
#include "examples/support/example_program.hpp"
#include "examples/support/line_reference.hpp"

namespace {

using namespace std::chrono_literals;
using example::job_arguments;
using weir::connectors::text_line;

constexpr std::int64_t lines_per_block = 1'000;

struct word_count {
  std::int64_t block = 0;
  std::string word;
  std::int64_t count = 0;
};

void split(const text_line& line, weir::collector<std::string>& out) {
  constexpr std::string_view blanks = " \t\n\v\f\r";
  const std::string_view text = line.text;
  for (std::size_t begin = 0; (begin = text.find_first_not_of(blanks, begin)) != text.npos;) {
    const auto end = std::min(text.find_first_of(blanks, begin), text.size());
    out.collect(std::string{text.substr(begin, end - begin)});
    begin = end;
  }
}

struct count_words {
  using accumulator = std::int64_t;

  void add(const std::string&, accumulator& count) const { ++count; }
  void merge(const accumulator& from, accumulator& into) const { into += from; }
  std::int64_t get_result(const accumulator& count) const { return count; }
};

struct to_word_count {
  void process_record(const std::string& word, const weir::time_window& window, std::int64_t count,
                      weir::collector<word_count>& out) const {
    out.collect({window.start.ms / lines_per_block, word, count});
  }
};

struct as_row {
  void operator()(std::string& out, const word_count& row) const {
    weir::print_value(out, row.block);
    out += '|' + row.word + '|';
    weir::print_value(out, row.count);
  }
};

void describe(weir::environment& env, const job_arguments& arguments,
              std::shared_ptr<example::read_log> log) {
  weir::connectors::file_sink_options options;
  options.folder = arguments.output_folder("words");
  const weir::connectors::line_file_source lines{arguments.input};
  // A line's number is its time, in milliseconds: a block is a window then.
  const auto time_of = [](const text_line& line) {
    return weir::event_time{static_cast<std::int64_t>(line.number)};
  };
  env.from_source(example::noting_source{lines, std::move(log)})
      .name("lines")
      .uid("lines")
      .assign_timestamps_and_watermarks(weir::monotonous_timestamps().timestamps(time_of).emit(
          weir::watermark_emission::periodic, 20ms))
      .uid("watermarks")
      .flat_map<std::string>(split)
      .name("words")
      .key_by([](const std::string& word) -> const std::string& { return word; })
      .window(weir::tumbling_event_time(weir::duration{lines_per_block}))
      .aggregate(count_words{}, to_word_count{})
      .name("words per block")
      .uid("words-per-block")
      .sink_to(weir::connectors::file_sink<word_count, as_row>{options})
      .uid("word-files");
}

weir::result<example::verdict> verify(const job_arguments& arguments) {
  word_blocks::block_rows published{arguments.output_folder("words")};
  weir::status equal;
  const auto lines = word_blocks::read_line_reference(
      arguments.input, lines_per_block,
      [&](std::uint64_t block, const std::vector<std::string>& rows) {
        if (equal) equal = published.compare_next(block, rows);
      });
  if (equal) equal = published.finish();
  if (!equal) return std::move(equal).failure();
  if (lines == 0) return weir::error{weir::errc::io_error, "the input cannot be read any more"};
  return example::verdict{lines, {{"words", published.size(), "an independent computation"}}};
}

}  // namespace

int main(int argc, char** argv) {
  return example::run_example(
      {"word_blocks", example::input_kind::files, "lines", describe, verify}, argc, argv);
}

import LifecycleModel

/// Where the events of a text stand in it, by their lines.
///
/// Memory: a byte an event, much less where a writer has several lines in a row, and some bytes where the
/// lines of a text are in disorder. Reading one line: a binary search, and a walk over at most 512 events.
public struct EventLines: Sendable {
  /// The events of one writer, in the order of their sequences.
  private struct Column: Sendable {
    /// Where the walk to an event begins.
    struct Mark: Sendable {
      var sequence: UInt64
      var line: Int
      /// Where the step to the event after it lies.
      var offset: Int
    }

    static let stride = 512
    static let longestRun: UInt8 = 128
    var marks: [Mark] = []
    /// The steps from event to event.
    ///
    /// A byte below 128 stands for so many steps and one more to the next line each; others stand for a
    /// step of the line, and 255 stands before the steps of both numbers.
    var steps: [UInt8] = []
    /// Whether the last byte stands for steps to the next line.
    var isRun = false
    var count = 0
    var sequence: UInt64 = 0
    var line = 0

    mutating func append(_ sequence: UInt64, line: Int) {
      if count % Column.stride == 0 {
        marks.append(Mark(sequence: sequence, line: line, offset: steps.count))
        isRun = false
      } else if sequence == self.sequence &+ 1, line == self.line + 1 {
        appendNext()
      } else {
        let step = zigzag(line - self.line)
        isRun = false
        if sequence == self.sequence &+ 1, step < 255 - UInt64(Column.longestRun) {
          steps.append(UInt8(step) + Column.longestRun)
        } else {
          steps.append(255)
          appendNumber(sequence &- self.sequence)
          appendNumber(step)
        }
      }

      (self.sequence, self.line) = (sequence, line)
      count += 1
    }

    private mutating func appendNext() {
      if isRun, steps[steps.count - 1] < Column.longestRun - 1 {
        steps[steps.count - 1] += 1
      } else {
        steps.append(0)
        isRun = true
      }
    }

    func line(of sequence: UInt64) -> Int? {
      let next = marks.partition { $0.sequence > sequence }
      guard next > 0 else { return nil }
      var mark = marks[next - 1]
      let end = next < marks.count ? marks[next].offset : steps.count
      while mark.sequence < sequence, mark.offset < end { step(&mark, to: sequence) }
      return mark.sequence == sequence ? mark.line : nil
    }

    private func step(_ mark: inout Mark, to sequence: UInt64) {
      let step = steps[mark.offset]
      mark.offset += 1
      if step < Column.longestRun {
        let count = min(UInt64(step) + 1, sequence &- mark.sequence)
        mark.sequence &+= count
        mark.line += Int(count)
      } else if step < 255 {
        mark.sequence &+= 1
        mark.line += unzigzag(UInt64(step - Column.longestRun))
      } else {
        mark.sequence &+= number(&mark.offset)
        mark.line += unzigzag(number(&mark.offset))
      }
    }

    private mutating func appendNumber(_ number: UInt64) {
      var rest = number
      while rest >= 0x80 {
        steps.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      steps.append(UInt8(rest))
    }

    private func number(_ offset: inout Int) -> UInt64 {
      var number: UInt64 = 0
      var shift: UInt64 = 0
      while steps[offset] >= 0x80 {
        number |= UInt64(steps[offset] & 0x7f) << shift
        shift += 7
        offset += 1
      }
      number |= UInt64(steps[offset]) << shift
      offset += 1
      return number
    }

    private func zigzag(_ step: Int) -> UInt64 {
      UInt64(bitPattern: Int64((step << 1) ^ (step >> 63)))
    }

    private func unzigzag(_ step: UInt64) -> Int { Int(step >> 1) ^ -Int(step & 1) }
  }

  private var columns: [Column] = []
  private var isSaidByEvents = false
  /// Gaps stand outside the count of sequences.
  private var gaps: [Event: UInt32] = [:]

  /// Makes lines of no events.
  public init() {}

  /// The lines of a text whose events say them themselves, `line=33`, as those of a console do.
  public static let saidByEvents = {
    var lines = EventLines()
    lines.isSaidByEvents = true
    return lines
  }()

  /// Notes the line, from 1, of an event that has its sequence; those of a writer come in order.
  public mutating func append(_ event: Event, line: Int) {
    guard event.sequence > 0 else {
      if gaps[event] == nil { gaps[event] = UInt32(clamping: line) }
      return
    }
    let writer = Int(event.writer.rawValue)
    while columns.count <= writer { columns.append(Column()) }
    columns[writer].append(event.sequence, line: line)
  }

  /// The line of an event, from 1; `nil` when it is not of this text.
  ///
  /// Of gaps that say the same at the same instant it is the first.
  public func line(of event: Event, in vocabulary: Vocabulary) -> Int? {
    if isSaidByEvents {
      return vocabulary.attributes(event.attributes)[.line].flatMap { Int($0) }
        .flatMap { $0 > 0 ? $0 : nil }
    }
    guard event.sequence > 0 else { return gaps[event].map { Int($0) } }
    let writer = Int(event.writer.rawValue)
    return columns.indices.contains(writer) ? columns[writer].line(of: event.sequence) : nil
  }
}

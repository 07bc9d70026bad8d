import LifecycleModel

extension TraceNotation {
  /// Prints events of one vocabulary.
  public struct Printer {
    /// The words that the events refer to.
    public let vocabulary: Vocabulary
    private let names = PrintedTexts()
    private let labels = PrintedTexts()

    /// Makes a printer for events of `vocabulary`.
    public init(vocabulary: Vocabulary) {
      self.vocabulary = vocabulary
    }

    /// The line of `event`, without the end of the line.
    public func line(_ event: Event) -> String {
      var bytes: [UInt8] = []
      append(event, to: &bytes)
      return String(decoding: bytes.dropLast(), as: UTF8.self)
    }

    /// Appends the line of `event` and the end of the line.
    ///
    /// Cost: no allocation but `bytes`' own.
    public func append(_ event: Event, to bytes: inout [UInt8]) {
      let start = bytes.count
      InstantText.append(event.instant.nanoseconds, to: &bytes)
      pad(&bytes, from: start, to: 10)
      appendWord(vocabulary.name(of: event.writer), to: &bytes)
      pad(&bytes, from: start, to: 16)
      appendWord(vocabulary.word(of: event.verb), to: &bytes)
      pad(&bytes, from: start, to: 30)
      appendName(event, to: &bytes)

      if event.subjectKind != .none {
        bytes.append(contentsOf: event.subject.description.utf8)
        bytes.append(UInt8(ascii: " "))
      }

      if !event.label.isNone {
        labels.append(vocabulary.text(event.label), to: &bytes) {
          JSONText.appendQuoted($0, to: &$1)
        }
        bytes.append(UInt8(ascii: " "))
      }

      if event.hasValue {
        bytes.append(contentsOf: String(event.rawValue).utf8)
        bytes.append(UInt8(ascii: " "))
      }

      if !event.attributes.isNone {
        labels.append(vocabulary.attributes(event.attributes), to: &bytes, appendAttributes)
      }
      while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
      bytes.append(UInt8(ascii: "\n"))
    }

    /// Blanks up to a column, one at least.
    private func pad(_ bytes: inout [UInt8], from start: Int, to width: Int) {
      let missing = max(1, width - (bytes.count - start))
      bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: missing))
    }

    private func appendAttributes(_ list: [Attribute], to bytes: inout [UInt8]) {
      for attribute in list {
        appendWord(attribute.key, to: &bytes)
        bytes.append(UInt8(ascii: "="))
        appendWord(attribute.value, to: &bytes)
        bytes.append(UInt8(ascii: " "))
      }
    }

    private func appendWord(_ text: String, to bytes: inout [UInt8]) {
      if TraceNotation.isWord(text) {
        bytes.append(contentsOf: text.utf8)
      } else {
        JSONText.appendQuoted(text, to: &bytes)
      }
    }

    private func appendName(_ event: Event, to bytes: inout [UInt8]) {
      let name = vocabulary.text(event.name)
      if let takesName = event.verb.takesName {
        guard takesName else { return }
        names.append(name, to: &bytes, appendWord)
      } else {
        guard !event.name.isNone else { return }
        let start = bytes.count
        names.append(name, to: &bytes) { name, bytes in
          if TraceNotation.isAmbiguousName(name) {
            JSONText.appendQuoted(name, to: &bytes)
          } else {
            appendWord(name, to: &bytes)
          }
        }
        // A quoted name is known from a label only by what follows it.
        let isQuoted = bytes[start] == UInt8(ascii: "\"")
        if isQuoted && event.subjectKind == .none && event.label.isNone {
          bytes.append(contentsOf: " \"\"".utf8)
        }
      }
      bytes.append(UInt8(ascii: " "))
    }
  }
}

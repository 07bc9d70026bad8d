/// How large the files and functions of a tree are.
package struct TreeMeasure: CustomStringConvertible {
  /// What half, nine in ten and all of some things have at the most.
  package struct Spread: CustomStringConvertible {
    /// How many things there are.
    package let count: Int
    /// What half of them have at the most.
    package let median: Int
    /// What nine in ten have at the most.
    package let ninetieth: Int
    /// What the largest has.
    package let longest: Int

    /// Makes the spread of sizes.
    package init(_ sizes: [Int]) {
      let sorted = sizes.sorted()
      count = sorted.count
      median = sorted.isEmpty ? 0 : sorted[(sorted.count - 1) / 2]
      ninetieth = sorted.isEmpty ? 0 : sorted[(sorted.count - 1) * 9 / 10]
      longest = sorted.last ?? 0
    }

    /// `1120: median 92, 90 % 199, longest 322`.
    package var description: String {
      "\(count): median \(median), 90 % \(ninetieth), longest \(longest)"
    }
  }

  /// The lines of the files of a folder.
  package let files: Spread
  /// The lines of its functions.
  package let functions: Spread
  /// How many lines of code the folder has.
  package let lines: Int
  /// How many of them are examples of rules.
  package let exampleLines: Int
  /// Functions so long that they want paragraphs.
  package let long: Int
  /// How many of those have them.
  package let withParagraphs: Int

  /// Measures a folder at the root of `tree`.
  package init(_ tree: SourceTree, _ folder: String) {
    let code = tree.code(in: folder)
    let functions = code.flatMap(\.functions)
    files = Spread(code.map(\.lines.count))
    self.functions = Spread(functions.map(\.length))
    lines = code.reduce(0) { $0 + $1.lines.count }
    exampleLines = code.reduce(0) { $0 + $1.exampleLines }
    let long = functions.filter(\.isLong)
    (self.long, withParagraphs) = (long.count, long.count(where: \.hasParagraphs))
  }

  /// One line for each.
  package var description: String {
    """
    lines       \(lines), without examples of rules \(lines - exampleLines)
    files       \(files)
    functions   \(functions)
    paragraphs  in \(withParagraphs) of \(long) functions with more than \
    \(SourceFunction.longBody) lines of body
    """
  }
}

/// Lines of tests for each line of source, by module.
package struct TestRatio: CustomStringConvertible {
  /// A module, its lines, and those of the tests named after it.
  package let modules: [(name: String, source: Int, tests: Int)]

  /// Measures all modules of `tree`.
  package init(_ tree: SourceTree) {
    func lines(_ folder: String) -> [String: Int] {
      tree.code(in: folder).reduce(into: [:]) { sum, file in
        let parts = file.path.split(separator: "/")
        if parts.count > 2 { sum[String(parts[1]), default: 0] += file.lines.count }
      }
    }

    let (sources, tests) = (lines("Sources"), lines("Tests"))
    modules = sources.keys.sorted().map { name in
      // A test target bears the module's name, with a capital at its beginning.
      let target = name.prefix(1).uppercased() + name.dropFirst() + "Tests"
      return (name, sources[name] ?? 0, tests[target] ?? 0)
    }
  }

  /// One line for each module.
  package var description: String {
    modules.map { module in
      let hundredths = module.tests * 100 / max(module.source, 1)
      let fraction = hundredths % 100 < 10 ? "0\(hundredths % 100)" : "\(hundredths % 100)"
      let ratio = "\(hundredths / 100).\(fraction)"
      return "\(ratio)  \(module.name): \(module.tests) for \(module.source)"
    }.joined(separator: "\n")
  }
}

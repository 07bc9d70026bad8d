import Foundation

/// Deliberate mistakes in the code under test, as `Mutants.txt` lists them: what detects none of them proves
/// nothing.
struct Mutants {
  private struct Mutant {
    let file: String
    let isExpression: Bool
    let original: String
    let replacement: String
    /// A history that notices it, where few do.
    let seed: UInt64?
  }

  private let mutants: [Mutant]

  /// Reads the list below the package's folder.
  init(root: String) throws {
    let list = try String(contentsOfFile: root + "/Tests/Simulation/Mutants.txt", encoding: .utf8)
    mutants = try list.components(separatedBy: "\n\n").filter { !$0.hasPrefix("#") }
      .map(Mutants.mutant)
  }

  private static func mutant(_ entry: String) throws -> Mutant {
    var text = entry.trimmingCharacters(in: .newlines)
    let known = text.range(of: "\n@ ").map {
      (seed: UInt64(text[$0.upperBound...]), at: $0.lowerBound)
    }
    if let known {
      if known.seed == nil { throw Violation("Mutants.txt: a seed is a number: \(entry)") }
      text = String(text[..<known.at])
    }
    guard let line = text.firstIndex(of: "\n"), let arrow = text.range(of: "\n=> ") else {
      throw Violation("Mutants.txt: an entry is a file, a place and what is put there: \(entry)")
    }
    let place = text[text.index(after: line)..<arrow.lowerBound]
    return Mutant(
      file: String(text[..<line]), isExpression: place.hasPrefix("~ "),
      original: String(place.dropFirst(2)), replacement: String(text[arrow.upperBound...]),
      seed: known?.seed)
  }

  /// Looks whether each place stands in the sources below `root`; returns how many mutants there are.
  func check(below root: String) throws -> Int {
    for mutant in mutants { _ = try source(of: mutant, below: root) }
    return mutants.count
  }

  private func source(of mutant: Mutant, below root: String) throws -> String {
    let source = try String(contentsOfFile: root + "/" + mutant.file, encoding: .utf8)
    guard source.components(separatedBy: mutant.original).count == 2 else {
      throw Violation("Mutants.txt: \(mutant.file) does not have this once: \(mutant.original)")
    }
    return source
  }

  /// Writes all mutants into the sources below `root`, where the variable `MUTANT` chooses one when the
  /// program runs; returns how many.
  func write(below root: String) throws -> Int {
    for (index, mutant) in mutants.enumerated() {
      let path = root + "/" + mutant.file
      let source = try source(of: mutant, below: root)
      let isOn = "mutant == \(index + 1)"
      let both =
        mutant.isExpression
        ? "(\(isOn) ? (\(mutant.replacement)) : (\(mutant.original)))"
        : "if \(isOn) {\n\(mutant.replacement)\n} else {\n\(mutant.original)\n}"
      try source.replacingOccurrences(of: mutant.original, with: both)
        .write(toFile: path, atomically: true, encoding: .utf8)
    }

    let choice = """
      import Platform

      /// Which mistake is made; 0 for none.
      package let mutant = getenv("MUTANT").flatMap { Int(String(cString: $0)) } ?? 0
      """
    try choice.write(
      toFile: root + "/Sources/TraceLog/Mutant.swift", atomically: true, encoding: .utf8)
    return mutants.count
  }

  /// A history that notices a mutant, where few do.
  func seed(_ number: Int) -> UInt64? { mutants[number - 1].seed }

  /// What a mutant does, in a line.
  func name(_ number: Int) -> String {
    let mutant = mutants[number - 1]
    let lines = mutant.original.split(separator: "\n").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    return "\(mutant.file.split(separator: "/").last ?? ""): \(lines.joined(separator: "; "))"
  }
}

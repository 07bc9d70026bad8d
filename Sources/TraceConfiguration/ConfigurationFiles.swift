import Platform
import TraceText
import YAMLReading

/// A place in a file of the configuration.
public typealias ConfigurationPlace = YAMLPlace

/// Something in a configuration that is wrong, or that somebody should look at.
public typealias ConfigurationProblem = YAMLProblem

/// Finds and reads the files of a configuration.
///
/// ```swift
/// import TraceAnalysis
/// import TraceConfiguration
///
/// if let path = ConfigurationFiles.find(from: ".") {
///   let result = try ConfigurationFiles.read(path)
///   for problem in result.problems { print(problem) }
///   print(result.configuration.activeRules.count)
/// }
/// ```
public struct ConfigurationFiles {
  /// No file of a configuration is larger.
  package static let largest = 4 << 20
  /// The name of the file that is looked for.
  public static let name = ".tracectl.yml"
  /// The other name under which it is found.
  private static let otherName = ".tracectl.yaml"

  /// A file that cannot be read.
  public struct Unreadable: Error, CustomStringConvertible {
    /// Which, and why.
    public let description: String
  }

  /// What was read: a configuration, and all problems, errors first.
  public struct Result: Sendable {
    /// The configuration, without what could not be understood.
    public var configuration: Configuration
    /// What is wrong, in the order of the files and lines.
    public var problems: [ConfigurationProblem]

    /// The problems because of which it cannot be used.
    public var errors: [ConfigurationProblem] { problems.filter { $0.kind == .error } }
  }

  /// The configuration that holds in `folder`: the nearest file there or above; `nil` without one.
  public static func find(from folder: String) -> String? {
    var folder = PathText.absolute(folder)
    while true {
      for name in [name, otherName] {
        let file = PathText.join(folder, name)
        if PathText.exists(file) { return file }
      }
      if folder == "/" { return nil }
      folder = PathText.folder(folder)
    }
  }

  /// Reads a configuration and the files of rules that it names, or that lie beside it in `rules`.
  ///
  /// `told` is how the file is named in problems. Throws ``Unreadable`` when it cannot be read.
  public static func read(_ path: String, told: String? = nil) throws -> Result {
    let name = told ?? path
    let (folder, toldFolder) = (PathText.folder(path), PathText.folder(name))
    var reader = ConfigurationReader()
    reader.read(try bytes(path, name), name, isWhole: true)
    if PathText.name(path) == self.name, PathText.exists(PathText.join(folder, otherName)) {
      reader.problems.add(
        .error, ConfigurationPlace(file: name, line: 1, column: 1),
        "\(otherName) lies beside it, and only one of them can hold; remove one")
    }

    func readRules(_ match: String) throws {
      let isWhole = match.hasPrefix("/")
      let told = isWhole ? match : PathText.join(toldFolder, match)
      let bytes = try bytes(isWhole ? match : PathText.join(folder, match), told)
      reader.read(bytes, told, isWhole: false)
    }
    if let named = reader.ruleFiles {
      for value in named {
        guard let text = value.text("a path") else { continue }
        let matches = matches(text, in: folder)
        if matches.isEmpty { value.fail("there is no file \(text)") }
        for match in matches {
          do { try readRules(match) } catch { value.fail("\(error)") }
        }
      }
    } else {
      let names = ["rules/*.yml", "rules/*.yaml"].flatMap { matches($0, in: folder) }
      for match in names.sorted() { try readRules(match) }
    }

    var result = reader.finish()
    if let baseline = result.configuration.baseline?.value, !baseline.hasPrefix("/") {
      result.configuration.baseline?.value = PathText.join(toldFolder, baseline)
    }
    return result
  }

  /// Reads files that hold nothing but rules, or whole configurations without the files beside them.
  public static func readRules(_ paths: [String]) throws -> Result {
    var reader = ConfigurationReader()
    for path in paths {
      let isWhole = [name, otherName].contains(PathText.name(path))
      reader.read(try bytes(path, path), path, isWhole: isWhole)
    }
    return reader.finish()
  }

  /// Reads the text of one configuration, without the files beside it.
  public static func read(text: String, name: String = name) -> Result {
    var reader = ConfigurationReader()
    reader.read(Array(text.utf8), name, isWhole: true)
    return reader.finish()
  }

  /// Reads the text of a file of rules.
  public static func readRules(text: String, name: String = "rules.yml") -> Result {
    var reader = ConfigurationReader()
    reader.read(Array(text.utf8), name, isWhole: false)
    return reader.finish()
  }

  private static func bytes(_ path: String, _ told: String) throws -> [UInt8] {
    do {
      let (descriptor, first) = try FileOpening.read(path)
      defer { close(descriptor) }
      var bytes = first
      var more = [UInt8](repeating: 0, count: 1 << 16)
      while bytes.count <= largest {
        let count = platform_read(descriptor, &more, more.count)
        if count == 0 { return bytes }
        if count > 0 {
          bytes += more[..<count]
        } else if errno != EINTR {
          throw FileOpening.Refusal.system(errno)
        }
      }
      throw Unreadable(
        description: "\(told): is larger than \(largest >> 20) MiB; check the name")
    } catch FileOpening.Refusal.directory {
      throw Unreadable(
        description: "\(told): is a directory; expected a file; rename it, or pass --config FILE "
          + "or --config none")
    } catch FileOpening.Refusal.system(let code) {
      throw Unreadable(description: "\(told): cannot be read: \(String(cString: strerror(code)))")
    } catch let refusal as FileOpening.Refusal {
      throw Unreadable(description: "\(told): \(refusal)")
    }
  }

  /// The files that a path means, by name; in its last part `*` stands for any characters, `?` for one.
  private static func matches(_ pattern: String, in folder: String) -> [String] {
    let inner = PathText.folder(pattern)
    let last = PathText.name(pattern)
    let place = pattern.hasPrefix("/") ? inner : PathText.join(folder, inner)
    let names = Folder.names(in: place.isEmpty ? "." : place) ?? []
    return names.filter {
      ![".", ".."].contains($0) && ScrubPattern.fits(Array($0), Array(last))
    }.sorted().map { PathText.join(inner, $0) }
  }
}

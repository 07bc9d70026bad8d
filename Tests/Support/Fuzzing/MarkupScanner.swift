/// Reads the HTML of a page more strictly than any browser: each tag is closed, each value quoted, each
/// `&` a reference, and nothing runs or is loaded.
struct MarkupScanner {
  private(set) var scripts = 0
  private(set) var styles = 0
  private var rest: Substring.UTF8View
  private var open: [String] = []

  private static let void: Set = ["br", "input", "meta"]
  private static let forbidden: Set = [
    "base", "embed", "iframe", "img", "link", "object", "foreignobject", "frame", "image",
  ]

  init(_ html: String) { rest = html[...].utf8 }

  mutating func scan() throws {
    try hold(skip("<!doctype html>"), "the page does not say what it is")
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "<"): try scanTag()
      case UInt8(ascii: "&"): try scanReference()
      default: break
      }
    }
    try hold(open.isEmpty, "nothing closes \(open)")
  }

  private mutating func skip(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest.removeFirst(text.utf8.count)
    return true
  }

  private mutating func take(while isWanted: (UInt8) -> Bool) -> String {
    let taken = rest.prefix(while: isWanted)
    rest.removeFirst(taken.count)
    return String(Substring(taken))
  }

  private mutating func takeName() -> String {
    take { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") || isInName($0) }
  }

  private mutating func scanReference() throws {
    let name = take { $0 != UInt8(ascii: ";") && $0 > 0x20 && $0 != UInt8(ascii: "<") }
    let isKnown = ["amp", "lt", "gt", "quot", "#39", "apos", "nbsp"].contains(name)
    try hold(isKnown && skip(";"), "an & is no reference: &\(name.prefix(20))")
  }

  // MARK: Tags

  private mutating func scanTag() throws {
    if skip("/") {
      let name = takeName()
      try hold(skip(">") && open.popLast() == name, "</\(name)> closes nothing")
      return
    }

    let name = takeName()
    try hold(!name.isEmpty, "a < is no tag")
    try hold(!MarkupScanner.forbidden.contains(name.lowercased()), "<\(name)> loads something")
    while skip(" ") { try scanAttribute(of: name) }
    if skip("/>") { return }
    try hold(skip(">"), "<\(name) does not end")
    if name == "script" || name == "style" { return try scanVerbatim(name) }
    if !MarkupScanner.void.contains(name) { open.append(name) }
  }

  private mutating func scanAttribute(of tag: String) throws {
    let name = takeName()
    try hold(!name.isEmpty && !name.hasPrefix("on"), "<\(tag) has the attribute \(name)")
    try hold(!["src", "srcdoc", "style"].contains(name), "<\(tag) has the attribute \(name)")
    guard skip("=") else { return }
    try hold(skip("\""), "\(name) of <\(tag) is not quoted")
    if name == "href" { try hold(rest.first == UInt8(ascii: "#"), "<\(tag) leads elsewhere") }

    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      try hold(byte != UInt8(ascii: "<"), "\(name) of <\(tag) has a <")
      if byte == UInt8(ascii: "&") { try scanReference() }
    }
  }

  /// Script and style, which are the same in each page.
  private mutating func scanVerbatim(_ name: String) throws {
    if name == "script" { scripts += 1 } else { styles += 1 }
    while !rest.isEmpty {
      _ = take { $0 != UInt8(ascii: "<") }
      if skip("</\(name)>") { return }
      _ = rest.popFirst()
    }
    try hold(false, "nothing closes <\(name)>")
  }
}

/// Whether a byte may stand in a name, behind its first letter or in SVG.
private func isInName(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
    UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "_"):
    true
  default: false
  }
}

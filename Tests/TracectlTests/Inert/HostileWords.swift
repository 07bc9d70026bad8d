import Foundation

/// Words on which a terminal, a browser, a spreadsheet, a build server or an editor acts, if they come out as
/// they went in.
enum HostileWords {
  /// The kinds of SECURITY.md, and words of each.
  static let kinds: KeyValuePairs<String, [String]> = [
    "control": ["\0", "\u{7}", "\u{8}\u{8}", "\t", "\r", "\n", "\u{7f}", "\u{85}", "\u{9b}2J"],
    "escape": [
      "\u{1b}[31m", "\u{1b}]0;title\u{7}", "\u{1b}]8;;http://x.example\u{1b}\\", "\u{1b}c",
    ],
    "direction": [
      "\u{61c}", "\u{200e}", "\u{200f}", "\u{202a}", "\u{202b}", "\u{202c}", "\u{202d}",
      "\u{202e}gnp", "\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}",
    ],
    "separator": ["\u{2028}", "\u{2029}"],
    "invisible": [
      "\u{200b}", "\u{feff}", "\u{ad}", "\u{2060}", "\u{2063}", "\u{206e}", "\u{34f}", "\u{115f}",
      "\u{3164}", "\u{ffa0}", "\u{fff9}", "\u{1bca0}", "\u{1d173}", "\u{e0001}\u{e0041}",
      "\u{e0101}",
    ],
    "joiner": ["\u{200d}", "\u{200c}", "\u{fe0f}", "\u{180e}"],
    "noncharacter": noncharacters,
    "markup": [
      "</script><img src=x onerror=alert(1)>", "\" onmouseover=\"alert(1)", "' onclick='alert(1)",
      "<u>", "<!--", "-->", "]]>", "<![CDATA[", "</details>", "&lt;", "&#60;",
    ],
    "markdown": [
      "[text](http://x.example)", "![picture](http://x.example)", "<http://x.example>",
      "www.x.example", "`code`", "```", "|", "\\|", "\\`", "**bold**", "@octocat", "#1", "~~",
      "$x$",
    ],
    "command": [
      "::error::text", "\n::error::text", "\r\n::set-output name=a::b", "::stop-commands::x",
      "##[error]text", "##vso[task.x]", "%0A::error::text", "{0}", "{label}",
    ],
    "formula": [
      "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1", "'=1",
      "=HYPERLINK(\"http://x.example\")",
    ],
  ]

  private static let noncharacters = ([0xfdd0, 0xfffe, 0x10_ffff] as [UInt32]).compactMap {
    scalar in
    Unicode.Scalar(scalar).map { String($0) }
  }

  /// All words.
  static let all = kinds.flatMap(\.value)

  /// Some words at a time, in texts that are short enough to be shown whole.
  ///
  /// Each text begins with a word, as a formula must, and has the mark by which it is found.
  static let texts = all.map { "\($0) \(mark) x\($0)x" }

  /// All words in one text.
  static let whole = "\(mark) " + all.joined(separator: " ")

  /// What is in every text, and in nothing else.
  static let mark = "octo-mark"

  /// Names of files that hold all words that such a name may hold.
  static let fileNames: [String] = {
    var names = [mark]
    for word in all.map({ $0.replacing("/", with: "").replacing("\0", with: "") })
    where !word.isEmpty {
      if names[names.count - 1].utf8.count + word.utf8.count > 200 { names.append(mark) }
      names[names.count - 1] += " " + word
    }
    return names
  }()

  /// A text as a quoted scalar of YAML in ASCII.
  static func yaml(_ text: String) -> String {
    "\"" + text.unicodeScalars.map { String(format: "\\U%08x", $0.value) }.joined() + "\""
  }

  /// A text as a JSON string in ASCII, which notation and reports have, too.
  static func quoted(_ text: String) -> String {
    "\"" + text.utf16.map { String(format: "\\u%04x", $0) }.joined() + "\""
  }
}

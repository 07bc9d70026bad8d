import Foundation
import LifecycleModel
import Testing
import TraceText

@testable import TraceReport
@testable import TraceResults

/// The HTML of a page: what it may do, what it obeys, how large it is.
@Suite struct PageMarkupTests {
  private static let hostile = #"</script><script>alert(1)</script><img src=x onerror=alert(2)>"#

  private static func page(label: String) throws -> PageUnderTest {
    try PageUnderTest(
      """
      0s - profile mode=scene hooks=app-delegate,work,system,tasks launch=user
      0s - process.start app pid=1 launch=user
      1s main call applicationWillResignActive app
      1.1s main return applicationWillResignActive app
      2s main work timer app \(JSONText.quoted(label))
      3s main task.begin task:1 \(JSONText.quoted(label)) handler=true
      99s - kill app code=0x8badf00d namespace=SPRINGBOARD reason=\(JSONText.quoted(label))
      """)
  }

  // MARK: The policy

  @Test func nothingNeedsMoreThanThePolicyAllows() throws {
    let html = try Self.page(label: "autosave").html
    let shell = html.replacing(/<(style|script)[^>]*>[\s\S]*?<\/(style|script)>/, with: "")
    #expect(!shell.contains(#/ style=| on[a-z]+=|javascript:|<link|<iframe|src=/#))
    for word in [
      "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "fetch(",
    ] {
      #expect(!PageSource.log.script.contains(word), "\(word)")
    }
    #expect(!(PageSource.log.script + PageSource.log.style).contains(/https?:|@import|url\(/))
  }

  // MARK: Text of a log

  @Test func textOfALogIsNoMarkup() throws {
    let page = try Self.page(label: Self.hostile)
    #expect(!page.html.contains("<img") && !page.html.contains("alert(1)</script>"))
    #expect(page.html.matches(of: /<script/).count == 2)
    #expect(page.html.contains("&lt;/script&gt;&lt;script&gt;alert(1)"))
    #expect(page.words.contains { $0[4] == Self.hostile })
  }

  @Test func nothingTurnsTheText() throws {
    let page = try Self.page(label: "\u{202e}\u{1b}[31mred")
    #expect(!page.html.unicodeScalars.contains { $0.properties.isBidiControl || $0 == "\u{1b}" })
    #expect(page.words.contains { $0[4] == #"\u202e\u001b[31mred"# })
  }

  @Test func markupTakesTextsAsTexts() {
    let text = #"<a href="x">'&"#
    let markup: Markup = "<b title=\"\(text)\">\(text)</b>"
    let safe = "&lt;a href=&quot;x&quot;&gt;&#39;&amp;"
    #expect(markup.text == "<b title=\"\(safe)\">\(safe)</b>")
    #expect(
      ("\(markup)\([markup, markup])" as Markup).text == markup.text + markup.text + markup.text)
  }

  // MARK: What is told

  @Test func withoutScriptAllIsTold() throws {
    let html = try Self.page(label: "autosave").html
    #expect(html.contains("<details open>") && !html.contains("<details>"))
    #expect(html.contains("0x8badf00d"))
    #expect(html.contains("While it was not active"))
    #expect(html.contains("<pre role=\"img\"") && html.contains("<font color=\"#8a5a00\">"))
  }

  @Test func whatRanWhileTheAppWasNotActiveIsTold() throws {
    let html = try PageUnderTest(
      """
      0s  -    profile       mode=app hooks=app-delegate,work,resources,system launch=user
      0s  -    process.start app pid=1 launch=user
      1s  main call          applicationDidBecomeActive app
      1s  main return        applicationDidBecomeActive app
      2s  main acquire       lock app "a.db"
      3s  main call          applicationDidEnterBackground app
      3s  main return        applicationDidEnterBackground app
      4s  main work          timer app "tick"
      5s  main work          timer app "tick"
      6s  main release       lock app "a.db"
      7s  db   acquire       lock app "b.db"
      9s  -    kill          app
      """
    ).html

    let told = "held lock &quot;a.db&quot; 3s, "
    #expect(html.contains(told) && html.contains("2 × timer &quot;tick&quot;"))
    #expect(html.contains("<span class=\"cut\">held lock &quot;b.db&quot; 2s, never closed</span>"))
    #expect(html.contains("<a href=\"#t=3&amp;view=3-9\">"))
  }

  /// What is open beside each other takes no longer together than the stay.
  @Test func allThatIsHeldAtOnceIsCounted() throws {
    let held = (0..<156).map { "2s main acquire timer app \"tick\" key=\($0)" }
    let released = (0..<6).map { "5s main release timer app \"tick\" key=\($0)" }

    let html = try PageUnderTest(
      ([
        "0s - profile mode=app hooks=app-delegate,work,resources,system launch=user",
        "0s - process.start app pid=1 launch=user",
      ] + held + [
        "3s main call applicationDidEnterBackground app",
        "3s main return applicationDidEnterBackground app",
      ] + released + ["9s - note \"end\""]).joined(separator: "\n") + "\n"
    ).html
    #expect(html.contains("156 × held timer &quot;tick&quot; 6s, 156 at once"))
  }

  @Test func whatEndsWhereAPeriodBeginsIsNotBesideOthers() throws {
    let html = try PageUnderTest(
      """
      0s  -    profile       mode=app hooks=app-delegate,work,resources,system launch=user
      0s  -    process.start app pid=1 launch=user
      1s  main acquire       lock app "a.db"
      3s  main call          applicationDidEnterBackground app
      3s  main return        applicationDidEnterBackground app
      3s  main release       lock app "a.db"
      3s  main acquire       lock app "a.db"
      5s  main release       lock app "a.db"
      6s  main acquire       lock app "a.db"
      7s  main release       lock app "a.db"
      9s  -    note          "end"
      """
    ).html
    #expect(html.contains("2 × held lock &quot;a.db&quot; 3s<"))
  }

  @Test func findingsWithoutACardAreCountedByRule() throws {
    let turns = (1...6).flatMap { turn in
      [
        "\(turn * 10)s main call applicationDidEnterBackground app",
        "\(turn * 10)s main return applicationDidEnterBackground app",
        "\(turn * 10 + 1)s main work gpu app \"frame\"",
        "\(turn * 10 + 2)s main call applicationWillEnterForeground app",
        "\(turn * 10 + 2)s main return applicationWillEnterForeground app",
      ]
    }
    let html = try PageUnderTest(
      ([
        "0s - profile mode=app hooks=app-delegate,work,system launch=user",
        "0s - process.start app pid=1 launch=user",
      ] + turns).joined(separator: "\n") + "\n"
    ).html
    #expect(html.contains("3 × <code>work-gpu-in-background</code>"))
    #expect(
      html.contains(
        "tracectl export log.trace --tables findings</code> lists up to 20 of each kind.")
    )
  }

  @Test func anInstantInTheHeadlineIsNoLength() {
    #expect(
      PageVerdict.timed("the task \"since 7s\" is open since 432300s")
        == "the task \"since 7s\" is open since 120h 5min into the log")
    #expect(PageVerdict.timed("up since 1.5s, at 3s") == "up since 1.5s into the log, at 3s")
  }

  @Test func aPictureOfManyLanesSaysHowManyItHasNot() throws {
    let work = (0..<100).map { "\($0 + 1)s w\($0) work.begin timer app" }
    let html = try PageUnderTest(
      (["0s - profile mode=app hooks=app-delegate,work launch=user"] + work)
        .joined(separator: "\n") + "\n"
    ).html
    #expect(html.contains(/\+6\d more lanes/))
  }

  // MARK: How large it is

  @Test func scriptAndStyleAreSmall() {
    let bytes = PageSource.log.script.utf8.count + PageSource.log.style.utf8.count
    #expect(bytes <= 48 * 1024, "script and style have \(bytes) bytes")
  }
}

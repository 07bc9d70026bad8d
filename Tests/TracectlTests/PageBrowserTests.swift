import Testing

/// Pages in a browser: what people see there, and what keys and links do.
@Suite struct PageBrowserTests {
  private static let program = "Tests/Support/Page/check"

  private static let canBeOpened =
    (try? CommandRun(program: ["python3", program, "--check"]).status) == 0

  @Test(
    .enabled(
      if: canBeOpened,
      "there is no Chromium, or no playwright; tools/test --with-tools installs them"))
  func pagesDoWhatTheySay() throws {
    let run = try CommandRun(program: ["python3", Self.program, CommandRun.command.path])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.hasSuffix("\n0 failures\n"))
  }
}

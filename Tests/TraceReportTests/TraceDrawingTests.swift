import LifecycleModel
import Testing
import TraceText

@testable import TraceReport
@testable import TraceResults

@Suite struct TraceDrawingTests {
  private func draw(_ notation: String, marking number: Int? = nil) throws -> String {
    let trace = try TraceNotation.parse(notation)
    let lines = TraceDrawing(trace).lines { $0.verb != .profile && Int($0.sequence) == number }
    return lines.joined(separator: "\n")
  }

  @Test func spansHaveBarsAndTheStateStandsBesideThem() throws {
    let drawing = try draw(
      """
      1s main call applicationDidBecomeActive app
      1.5s main return applicationDidBecomeActive app
      2s main task.begin task:1 "sync"
      3s main call applicationDidEnterBackground app
      3s main work timer app "tick"
      3.1s main return applicationDidEnterBackground app
      4s main task.end task:1 "sync"
      """, marking: 5)

    #expect(
      drawing == """
        1s    active      ┌   main  call          applicationDidBecomeActive app
        1.5s  ┊           └   main  return        applicationDidBecomeActive app
        2s    ┊           ┌   main  task.begin    task:1 "sync"
        3s    background  │┌  main  call          applicationDidEnterBackground app
        3s    ┊           ││· main  work          timer app "tick" ◀
        3.1s  ┊           │└  main  return        applicationDidEnterBackground app
        4s    ┊           └   main  task.end      task:1 "sync"
        """)
  }

  @Test func aFreePlaceIsTakenAgain() throws {
    let drawing = try draw(
      """
      1s main task.begin task:1 "a"
      2s main task.begin task:2 "b"
      3s main task.end task:1 "a"
      4s main task.begin task:3 "c"
      """)

    #expect(
      drawing.split(separator: "\n").map { String($0.prefix(6)) } == [
        "1s  ┌ ", "2s  │┌", "3s  └│", "4s  ┌│",
      ])
  }

  @Test func eachSceneHasAColumn() throws {
    let drawing = try draw(
      """
      1s main call sceneDidBecomeActive scene:1
      2s main return sceneDidBecomeActive scene:1
      3s main call sceneDidEnterBackground scene:2
      4s main return sceneDidEnterBackground scene:2
      5s - suspend app
      """)

    #expect(
      drawing == """
            scene:1    scene:2
        1s  active                 ┌ main  call          sceneDidBecomeActive scene:1
        2s  ┊                      └ main  return        sceneDidBecomeActive scene:1
        3s  ┊          background  ┌ main  call          sceneDidEnterBackground scene:2
        4s  ┊          ┊           └ main  return        sceneDidEnterBackground scene:2
        5s  suspended  suspended   · -     suspend       app
        """)
  }
}

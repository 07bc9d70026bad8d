import LifecycleModel
import TraceAnalysis

/// The verdict on the end of a process, for programs.
extension JSONReport {
  func write(_ writer: inout JSONWriter, _ verdict: DeathVerdict) {
    writer.object { writer in
      writer.string("class", verdict.deathClass.rawValue)
      writer.string("cause", verdict.cause)
      writer.object("process") { writer in
        writer.number("number", verdict.process.number)
        writer.number("pid", verdict.process.pid)
        writer.string("bundle", verdict.process.bundle)
        writer.string("launch", verdict.process.launch?.rawValue)
        if let start = verdict.process.start {
          writer.number("start", start.instant.nanoseconds)
        }
      }
      writer.string("finding", verdict.finding)
      writer.string("manner", verdict.manner.rawValue)
      writer.string("exitReason", verdict.reason?.rawValue)
      writer.raw("normal", "\(verdict.isNormal)")
      writer.string("code", verdict.code.map { "0x" + String($0, radix: 16) })
      writer.string("meaning", verdict.meaning.isEmpty ? nil : verdict.meaning)
      writer.string("audience", verdict.audience.rawValue)
      writer.string("state", verdict.state?.rawValue)
      writer.number("stateAge", verdict.state == nil ? nil : verdict.stateAge)
      writer.raw("suspended", "\(verdict.isSuspended)")
      writer.raw("terminated", "\(verdict.isTerminated)")
      writer.array("explainedBy", verdict.suspects, write)
      writer.array("interrupted", verdict.running) { writer, running in
        writer.object { writer in
          writer.number("elapsed", running.elapsed)
          writeEvent(running.event, &writer)
        }
      }
      writeAgreement(verdict.agreement, &writer)
      writer.array("mainThread", verdict.shares) { writer, share in
        writer.object { writer in
          writer.number("time", share.time)
          writeEvent(share.event, &writer)
        }
      }
      writer.number("mainThreadBusy", verdict.busyTime)
      writer.array("doubts", verdict.doubts) { $0.string(nil, $1.reason) }
      writeEvent(verdict.end, &writer)
      writer.string("text", DeathText(verdict, vocabulary).paragraph)
    }
  }

  private func write(_ writer: inout JSONWriter, _ suspect: DeathVerdict.Suspect) {
    writer.object { writer in
      writer.string("kind", suspect.kind.rawValue)
      writer.number("elapsed", suspect.elapsed)
      writer.number("allowed", suspect.allowed)
      writeEvent(suspect.event, &writer)
    }
  }

  private func writeAgreement(
    _ agreement: DeathVerdict.Agreement?, _ writer: inout JSONWriter
  ) {
    switch agreement {
    case nil: break
    case .agrees: writer.string("codeFits", "yes")
    case .nothingToShow: writer.string("codeFits", "nothing-to-show")
    case .disagrees(let what):
      writer.string("codeFits", "no")
      writer.string("reason", what)
    case .cannotTell(let doubt):
      writer.string("codeFits", "cannot-tell")
      writer.string("reason", doubt.reason)
    }
  }
}

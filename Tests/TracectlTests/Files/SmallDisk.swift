import Foundation

/// A small file system of its own; `nil` where this user cannot mount one.
final class SmallDisk {
  let folder: ScratchFolder

  init?(_ size: String) throws {
    folder = try ScratchFolder()
    let mount = ["mount", "-t", "tmpfs", "-o", "size=\(size)", "none", folder.url.path]
    guard try CommandRun(program: mount).status == 0 else {
      print("skipped: no file system can be mounted here")
      return nil
    }
  }

  deinit { _ = try? CommandRun(program: ["umount", folder.url.path]) }
}

import ArgumentParser

/// Refuses arguments that do not go together.
func refuse(_ isWrong: Bool, _ message: String) throws {
  if isWrong { throw ValidationError(message) }
}

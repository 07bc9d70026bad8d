import LifecycleModel

/// Statistics are an array of rows, in their order; a histogram is told by its buckets that are not
/// empty. What follows from these is written for programs, and not read.
extension Statistics: Codable {
  /// Reads what ``encode(to:)`` has written; what contradicts itself is an error.
  public init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd { add(try container.decode(Row.self)) }
  }

  /// Writes the rows.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for row in rows { try container.encode(row) }
  }
}

extension Statistics.Row: Codable {
  private enum CodingKeys: String, CodingKey {
    case kind, name, label, others, max, buckets, allowances, notCounted
    case count, p50, p95, p99, budget, budget99
  }

  /// Reads what ``encode(to:)`` has written; what contradicts itself is an error.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let word = try container.decode(String.self, forKey: .kind)
    guard let kind = Statistics.Kind(rawValue: word) else {
      throw container.corrupt(.kind, "\(word) is not a kind of statistics")
    }

    if try container.decodeIfPresent(Bool.self, forKey: .others) ?? false {
      self.init(.others(kind))
    } else {
      self.init(
        Statistics.Key(
          kind, name: try container.decodeIfPresent(String.self, forKey: .name) ?? "",
          label: try container.decodeIfPresent(String.self, forKey: .label) ?? ""))
    }

    durations = try Self.durations(container)
    for use in try container.decodeIfPresent([Statistics.AllowanceUse].self, forKey: .allowances)
      ?? []
    {
      guard use.allowed > 0, use.used >= 0 else {
        throw container.corrupt(.allowances, "a limit and its used part must be positive")
      }
      self.use(use.used, of: use.allowed)
    }

    let reasons = try container.decodeIfPresent([String: UInt64].self, forKey: .notCounted) ?? [:]
    for (word, count) in reasons {
      guard let reason = Statistics.Omission(rawValue: word), count > 0,
        count <= Durations.countLimit
      else { throw container.corrupt(.notCounted, "\(word): \(count) is not a valid reason count") }
      omit(reason, count)
    }
  }

  private static func durations(
    _ container: KeyedDecodingContainer<CodingKeys>
  ) throws -> Durations {
    let pairs = try container.decodeIfPresent([[Int64]].self, forKey: .buckets) ?? []
    let buckets = try pairs.map { pair -> (lowest: Nanoseconds, count: UInt64) in
      guard pair.count == 2, pair[1] > 0 else {
        throw container.corrupt(.buckets, "a bucket must have its shortest duration and a count")
      }
      return (pair[0], UInt64(pair[1]))
    }

    let longest = try container.decodeIfPresent(Nanoseconds.self, forKey: .max) ?? 0
    guard let durations = Durations(buckets: buckets, longest: longest) else {
      throw container.corrupt(
        .buckets,
        "buckets must be in order and unique, and the last one must contain the longest duration")
    }
    return durations
  }

  /// Writes the row; what it does not have is left out.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(key.kind.rawValue, forKey: .kind)
    if key.isOthers { try container.encode(true, forKey: .others) }
    if !key.name.isEmpty { try container.encode(key.name, forKey: .name) }
    if !key.label.isEmpty { try container.encode(key.label, forKey: .label) }
    try container.encode(durations.count, forKey: .count)

    if durations.count > 0 {
      for (percent, key) in [(50, .p50), (95, .p95), (99, .p99)] as [(UInt64, CodingKeys)] {
        try container.encode(durations.percentile(percent), forKey: key)
      }
      try container.encodeIfPresent(durations.budget(), forKey: .budget)
      try container.encodeIfPresent(durations.budget(keptBy: 99), forKey: .budget99)
      try container.encode(durations.longest, forKey: .max)
      try container.encode(
        durations.buckets.map { [$0.lowest, Int64(clamping: $0.count)] }, forKey: .buckets)
    }

    if !allowances.isEmpty { try container.encode(allowances, forKey: .allowances) }
    if !omissions.isEmpty {
      let counts = omissions.map { ($0.key.rawValue, $0.value) }
      try container.encode(
        Dictionary(uniqueKeysWithValues: counts), forKey: .notCounted)
    }
  }
}

extension KeyedDecodingContainer {
  fileprivate func corrupt(_ key: Key, _ expected: String) -> DecodingError {
    .dataCorruptedError(forKey: key, in: self, debugDescription: expected)
  }
}

extension Statistics.AllowanceUse: Codable {
  private enum CodingKeys: String, CodingKey { case allowed, used, permille }

  /// Reads what ``encode(to:)`` has written.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    allowed = try container.decode(Nanoseconds.self, forKey: .allowed)
    used = try container.decode(Nanoseconds.self, forKey: .used)
  }

  /// Writes the limit, what was used of it, and how much that is.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(allowed, forKey: .allowed)
    try container.encode(used, forKey: .used)
    try container.encode(permille, forKey: .permille)
  }
}

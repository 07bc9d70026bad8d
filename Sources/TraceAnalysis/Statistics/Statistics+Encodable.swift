import LifecycleModel

/// Statistics are an array of rows, in their order; a histogram is the list of its buckets that are not
/// empty.
extension Statistics: Encodable {
  /// Writes the rows.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for row in rows { try container.encode(row) }
  }
}

extension Statistics.Row: Encodable {
  private enum CodingKeys: String, CodingKey {
    case kind, name, label, others, max, buckets, allowances, notCounted
    case count, p50, p95, p99, budget, budget99
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

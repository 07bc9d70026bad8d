/// An object of JSON, with what a form wants of it.
///
/// The elements of an array are members of the object under the array's key, as if each had that key.
struct JSONObject {
  /// What stands under a key.
  enum Member {
    /// A string, a number or a literal.
    case text(String)
    case object(JSONObject)
  }

  /// The members, in the order of the text.
  var members: [(key: String, member: Member)] = []

  /// The objects under a path, whose keys `/` separates.
  func objects(_ path: String) -> [JSONObject] {
    path.split(separator: "/").reduce([self]) { objects, key in
      objects.flatMap { object in
        object.members.compactMap { entry in
          if entry.key == key, case .object(let next) = entry.member { next } else { nil }
        }
      }
    }
  }

  /// The texts under a key.
  func texts(_ key: String) -> [String] {
    members.compactMap { entry in
      if entry.key == key, case .text(let text) = entry.member { text } else { nil }
    }
  }

  /// The last text under a key.
  subscript(key: String) -> String? { texts(key).last }

  /// The last text under a key of an object under a path.
  func text(_ path: String, _ key: String) -> String? { objects(path).last?[key] }

  /// The texts in the object and in what lies in it, each with its path.
  func forEachText(under path: String = "", _ body: (_ path: String, _ text: String) -> Void) {
    for (key, member) in members {
      let path = path.isEmpty ? key : path + "/" + key
      switch member {
      case .text(let text): body(path, text)
      case .object(let object): object.forEachText(under: path, body)
      }
    }
  }

  /// The objects that lie in the object and whose path is meant, those around others first.
  func objects(
    below path: String = "", where isMeant: (_ path: String) -> Bool
  ) -> [(path: String, object: JSONObject)] {
    members.flatMap { key, member -> [(path: String, object: JSONObject)] in
      guard case .object(let object) = member else { return [] }
      let path = path.isEmpty ? key : path + "/" + key
      return (isMeant(path) ? [(path, object)] : []) + object.objects(below: path, where: isMeant)
    }
  }
}

/// Takes the objects that ``LooseJSON`` finds.
protocol JSONTaker {
  /// How many elements are wanted of the objects and arrays at a path; 0 where they are passed over.
  func most(at path: String) -> Int
  /// Takes an outermost object; `isWhole` is false of what stands in no braces.
  mutating func take(_ object: JSONObject, isWhole: Bool)
}

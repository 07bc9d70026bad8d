"""What is told as a change between releases, and what as chance."""
import random
import unittest

from tracectl_spark.report import changes, slower


def row(a, a_able, b, b_able, name="x"):
    return {"rule": "r", "severity": "error", "fingerprint": name, "example": "", "a_logs": a, "a_able": a_able,
            "b_logs": b, "b_able": b_able}


def fleet(chance, causes, sessions, planted=()):
    """The counts of a fleet in which each cause has the same share in both releases, but those planted."""
    rows = []
    for cause in range(causes):
        share = 10 ** chance.uniform(-3.5, -1)
        shares = (share, share) if cause not in planted else (0.001, 0.02)
        a, b = (sum(chance.random() < share for _ in range(sessions)) for share in shares)
        rows.append(row(a, sessions, b, sessions, str(cause)))
    return rows


class ChangeTests(unittest.TestCase):
    def test_of_twenty_fleets_without_a_change_one_at_the_most_says_something(self):
        """Benjamini and Hochberg at q < 0.05: where all is chance, one family in twenty errs."""
        speaking = [
            seed for seed in range(20)
            if any(row["change"] != "chance" for row in changes(fleet(random.Random(seed), 30, 3000)))]
        self.assertLessEqual(len(speaking), 1, f"seeds {speaking}")

    def test_what_is_planted_comes_first_and_little_else_is_told(self):
        """q < 0.05: of all that is told in many fleets, one in twenty is chance."""
        told = others = 0
        for seed in range(100):
            found = changes(fleet(random.Random(seed), 30, 3000, planted=(7,)))
            self.assertEqual((found[0]["fingerprint"], found[0]["change"]), ("7", "more"), f"seed {seed}")
            self.assertLess(found[0]["q"], 0.05)
            told += sum(row["change"] != "chance" for row in found)
            others += sum(row["change"] != "chance" for row in found[1:])
        self.assertLessEqual(others, 0.1 * told)

    def test_fewer_logs_that_can_tell_are_no_health(self):
        """10 of 1,000 and 10 of 100 that could tell: ten times as many."""
        (found,) = changes([row(10, 1000, 10, 100)])
        self.assertEqual((found["change"], round(found["ratio"], 6)), ("more", 10))
        (found,) = changes([row(10, 1000, 0, 0)])
        self.assertEqual((found["change"], found["q"], found["ratio"]), ("cannot-tell", None, None))

    def test_a_rule_with_more_logs_than_could_tell_does_not_end_the_report(self):
        (found,) = changes([row(7, 5, 900, 30)])
        self.assertEqual((found["change"], found["z"], found["p"]), ("chance", 0, 1))

    def test_what_is_too_rare_or_too_small_a_change_is_not_told(self):
        self.assertEqual(changes([row(0, 10, 4, 10)]), [])
        self.assertEqual(changes([row(50_000, 100_000, 52_000, 100_000)])[0]["change"], "chance")
        self.assertEqual(changes([row(40, 1000, 4, 1000)])[0]["change"], "rarer")
        self.assertEqual(changes([row(0, 1000, 30, 1000)])[0]["ratio"], float("inf"))

    def test_slower_needs_a_larger_percentile_and_more_than_chance(self):
        def callback(name, a_p95, b_p95, b_above):
            return {"name": name, "a_count": 1000, "b_count": 1000, "a_p95_ms": a_p95, "b_p95_ms": b_p95,
                    "a_above": 50, "b_above": b_above}

        rows = slower([callback("same", 10, 10, 52), callback("slow", 10, 30, 200), callback("hair", 10, 11, 200)])
        self.assertEqual({row["name"]: row["change"] for row in rows},
                         {"same": "chance", "slow": "slower", "hair": "chance"})


if __name__ == "__main__":
    unittest.main()

"""Statistics against published values, and against exact fractions that are computed in another way."""
import math
import random
import unittest
from fractions import Fraction

from tracectl_spark import statistics


def exact_fisher(a, n, b, m):
    def ways(x):
        return math.comb(n, x) * math.comb(m, a + b - x)

    tables = range(max(0, a + b - m), min(a + b, n) + 1)
    return float(Fraction(sum(ways(x) for x in tables if ways(x) <= ways(a)), math.comb(n + m, a + b)))


def exact_poisson_tail(events, mean):
    """The chance of at least so many events, by adding up the chances of fewer."""
    return 1 - math.fsum(math.exp(-mean + k * math.log(mean) - math.lgamma(k + 1)) for k in range(events))


class StatisticsTests(unittest.TestCase):
    def assertInterval(self, found, low, high, places=4):
        self.assertAlmostEqual(found[0], low, places)
        self.assertAlmostEqual(found[1], high, places)

    def test_wilson_is_as_newcombe_published_it(self):
        """Newcombe 1998, Statistics in Medicine 17, table I, method 3."""
        for successes, trials, low, high in [
            (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718)
        ]:
            self.assertInterval(statistics.wilson(successes, trials), low, high)
        self.assertEqual(statistics.wilson(20, 20)[1], 1)
        self.assertEqual(statistics.wilson(0, 0), (0, 1))

    def test_fisher_is_that_of_the_lady_tasting_tea_and_of_exact_fractions(self):
        self.assertAlmostEqual(statistics.fisher(3, 4, 1, 4), 34 / 70, 12)
        chance = random.Random(7)
        for _ in range(200):
            n, m = chance.randint(1, 40), chance.randint(1, 40)
            a, b = chance.randint(0, n), chance.randint(0, m)
            self.assertAlmostEqual(statistics.fisher(a, n, b, m), exact_fisher(a, n, b, m), 9)

    def test_z_of_two_shares(self):
        """15 of 100 and 30 of 100: z = 0.15 / sqrt(0.225 · 0.775 · 0.02)."""
        z, p = statistics.proportions(15, 100, 30, 100)
        self.assertAlmostEqual(z, 0.15 / math.sqrt(0.225 * 0.775 * 0.02), 12)
        self.assertAlmostEqual(p, 0.0111, 4)
        self.assertEqual(statistics.proportions(0, 10, 0, 10), (0, 1))
        self.assertEqual(statistics.proportions(0, 0, 5, 10), (0, 1))

    def test_what_was_found_was_a_trial(self):
        """More found than trials is no share above 1: 12 of 10 count as 12 of 12."""
        self.assertEqual(statistics.proportions(12, 10, 50, 100), statistics.proportions(12, 12, 50, 100))
        self.assertEqual(statistics.proportions(500, 1000, 700, 300), statistics.proportions(500, 1000, 700, 700))
        self.assertEqual(statistics.proportions(9, 3, 9, 3), (0, 1))

    def test_small_counts_are_judged_exactly(self):
        self.assertAlmostEqual(statistics.proportions(0, 50, 4, 50)[1], exact_fisher(0, 50, 4, 50), 9)

    def test_q_is_as_benjamini_and_hochberg_published_it(self):
        """Their example of 15 p (1995, §3): the first four are below 0.05."""
        ps = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719,
              0.6528, 0.7590, 1.0]
        qs = statistics.benjamini_hochberg(ps)
        self.assertEqual([q < 0.05 for q in qs], [True] * 4 + [False] * 11)
        self.assertAlmostEqual(qs[3], 0.0095 * 15 / 4, 12)
        shuffled = list(range(15))
        random.Random(3).shuffle(shuffled)
        self.assertEqual(
            statistics.benjamini_hochberg([ps[i] for i in shuffled]), [qs[i] for i in shuffled])
        self.assertEqual(statistics.benjamini_hochberg([]), [])

    def test_intervals_of_counts_are_garwoods(self):
        """Garwood 1936, as in many tables: 0: (0, 3.689), 1: (0.0253, 5.572), 10: (4.795, 18.390)."""
        for events, low, high in [(0, 0, 3.689), (1, 0.0253, 5.572), (10, 4.795, 18.390), (100, 81.364, 121.627)]:
            self.assertInterval(statistics.poisson(events), low, high, 3)
        for events in (1, 7, 50, 400):
            low, high = statistics.poisson(events)
            self.assertAlmostEqual(exact_poisson_tail(events, low), 0.025, 9)
            self.assertAlmostEqual(1 - exact_poisson_tail(events + 1, high), 0.025, 9)

    def test_exact_intervals_of_shares(self):
        """Clopper and Pearson: 10 of 20 is 0.2720 to 0.7280; 0 of 10 is 0 to 1 - 0.025^(1/10)."""
        self.assertInterval(statistics.clopper_pearson(10, 20), 0.2720, 0.7280)
        self.assertInterval(statistics.clopper_pearson(0, 10), 0, 1 - 0.025 ** 0.1, 9)

    def test_ratio_of_rates(self):
        ratio, low, high, p = statistics.rate_ratio(10, 100, 20, 100)
        self.assertAlmostEqual(ratio, 2)
        tail = Fraction(sum(math.comb(30, k) for k in range(20, 31)), 2 ** 30)
        self.assertAlmostEqual(p, float(2 * tail), 9)
        share = statistics.clopper_pearson(20, 30)
        self.assertAlmostEqual(low, share[0] / (1 - share[0]), 9)
        self.assertAlmostEqual(high, share[1] / (1 - share[1]), 9)
        self.assertEqual(statistics.rate_ratio(5, 10, 0, 10)[:2], (0, 0))
        self.assertEqual(statistics.rate_ratio(0, 10, 5, 10)[2], math.inf)
        self.assertEqual(statistics.rate_ratio(0, 10, 0, 10)[3], 1)

    def test_large_counts_are_as_the_normal_approximation_has_them(self):
        low, high = statistics.poisson(1_000_000)
        self.assertInterval((low / 1e6, high / 1e6), 1 - 1.96e-3, 1 + 1.96e-3, 5)
        ratio, low, high, p = statistics.rate_ratio(500_000, 1, 500_000, 1)
        self.assertAlmostEqual(p, 1, 2)
        self.assertInterval((low, high), math.exp(-1.96 * 0.002), math.exp(1.96 * 0.002), 5)

    def test_percentiles_come_from_summed_buckets(self):
        self.assertEqual(statistics.percentile([(10, 90), (20, 5), (30, 5)], 0.95), 20)
        self.assertEqual(statistics.percentile([(20, 5), (10, 45), (30, 5), (10, 45)], 0.95), 20)
        self.assertEqual(statistics.percentile([(10, 94), (20, 6)], 0.95), 20)
        self.assertIsNone(statistics.percentile([], 0.95))


if __name__ == "__main__":
    unittest.main()

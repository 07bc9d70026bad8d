"""What counts of a fleet can tell: intervals, tests and percentiles, in plain Python.

Each function names its formula. Shares and rates are fractions; an interval is (low, high) at 95 %.
"""
import math

Z95 = 1.959963984540054
"""The quantile of the normal distribution that leaves 2.5 % above it."""


def wilson(successes, trials, z=Z95):
    """The interval of a share (Wilson 1927): centre (p + z²/2n) / (1 + z²/n), which stays within 0 and 1."""
    if trials == 0:
        return (0.0, 1.0)
    share = successes / trials
    denominator = 1 + z * z / trials
    centre = (share + z * z / (2 * trials)) / denominator
    half = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials)) / denominator
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == trials else min(1.0, centre + half)
    return (low, high)


def proportions(a, trials_a, b, trials_b):
    """Whether two shares differ: (z, p), two-sided; z is above 0 where b's share is larger.

    The pooled z test, z = (pb - pa) / sqrt(p (1 - p) (1/na + 1/nb)). Where fewer than five are expected in
    one of the four cells, p is Fisher's exact one. What was found was a trial: where trials are fewer than that,
    they count as many.
    """
    trials_a, trials_b = max(a, trials_a), max(b, trials_b)
    if trials_a == 0 or trials_b == 0:
        return (0.0, 1.0)
    total = trials_a + trials_b
    pooled = (a + b) / total
    if pooled in (0, 1):
        return (0.0, 1.0)
    error = math.sqrt(pooled * (1 - pooled) * (1 / trials_a + 1 / trials_b))
    z = (b / trials_b - a / trials_a) / error
    expected = min(trials_a, trials_b) * min(pooled, 1 - pooled)
    p = fisher(a, trials_a, b, trials_b) if expected < 5 else math.erfc(abs(z) / math.sqrt(2))
    return (z, p)


def fisher(a, trials_a, b, trials_b):
    """Fisher's exact test, two-sided: the sum of all tables with these margins that are no more likely."""
    found = a + b
    lowest, highest = max(0, found - trials_b), min(found, trials_a)
    whole = _log_choose(trials_a + trials_b, found)

    def likelihood(x):
        return math.exp(_log_choose(trials_a, x) + _log_choose(trials_b, found - x) - whole)

    limit = likelihood(a) * (1 + 1e-7)
    return min(1.0, math.fsum(p for x in range(lowest, highest + 1) if (p := likelihood(x)) <= limit))


def benjamini_hochberg(ps):
    """The q of each p (Benjamini and Hochberg 1995): the least of p·m/rank from this rank on."""
    order = sorted(range(len(ps)), key=lambda index: ps[index], reverse=True)
    qs, least = [1.0] * len(ps), 1.0
    for position, index in enumerate(order):
        least = min(least, ps[index] * len(ps) / (len(ps) - position))
        qs[index] = least
    return qs


def poisson(events, tail=0.025):
    """The exact interval of the mean of a Poisson count (Garwood 1936), by its two tails."""
    low = 0.0 if events == 0 else _solve(lambda mean: _gamma_p(events, mean), tail, events)
    high = _solve(lambda mean: _gamma_p(events + 1, mean), 1 - tail, events + 1)
    return (low, high)


def rate_ratio(a, exposure_a, b, exposure_b):
    """How many times b's rate is a's: (ratio, low, high, p), exact under the condition of a + b events.

    Given their sum, b is binomial with the share r·tb / (ta + r·tb) at the ratio r (Przyborowski and Wilenski
    1940); the interval turns that of Clopper and Pearson (1934) round. p doubles the smaller tail.
    """
    total = a + b
    if total == 0 or exposure_a <= 0 or exposure_b <= 0:
        return (math.nan, 0.0, math.inf, 1.0)
    even = exposure_b / (exposure_a + exposure_b)
    at_least = 1.0 if b == 0 else _beta(even, b, total - b + 1)
    at_most = 1.0 if b == total else 1 - _beta(even, b + 1, total - b)

    def ratio(share):
        return math.inf if share >= 1 else share / (1 - share) * exposure_a / exposure_b

    low, high = clopper_pearson(b, total)
    return (ratio(b / total), ratio(low), ratio(high), min(1.0, 2 * min(at_least, at_most)))


def clopper_pearson(successes, trials, tail=0.025):
    """The exact interval of a share (Clopper and Pearson 1934), from the quantiles of the beta distribution."""
    rest = trials - successes
    low = 0.0 if successes == 0 else _bisect(lambda x: _beta(x, successes, rest + 1), tail, 0, 1)
    high = 1.0 if rest == 0 else _bisect(lambda x: _beta(x, successes + 1, rest), 1 - tail, 0, 1)
    return (low, high)


def percentile(buckets, share):
    """The bucket in which the share of all counts is reached; `None` of no counts.

    `buckets` are pairs of a bucket's least value and its count, of one layout: counts of the same bucket
    add up, so histograms of many logs are one.
    """
    total = sum(count for _, count in buckets)
    reached = 0
    for bucket, count in sorted(buckets):
        reached += count
        if reached >= share * total and total > 0:
            return bucket
    return None


def _log_choose(n, k):
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def _bisect(function, wanted, low, high):
    """Where a rising function has this value."""
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if function(middle) < wanted:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _solve(function, wanted, guess):
    """The same for a function of which no upper end is known."""
    high = 2.0 * guess + 10
    while function(high) < wanted:
        high *= 2
    return _bisect(function, wanted, 0, high)


def _gamma_p(shape, x):
    """The regularized incomplete gamma function P: its series below shape + 1, else its continued fraction."""
    if x <= 0:
        return 0.0
    scale = math.exp(shape * math.log(x) - x - math.lgamma(shape))
    if x < shape + 1:
        term = total = 1 / shape
        n = shape
        while abs(term) > abs(total) * 1e-16:
            n += 1
            term *= x / n
            total += term
        return min(1.0, total * scale)

    def step(i):
        return (-i * (i - shape), x + 2 * i + 1 - shape)

    return max(0.0, 1 - scale / _fraction(x + 1 - shape, step))


def _beta(x, a, b):
    """The regularized incomplete beta function, by its continued fraction (DLMF 8.17.22)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(1 - x, b, a)
    scale = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))

    def step(i):
        m = i // 2
        if i % 2 == 0:
            return (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), 1.0)
        return (-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), 1.0)

    return min(1.0, scale / (a * _fraction(1.0, step)))


def _fraction(first, step):
    """b0 + a1 / (b1 + a2 / (b2 + …)) by the method of Lentz; `step` gives a and b."""
    tiny = 1e-300
    value = c = first or tiny
    d = 0.0
    for i in range(1, 1_000_000):
        a, b = step(i)
        d = 1 / ((b + a * d) or tiny)
        c = (b + a / c) or tiny
        change = c * d
        value *= change
        if abs(change - 1) < 1e-15:
            break
    return value

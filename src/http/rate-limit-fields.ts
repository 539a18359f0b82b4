// The fields RateLimit-Policy and RateLimit of answers, by which a program can slow down before it is refused
// (draft-ietf-httpapi-ratelimit-headers-11, "RateLimit header fields for HTTP", with structured fields of RFC 9651).

/** A limit on requests, and what is left of it after one. */
export type RateLimit = {
  /** Names the policy, of printable ASCII without quotes or backslashes. */
  name: string;
  /** How many requests are allowed in the window, whose length is in whole seconds above zero. */
  quota: number;
  windowSeconds: number;
  remaining: number;
  /** Whole seconds until more is allowed. */
  resetSeconds: number;
};

/**
 * The fields for the limits that a request was counted against, one item each, as the draft has them: in
 * RateLimit-Policy (section 3) the quota `q` and the window `w`, which stay the same; in RateLimit (section 4) the
 * remaining requests `r` and the seconds `t` until more are available. All are integers that are not negative, and
 * `w` is above zero (3.1.3, 4.1.1, 4.1.2). The unit is the default, requests. They may be on any answer, refusals
 * included, and a Retry-After must not point to a moment before `t` (section 6). None for no limits.
 */
export function rateLimitFields(limits: readonly RateLimit[]): Record<string, string> {
  if (limits.length === 0) return {};
  return {
    "ratelimit-policy": limits
      .map(({ name, quota, windowSeconds }) => `"${name}";q=${quota};w=${windowSeconds}`)
      .join(", "),
    ratelimit: limits
      .map(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`)
      .join(", "),
  };
}

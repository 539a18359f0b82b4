// The fields RateLimit-Policy and RateLimit of answers, by which a program can slow down before it is refused.

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
 * The fields for the limits that a request was counted against; none for no limits. They are lists of structured fields
 * (RFC 9651), as draft-ietf-httpapi-ratelimit-headers-10 has them ("RateLimit header fields for HTTP", in force as
 * version 11): one item for each limit, a string that names it. "Quota Policy Item": `q` is the quota, in its default
 * unit of requests, `w` the window in seconds, an integer above zero; both stay the same over many answers. "Service
 * Limit Item": `r` is what remains, `t` the seconds "until additional quota … is made available", not until all of it
 * is. "Server Behavior": they may be on any answer, and a Retry-After beside them does not point to before `t`.
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

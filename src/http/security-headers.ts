// The security headers that every answer has.

/** The security headers of every answer. HSTS leaves out subdomains, which may not have https. */
export function securityHeaders(baseUrl: string | null): [name: string, value: string][] {
  const isSecure = baseUrl?.startsWith("https:") ?? false;
  return [
    ["x-content-type-options", "nosniff"],
    ["referrer-policy", "same-origin"],
    ["cross-origin-resource-policy", "same-origin"],
    ["permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"],
    ...(isSecure ? [["strict-transport-security", "max-age=31536000"] as [string, string]] : []),
  ];
}

/** Adds the headers that a page has not set itself: a receipt is stricter, because its address is a secret. */
export function addMissing(headers: [name: string, value: string][], response: Response): void {
  for (const [name, value] of headers) if (!response.headers.has(name)) response.headers.set(name, value);
}

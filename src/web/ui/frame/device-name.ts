// The names of browsers and systems as people know them.

/** User agents often contain several of these names, so the first match counts. */
const BROWSERS: [RegExp, string][] = [
  [/OPR\/|Opera/, "Opera"],
  [/Edg/, "Edge"],
  [/SamsungBrowser/, "Samsung Internet"],
  [/Firefox|FxiOS/, "Firefox"],
  [/Chrome|CriOS/, "Chrome"],
  [/Safari/, "Safari"],
];
const SYSTEMS: [RegExp, string][] = [
  [/KAIOS/i, "KaiOS"],
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Windows/, "Windows"],
  [/Mac OS/, "macOS"],
  [/Linux/, "Linux"],
];

/** "Chrome on Android", as far as a text can tell that anybody may forge; for programs, the name they give. */
export function deviceIn(userAgent: string | null): string {
  if (!userAgent) return "Unknown device";
  const nameIn = (names: [RegExp, string][]) => names.find(([sign]) => sign.test(userAgent))?.[1];
  const browser = nameIn(BROWSERS);
  if (!browser) return userAgent.split(/[/\s]/)[0]!.slice(0, 40) || "Unknown device";
  const system = nameIn(SYSTEMS);
  return system ? `${browser} on ${system}` : browser;
}

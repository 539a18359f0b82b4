// Page layout for the simulators: plain HTML and forms, without scripts.
import { escapeHTML } from "bun";
import type { Reply } from "./http.ts";

export type PageOptions = {
  status?: number;
  /** Reloads the page every three seconds. */
  refreshes?: boolean;
  /** CSS after the simulators' common style. */
  style?: string;
};

/** A page of `simulator` ("Paystack simulator"); `content` is HTML, everything else is text. */
export function pageOf(simulator: string, title: string, content: string, options: PageOptions = {}): Reply {
  const { status = 200, refreshes = false, style = "" } = options;
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${refreshes ? '<meta http-equiv="refresh" content="3">' : ""}
<title>${escapeHTML(title)} · ${escapeHTML(simulator)}</title>
<style>${STYLE}${style}</style>
</head>
<body>
<p class="banner">${escapeHTML(simulator)}: no real money moves here</p>
<main><h1>${escapeHTML(title)}</h1>
${content}
</main>
</body>
</html>`;
  return {
    status,
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
    body,
  };
}

/** A form's button. */
export function button(name: string, value: string, label: string, className = ""): string {
  return `<button name="${name}" value="${value}"${className && ` class="${className}"`}>${escapeHTML(label)}</button>`;
}

/** The shop's own colours, light and dark, for pages that show something of it. */
export const COLOURS = `
:root {
  color-scheme: light dark; --paper: #f5f6f8; --card: #fff; --ink: #17202e; --soft: #5a6577; --line: #dde2ea;
  --brand: #0b5d4e; --brand-soft: #e2f1ed; --info: #1d5fb4; --info-soft: #e3edfb; --bad: #b3261e;
  --bad-soft: #fbe7e5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0f141b; --card: #18202b; --ink: #e8ecf2; --soft: #a3aebf; --line: #2c3746; --brand: #4fc3a8;
    --brand-soft: #15332d; --info: #8fbcf7; --info-soft: #152a45; --bad: #f4a49c; --bad-soft: #45201d;
  }
}
`;

const STYLE = `
* { box-sizing: border-box; margin: 0; }
body { font: 16px/1.5 system-ui, sans-serif; color: #14202b; background: #eef2f5; overflow-wrap: anywhere; }
.banner { background: #ffd54a; padding: .5rem 1rem; text-align: center; font-weight: 600; }
main { max-width: 24rem; margin: 1rem auto; padding: 1.25rem; background: #fff; border-radius: .75rem; }
h1 { font-size: 1rem; font-weight: 600; color: #4a5a68; }
section + section { border-top: 1px solid #d5dde3; margin-top: 1.25rem; padding-top: 1.25rem; }
.amount { font-size: 2rem; font-weight: 700; }
.small { font-size: .875rem; color: #4a5a68; }
.notice { background: #fff4d6; border-radius: .5rem; padding: .5rem .75rem; margin-top: .75rem; }
form { display: grid; gap: .5rem; margin-top: 1rem; }
fieldset { border: 1px solid #d5dde3; border-radius: .5rem; padding: .5rem .75rem; }
legend { font-size: .875rem; color: #4a5a68; }
label { display: block; min-height: 2rem; }
button {
  font: inherit; min-height: 2.75rem; border: 1px solid #9fb0bd; border-radius: .5rem; background: #fff;
  color: inherit;
}
button.main { background: #0a6b3d; border-color: #0a6b3d; color: #fff; font-weight: 600; }
button:focus-visible, input:focus-visible { outline: 3px solid #1a73e8; outline-offset: 2px; }
`;

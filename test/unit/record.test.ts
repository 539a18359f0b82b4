// Tests of what a recording writes: what is random is replaced and nothing else, and a page is a tree of lines.
import { expect, test } from "bun:test";
import { jsonLines } from "../record/folder.ts";
import { START, scrub } from "../record/scrub.ts";
import { linesOf, parse } from "../record/tree.ts";

test("what is random is replaced", () => {
  const requestId = `${START.getTime().toString(36)}-a22x`;
  const texts = {
    "tp-1b4e28ba-2fa1-41d2-883f-0016d3cca427": "tp-<uuid>",
    [`"requestId": "${requestId}"`]: '"requestId": "<request>"',
    "Bearer eyJhbGciOi.eyJzdWIi.c2lnbmF0dXJl": "Bearer <token>",
    "the key dfk_live_aH17…WMl2": "the key dfk_live_<key>",
    "whsec_PpMq9edy0H1opUlLB04+eK3UQaSpe5oEIOuuEW/JsFs=": "whsec_<secret>",
    "http://127.0.0.1:46875/pay": "http://127.0.0.1:<port>/pay",
    "http://localhost/p/SoF159YB1ThqCbAeeOVLqA": "http://localhost/p/<token>",
    '"code": "586731"': '"code": "<code>"',
    "/built/app-shell-fjt83pjw.js": "/built/app-shell-<hash>.js",
  };
  for (const [text, scrubbed] of Object.entries(texts)) expect(scrub(text)).toBe(scrubbed);
});

test("everything else stays: times, ids, amounts and numbers", () => {
  const text = "Order 403 of 2026-11-18T10:19:04+00:00, GH₵ 3.90 for 0541234567, ussd-session, order.not_found";
  expect(scrub(text)).toBe(text);
});

test("a page is a line for each element and text, with attributes sorted and without scripts", () => {
  const page = parse(`<body><script>1</script><nav>Menu</nav>
    <main id="content" class="plain"><p hidden>One
      <b>two</b></p><style>p {}</style><input value="3" name="n"></main></body>`);
  const lines = ['main class="plain" id="content"', "  p hidden", "    “One”", "    b", "      “two”"];
  expect(linesOf(page.querySelector("main")!)).toEqual([...lines, '  input name="n" value="3"']);
  const around = linesOf(page.querySelector("body")!, new Set([page.querySelector("main")!]));
  expect(around).toEqual(["body", "  nav", "    “Menu”"]);
});

test("the names of JSON are sorted, at every depth, and lists keep their sequence", () => {
  expect(
    jsonLines({ b: [{ d: 1, c: 2 }, 0], a: null })
      .join(" ")
      .replace(/ +/g, " "),
  ).toBe('{ "a": null, "b": [ { "c": 2, "d": 1 }, 0 ] }');
});

// Forms that come back after a login, as they were typed, on every agent's page: nothing is lost because a session was
// over.
import { describe, expect, test } from "bun:test";
import { startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import { fillShop, PAGES } from "../support/pages.ts";
import { openApp, openWorld } from "../support/world.ts";
import { visitorAs } from "./visitor.ts";

const world = await openWorld();
const paystack = await startPaystack();
const client = openApp(world, paystack);
const used = await fillShop(world, paystack);
await paystack.stop();

type Form = ReturnType<Document["querySelectorAll"]>[number];
const TYPED = "input[name]:not([type=hidden], [type=file], [type=checkbox], [type=radio]), textarea[name]";
const SECRET = /password|pin$|^code$/i;
/** Short enough for every field, small enough for a number, and mostly nothing that a page shows by itself. */
const typedInto = (form: Form) =>
  new Map(
    [...form.querySelectorAll(TYPED)]
      .filter((field) => !SECRET.test(field.getAttribute("name")!))
      .map((field, index) => [
        field.getAttribute("name")!,
        field.getAttribute("type") === "number" ? "3" : `71${index}`,
      ]),
  );

describe("after a login, what was typed comes back", () => {
  for (const { path, as, addresses } of PAGES.filter(({ as }) => as === "agent"))
    test(`on ${path} as ${as}`, async () => {
      const visit = await visitorAs(client, used.agent);
      const address = addresses(used)[0]!;
      const seen = await visit.open(address);
      for (const form of seen.document.querySelectorAll("form[method=post]")) {
        const typed = typedInto(form);
        if (typed.size === 0) continue;
        const hidden = [...form.querySelectorAll("input[type=hidden][name]")].map(
          (field) => [field.getAttribute("name")!, field.getAttribute("value")!] as const,
        );
        const button = form.querySelector("button[type=submit]:not([formaction])");
        const pressed = button?.getAttribute("name")
          ? { [button.getAttribute("name")!]: button.getAttribute("value") ?? "" }
          : {};
        const target = form.getAttribute("action")!;
        const sent = await client.browse(null, target, {
          ...Object.fromEntries([...hidden, ...typed]),
          ...pressed,
        });
        const to = new URL(sent.headers.get("location")!, "http://localhost");
        const back = await visit.open(to.searchParams.get("next") ?? "/");
        const values = [...back.document.querySelectorAll("input, textarea")].map(
          (field) => field.getAttribute("value") ?? field.textContent,
        );
        for (const [name, value] of typed)
          expect({ target, name, isThere: values.includes(value) }).toEqual({ target, name, isThere: true });
      }
    });
});

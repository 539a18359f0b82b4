// API keys in a browser without scripts: making one, the key that is shown once, changing, replacing and revoking it.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { OtherMode } from "../../src/core/identity/api-keys.ts";
import * as apiKeys from "../../src/core/identity/api-keys.ts";
import { modeOfKey } from "../../src/shared/api-keys.ts";
import { AppError } from "../../src/shared/errors/app-error.ts";
import { enrol } from "../support/factor.ts";
import { KEY_SETTINGS } from "../support/keys.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { type Seen, type Visitor, visitorAs } from "./visitor.ts";

const world = await openWorld();
const { db } = world;
const client = openApp(world);
const live = apiKeys.keeperOf(db, "live");
const PATH = "/profile/developers";

let people = 0;
async function coder(isEnrolled = true, on = client): Promise<{ person: Person; visit: Visitor; codes: string[] }> {
  const person = await world.person(`coder${++people}`);
  const codes = isEnrolled ? (await enrol(world, person)).recoveryCodes : [];
  return { person, visit: await visitorAs(on, person), codes };
}
const secretOn = ({ document }: Seen) => document.querySelector(".secret-key")?.textContent ?? "";
/** Fields of the form, besides the ticks that it begins with. */
const FIELDS = { name: "My server", perDay: "50", addresses: "203.0.113.7\n2001:db8::/32", endsOn: "" };

test("an empty list says what to do, and the profile links to it", async () => {
  const { visit } = await coder();
  expect((await visit.open("/profile")).document.querySelector(`a[href='${PATH}']`)).not.toBeNull();
  const { text } = await visit.open(PATH);
  expect(text).toContain("You have no key here yet. Make one for each program that you run.");
  expect(text).toContain("The sandbox is not set up in this shop");
});

test("without the extra login code there is the way to it instead of a form", async () => {
  const { visit } = await coder(false);
  const seen = await visit.open(PATH);
  expect(seen.text).toContain("making one takes your extra login code. Set that up first");
  expect(seen.document.querySelector("main a[href='/profile/second-factor']")).not.toBeNull();
  expect(seen.document.querySelector(`form[action='${PATH}']`)).toBeNull();
});

describe("a key", () => {
  test("is shown in the answer to the form and nowhere else, and works", async () => {
    const { visit, person } = await coder();
    const made = await visit.press(await visit.open(PATH), "Make Key", FIELDS);
    expect(made.headers.get("cache-control")).toBe("no-store");
    const secret = secretOn(made);
    expect(modeOfKey(secret)).toBe("live");
    const [apiKey] = await live.list(person.by());
    expect(apiKey).toMatchObject({
      name: "My server",
      scopes: ["read", "buy"],
      addresses: ["203.0.113.7", "2001:db8::/32"],
      dayMaxPesewas: 5000,
      endsAt: null,
    });
    const listed = await visit.open(PATH);
    expect(listed.text).toContain("My server");
    expect(listed.text).toContain("Spent today: GH₵ 0.00 of GH₵ 50.00");
    expect(listed.text).toContain("Not used yet");
    for (const { html } of [listed, await visit.open(`${PATH}/keys/${apiKey!.id}`)]) expect(html).not.toContain(secret);
  });

  test("is made once when its form is sent twice, and the second answer says so", async () => {
    const { visit, person } = await coder();
    const form = await visit.open(PATH);
    await visit.press(form, "Make Key", FIELDS);
    const again = await visit.press(form, "Make Key", FIELDS);
    expect(again.text).toContain("This form was sent before, and the key was shown then.");
    expect(await live.list(person.by())).toHaveLength(1);
  });

  test("that is filled in wrongly comes back with every message and all that was typed", async () => {
    const { visit } = await coder();
    const refused = await visit.press(await visit.open(PATH), "Make Key", {
      ...{ name: "", perDay: "nothing", addresses: "10.0.0.1, nowhere", endsOn: "" },
    });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("Say which program it is for");
    expect(refused.text).toContain("Enter an amount above zero in GH₵, or nothing");
    expect(refused.text).toContain("owhere is no IP address or block, such as 41.66.0.0/16");
    expect(refused.document.querySelector("textarea[name=addresses]")?.textContent).toBe("10.0.0.1, nowhere");
  });

  test("takes the code again when the last proof is older than ten minutes", async () => {
    const { visit, person, codes } = await coder();
    await client.tokenOf(person);
    await db.execute(sql`
      update sessions set confirmed_at = now() - interval '11 minutes' where user_id = ${person.id}`);
    const prompt = await visit.press(await visit.open(PATH), "Make Key", FIELDS);
    expect([prompt.status, prompt.text]).toEqual([403, expect.stringContaining("Confirm that it is you")]);
    const made = await visit.press(prompt, "Confirm and continue", { confirmation: codes[0]! });
    expect(modeOfKey(secretOn(made))).toBe("live");
    const [apiKey] = await live.list(person.by());
    expect([apiKey!.name, apiKey!.scopes]).toEqual(["My server", ["read", "buy"]]);
  });

  test("is changed, replaced and revoked on its page", async () => {
    const { visit, person } = await coder();
    const { apiKey } = (await live.create({ by: person.by(), key: null, ...KEY_SETTINGS })).answer;
    const at = `${PATH}/keys/${apiKey.id}`;
    const saved = await visit.press(await visit.open(at), "Save Changes", {
      ...{ name: "Another name", perDay: "", addresses: "", endsOn: "2099-12-31" },
    });
    expect([saved.path, saved.text]).toEqual([at, expect.stringContaining("Saved.")]);
    const changed = await live.get(person.by(), apiKey.id);
    expect([changed.name, changed.endsAt]).toEqual(["Another name", new Date("2100-01-01T00:00:00Z")]);
    // The same form again moves no end.
    await visit.press(await visit.open(at), "Save Changes");
    expect((await live.get(person.by(), apiKey.id)).endsAt).toEqual(changed.endsAt);

    const replaced = await visit.press(await visit.open(at), "Replace with a New Key");
    expect(replaced.text).toContain("The new key works now, and the old one for another 24 hours.");
    expect(modeOfKey(secretOn(replaced))).toBe("live");
    const old = await visit.open(at);
    expect(old.text).toContain("Replaced: it works until");
    expect(old.document.querySelector("input[value=change]")).toBeNull();

    const revoked = await visit.press(old, "Revoke Key");
    expect([revoked.path, revoked.text]).toEqual([
      PATH,
      expect.stringContaining("The key is revoked: no program can use it any more."),
    ]);
    expect((await live.list(person.by())).map(({ state }) => state)).toEqual(["revoked", "live"]);
  });

  test("of somebody else does not exist, nor one of a sandbox that is not set up", async () => {
    const [one, other] = [await coder(), await coder()];
    const { apiKey } = (await live.create({ by: one.person.by(), key: null, ...KEY_SETTINGS })).answer;
    for (const place of ["keys", "sandbox"])
      expect((await other.visit.open(`${PATH}/${place}/${apiKey.id}`)).status).toBe(404);
    expect((await one.visit.open(`${PATH}/sandbox/${apiKey.id}`)).status).toBe(404);
  });
});

describe("where the sandbox is set up", () => {
  // In another database, of course; here the same one does.
  const sandbox: OtherMode = apiKeys.keeperOf(db, "test");
  const both = openApp(world, undefined, [], { otherMode: sandbox });

  test("a test key is made there, without the extra login code", async () => {
    const { visit, person } = await coder(false, both);
    const form = await visit.open(PATH);
    expect(form.document.querySelector("input[name=mode][value=other]")!.hasAttribute("checked")).toBe(true);
    const made = await visit.press(form, "Make Key", { ...FIELDS, mode: "other" });
    expect(modeOfKey(secretOn(made))).toBe("test");
    const [apiKey] = await sandbox!.list(person.by());
    const page = await visit.open(`${PATH}/sandbox/${apiKey!.id}`);
    expect(page.text).toContain("This is a sandbox key: it spends test money.");
    const revoked = await visit.press(page, "Revoke Key");
    expect(revoked.path).toBe(PATH);
  });

  test("a live key still takes it", async () => {
    const { visit } = await coder(false, both);
    const refused = await visit.press(await visit.open(PATH), "Make Key", { ...FIELDS, mode: "own" });
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining("First set up your extra login code under Profile, Security."),
    ]);
  });

  test("the shop's own keys are shown also when the sandbox does not answer", async () => {
    const gone: OtherMode = { ...sandbox!, list: () => Promise.reject(new AppError("service.unavailable")) };
    const { visit, person } = await coder(true, openApp(world, undefined, [], { otherMode: gone }));
    await live.create({ by: person.by(), key: null, ...KEY_SETTINGS, name: "Still here" });
    const seen = await visit.open(PATH);
    expect([seen.status, seen.text]).toEqual([200, expect.stringContaining("Still here")]);
  });

  test("the API keeps keys of both modes, and says where there is no sandbox", async () => {
    const { person } = await coder();
    const body = { name: "Program", scopes: ["read"] };
    const made = await both.call(person, "POST", "/api/v1/keys?mode=test", body);
    expect([made.status, made.body.mode, modeOfKey(made.body.secret)]).toEqual([201, "test", "test"]);
    expect((await both.call(person, "GET", "/api/v1/keys?mode=test")).body).toHaveLength(1);
    const without = await client.call(person, "POST", "/api/v1/keys?mode=test", body);
    expect([without.status, without.body.code]).toEqual([409, "key.no_sandbox"]);
  });
});

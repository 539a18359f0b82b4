// Tests of every gateway for USSD on its own wire: the whole dialogue, repeats, cut sessions, broken requests, and that
// no PIN is kept on the way.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { connect, disconnect } from "../../db/connect.ts";
import { SERVICE_CODE } from "../../dev/simulators/phone.ts";
import * as unpaidOrders from "../../src/core/buying/unpaid-orders.ts";
import * as products from "../../src/core/catalog/products.ts";
import { gatewayAddressOf, gatewaySecretsOf } from "../../src/core/messaging/callbacks.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { countOver } from "../../src/core/ussd/usage.ts";
import {
  USSD_GATEWAYS,
  USSD_ONLY_GATEWAYS,
  type UssdGatewayName,
  type UssdOnlyGateway,
} from "../../src/shared/phones/ussd-gateways.ts";
import { count, digitsIn } from "../support/asking.ts";
import { longTest } from "../support/long.ts";
import { openWorld, type Person, testApp } from "../support/world.ts";
import { allStoredText, equipPhone, openLine, openReader } from "./dialling.ts";

const world = await openWorld();
const { db } = world;
const line = openLine(world);
/** A second server on the same database. */
const otherDb = connect(world.url, { max: 10 });
afterAll(() => disconnect(otherDb));
const other = openLine(world, otherDb);
const [PIN, OTHER_PIN, WRONG_PIN] = ["918273", "640915", "573084"];
const product = await world.product("MTN", "1GB", "3.90");
const big = await world.product("MTN", "2GB", "8.40");

const ALL = Object.keys(USSD_GATEWAYS) as UssdGatewayName[];
/** An agent with a phone for each gateway. */
const agents = {} as Record<UssdGatewayName, { msisdn: string; person: Person }>;
for (const [i, gateway] of ALL.entries()) {
  const [person, msisdn] = [await world.person(gateway, "GH₵ 200.00"), `23354111111${i}`];
  await equipPhone(world, person, msisdn, PIN);
  agents[gateway] = { person, msisdn };
}
const phoneAt = (gateway: UssdGatewayName) => line.phone(agents[gateway].msisdn, { gateway });
const isNumbered = (gateway: UssdGatewayName) => gateway === "africastalking" || gateway === "hubtel";
const orders = () => count(db, sql`from orders`);

const triesOf = async ({ id }: Person) =>
  (await db.execute<{ tries: number }>(sql`select wrong_tries as tries from pins where user_id = ${id}`))[0]!.tries;

/** A recipient that nothing was bought for before. */
let bought = 0;
const fresh = () => `0241${String(++bought).padStart(6, "0")}`;

const { dial, secondsPass, type } = openReader(db);

beforeEach(async () => {
  await db.execute(sql`update payments set state = 'failed' where state in ('created', 'pending')`);
});

for (const gateway of ALL) {
  describe(USSD_GATEWAYS[gateway], () => {
    const { person } = agents[gateway];
    const phone = phoneAt(gateway);

    longTest("brings the whole dialogue: a purchase, a top-up, and a change of PIN and back", async () => {
      const to = fresh();
      expect((await phone.dial()).text).toStartWith("DataFie\n1 Buy data");
      expect((await type(phone, "1", "1", "1", to)).text).toContain("Pay GHS 3.90 from wallet");
      expect(await type(phone, PIN)).toMatchObject({ text: expect.stringContaining("paid."), isOpen: false });
      expect(await count(db, sql`from orders where msisdn = ${`233${to.slice(1)}`} and paid_at is not null`)).toBe(1);
      expect((await dial(phone, "4", "20", "1", PIN)).isOpen).toBe(false);
      expect(await count(db, sql`from payments where state = 'created' and amount_pesewas = 2000`)).toBe(1);
      expect((await dial(phone, "6", "2", PIN, OTHER_PIN, OTHER_PIN)).text).toBe("Your PIN has been changed.");
      expect((await dial(phone, "6", "2", PIN)).text).toStartWith("Wrong old PIN, 2 tries left.");
      expect((await dial(phone, "6", "2", OTHER_PIN, PIN, PIN)).text).toBe("Your PIN has been changed.");
    });

    test("brings what was dialled behind the code, up to the PIN", async () => {
      const before = await orders();
      expect((await phone.dial("2")).text).toStartWith("Balance GHS");
      const payment = await phone.dial(`1*1*2*${fresh()}*${PIN}`);
      expect(payment).toMatchObject({
        text: expect.stringContaining("Pay GHS 8.40 from wallet"),
        isOpen: true,
      });
      expect(await orders()).toBe(before);
      expect((await type(phone, PIN)).text).toContain("paid.");
      // An input may hold several answers, too.
      await phone.dial();
      expect((await type(phone, `1*1*1*${fresh()}`)).text).toContain("Pay GHS 3.90");
    });

    longTest("sends every request twice at once, and once more, and gets the same screen and one order", async () => {
      const [before, to] = [await orders(), fresh()];
      await phone.dial();
      const again = async () => {
        await db.execute(sql`update ussd_sessions set updated_at = now()`);
        expect(await phone.redeliver()).toEqual(shown);
        // Later, only a number tells a repeat from an answer, or the end of the session does.
        if (!isNumbered(gateway) && shown.isOpen) return;
        await secondsPass();
        expect(await phone.redeliver()).toEqual(shown);
      };
      let shown = await phone.redeliver();
      await secondsPass();
      expect(await phone.redeliver()).toEqual(shown);
      for (const input of ["1", "1", "1", to, WRONG_PIN, PIN]) {
        await secondsPass();
        const answers = [phone.reply(input), phone.redeliver(), phone.redeliver()];
        shown = await answers[0]!;
        expect(await Promise.all(answers)).toEqual([shown, shown, shown]);
        await again();
      }
      expect(shown.text).toContain("paid.");
      expect(await orders()).toBe(before + 1);
      expect(await count(db, sql`from messages where kind = 'order_accepted' and body like ${`%${to}%`}`)).toBe(1);
      expect(await triesOf(person)).toBe(0);
    });

    longTest("counts a wrong PIN once when it comes again at the same screen, however late", async () => {
      for (const way of [
        ["1", "1", "1", fresh()],
        ["6", "2"],
      ]) {
        await dial(phone, ...way);
        const shown = await type(phone, WRONG_PIN);
        for (let again = 0; again < 4; again++) expect((await type(phone, WRONG_PIN)).text).toBe(shown.text);
        expect(await triesOf(person)).toBe(1);
        // Another one is another guess.
        await type(phone, "573085");
        expect(await triesOf(person)).toBe(2);
        await db.execute(sql`update pins set wrong_tries = 0`);
      }
    });

    test("counts a wrong PIN once, however often its request comes at once", async () => {
      await dial(phone, "1", "1", "1", fresh());
      await secondsPass();
      const answers = await Promise.all([phone.reply(WRONG_PIN), phone.redeliver(), phone.redeliver()]);
      for (const { text } of answers) expect(text).toStartWith("Wrong PIN, 2 tries left.");
      expect(await triesOf(person)).toBe(1);
      await type(phone, PIN);
    });

    longTest(
      "answers a request out of order with the last screen, and one that belongs nowhere with an end",
      async () => {
        const before = await orders();
        const first = await phone.dial();
        const second = await type(phone, "1");
        await secondsPass();
        const [text, fields] = EARLIER[gateway];
        const { text: shown, isOpen } = await phone.raw(text, fields);
        expect([shown, isOpen]).toEqual([second.text, true]);
        expect(first.text).not.toBe(second.text);
        // Another phone in this session.
        const number = { africastalking: "phoneNumber", hubtel: "Mobile", arkesel: "msisdn", nalo: "MSISDN" }[gateway];
        const foreign = await postTo(gateway, {
          ...fieldsOf(gateway, phone.sessionId(), "1"),
          [number]: gateway === "africastalking" ? "+233541111199" : "233541111199",
        });
        expect([foreign.status, foreign.screen]).toEqual([200, expect.stringContaining("Sorry, please dial again.")]);
        // A session that was never dialled: only a gateway that sends everything can begin in the middle.
        const lost = await postTo(gateway, fieldsOf(gateway, `lost-${gateway}`, PIN));
        expect(lost.status).toBe(200);
        if (gateway !== "africastalking") expect(lost.screen).toContain("Sorry, please dial again.");
        // After the last screen.
        await type(phone, "1", "1", fresh(), PIN);
        await secondsPass();
        const late = { africastalking: `${phone.text()}*1`, hubtel: "1", arkesel: "1", nalo: "1" }[gateway];
        const after = await phone.raw(late, gateway === "hubtel" ? { Sequence: "7" } : {});
        expect(after).toMatchObject({
          text: expect.stringContaining("Sorry, please dial again."),
          isOpen: false,
        });
        expect(await orders()).toBe(before + 1);
      },
    );

    longTest("offers a purchase again whose session was cut off", async () => {
      const to = fresh();
      await dial(phone, "1", "1", "1", to);
      await phone.sendEvent("Incomplete");
      const id = `hubtel-${phone.sessionId()}`;
      if (gateway === "hubtel") {
        expect((await type(phone, PIN)).text).toContain("Sorry, please dial again.");
        const [row] = await db.execute<{ status: string; isOver: boolean }>(
          sql`select end_status as status, ended_at is not null as "isOver" from ussd_sessions where id = ${id}`,
        );
        expect(row).toEqual({ status: "Release", isOver: true });
      }
      expect((await phone.dial()).text).toContain(`7 Continue: 1GB ${to}`);
      expect((await type(phone, "7", PIN)).text).toContain("paid.");
    });

    test("is refused with another secret, by another method, and without a session's own name", async () => {
      const url = line.hopUrl(gateway);
      const wrong = url.replace(/[^/]+\/ussd$/, `${"x".repeat(43)}/ussd`);
      const body = JSON.stringify(fieldsOf(gateway, "s", ""));
      expect((await fetch(wrong, { method: "POST", body })).status).toBe(404);
      expect((await fetch(url)).status).toBe(404);
      for (const other of ALL.filter((name) => name !== gateway)) {
        const mixed = url.replace(`/${gateway}/`, `/${other}/`);
        expect((await fetch(mixed, { method: "POST", body })).status).toBe(404);
      }
    });
  });
}

type Fields = Record<string, string | boolean>;

/** A request from before the second answer of a session, as late as that. */
const EARLIER: Record<UssdGatewayName, [text: string, fields: Fields]> = {
  africastalking: ["", {}],
  hubtel: ["2", { Sequence: "1" }],
  arkesel: ["*920*55*1#", { newSession: true }],
  nalo: ["*920*55*1#", { MSGTYPE: true }],
};

/** A request in the middle of a session. */
function fieldsOf(gateway: UssdGatewayName, session: string, input: string): Fields {
  const { msisdn } = agents[gateway];
  switch (gateway) {
    case "africastalking":
      return {
        sessionId: session,
        phoneNumber: `+${msisdn}`,
        serviceCode: "*920*55#",
        text: input,
        networkCode: "62001",
      };
    case "hubtel":
      return {
        ...{ Type: "Response", Mobile: msisdn, SessionId: session, ServiceCode: "920*55", Message: input },
        ...{ Operator: "mtn", Sequence: "3", ClientState: "" },
      };
    case "arkesel":
      return {
        sessionID: session,
        userID: "U",
        newSession: false,
        msisdn,
        userData: input,
        network: "MTN",
      };
    case "nalo":
      return {
        USERID: "U",
        MSISDN: msisdn,
        USERDATA: input,
        MSGTYPE: false,
        NETWORK: "MTN",
        SESSIONID: session,
      };
  }
}

async function postTo(gateway: UssdGatewayName, fields: unknown, type = "application/json") {
  const isForm = gateway === "africastalking";
  const body = isForm
    ? new URLSearchParams(fields as Record<string, string>)
    : typeof fields === "string"
      ? fields
      : JSON.stringify(fields);
  const headers = { "content-type": isForm ? "application/x-www-form-urlencoded" : type };
  const response = await fetch(line.hopUrl(gateway), { method: "POST", headers, body });
  const text = await response.text();
  const answer = isForm ? {} : (JSON.parse(text) as Record<string, unknown>);
  return { status: response.status, screen: text.replaceAll("\\n", "\n"), answer };
}

describe("a gateway that posts JSON", () => {
  const complaints = () =>
    line
      .logged()
      .split("\n")
      .filter((row) => row.includes("USSD requests cannot be read"))
      .map((row) => JSON.parse(row) as { gateway: string; field: string });
  const goesOn = { hubtel: "Type", arkesel: "continueSession", nalo: "MSGTYPE" };
  const names = {
    hubtel: ["SessionId", "Mobile", "Message"],
    arkesel: ["sessionID", "msisdn", "userData"],
    nalo: ["SESSIONID", "MSISDN", "USERDATA"],
  } as const;

  for (const gateway of USSD_ONLY_GATEWAYS) {
    const whole = fieldsOf(gateway, "broken", "1");
    const [session, phone, input] = names[gateway];
    const own: Record<UssdOnlyGateway, [string, Fields][]> = {
      hubtel: [
        ["Type", { Type: "AddToCart" }],
        ["Sequence", { Sequence: "first" }],
        // As from Hubtel's app, where nothing proves the number.
        ["ServiceCode", { ServiceCode: "b230733cd56b4a0fad820e39f66bc27c", Operator: "Hubtel-Android" }],
        ...["Hubtel-App", "Hubtel-Android", "Webstore", "POS", "USSD-App"].map((Platform): [string, Fields] => [
          "Platform",
          { Platform },
        ]),
      ],
      arkesel: [["newSession", { newSession: "perhaps" }]],
      nalo: [["MSGTYPE", { MSGTYPE: "" }]],
    };

    test(`${gateway}: a field that cannot be read ends the session in words, and its name is logged`, async () => {
      const broken: [string, Fields][] = [
        [session, { [session]: "" }],
        [session, { [session]: `../${PIN}` }],
        [session, { [session]: "x".repeat(101) }],
        [phone, { [phone]: "0541111111" }],
        [phone, { [phone]: "2348012345678" }],
        [input, { [input]: PIN.repeat(31) }],
        ...own[gateway],
      ];
      const sessions = await count(db, sql`from ussd_sessions`);
      for (const [field, other] of broken) {
        const { status, answer, screen } = await postTo(gateway, { ...whole, ...other });
        expect([field, status]).toEqual([field, 200]);
        expect(screen).toContain("Sorry, please dial again.");
        expect([false, "release"]).toContain(answer[goesOn[gateway]] as string | false);
      }
      const logged = complaints().filter((one) => one.gateway === gateway);
      expect(new Set(logged.map(({ field }) => field))).toEqual(new Set(broken.map(([field]) => field)));
      expect(await count(db, sql`from ussd_sessions`)).toBe(sessions);
    });

    test(`${gateway}: what is no such object has a status of its own`, async () => {
      const tooLarge = JSON.stringify({ ...whole, more: "x".repeat(5000) });
      const bodies: [number, unknown, string?][] = [
        [400, "{"],
        [400, "[]"],
        [400, "null"],
        [400, JSON.stringify({ ...whole, [session]: { id: 1 } })],
        [400, JSON.stringify({ ...whole, [session.toUpperCase()]: "a", [session.toLowerCase()]: "b" })],
        [400, JSON.stringify({ ...whole, more: "x".repeat(501) })],
        [400, JSON.stringify({ ...whole, [input]: "\0" })],
        [413, tooLarge],
        [415, JSON.stringify(whole), "text/plain"],
      ];
      for (const [status, body, type] of bodies) {
        const reply = await postTo(gateway, body, type);
        expect([`${body}`.slice(0, 60), reply.status]).toEqual([`${body}`.slice(0, 60), status]);
        expect(reply.screen).toContain("Sorry, please dial again.");
      }
    });
  }

  test("hubtel: a request from the network names USSD, in any case, or nothing", async () => {
    const dialled = {
      ...{ Type: "Initiation", Mobile: "233541111119", ServiceCode: "920*55", Message: "*920*55#" },
      ...{ Operator: "mtn", Sequence: 1 },
    };
    await equipPhone(world, await world.person("abena"), "233541111119", PIN);
    for (const Platform of [undefined, null, "", "USSD", "ussd"]) {
      const { screen } = await postTo("hubtel", { ...dialled, SessionId: crypto.randomUUID(), Platform });
      expect([Platform, screen]).toEqual([Platform, expect.stringContaining("1 Buy data")]);
    }
  });

  test("names a caller's network in its own way, and an unknown one is read from the number", async () => {
    // Ported: AirtelTigo's number, on another network today.
    const kofi = "233271111111";
    await equipPhone(world, await world.person("kofi", "GH₵ 1.00"), kofi, PIN);
    const paysBy = async (gateway: UssdOnlyGateway, network: string) => {
      const { screen } = await postTo(
        gateway,
        {
          hubtel: {
            ...{ Type: "Initiation", Mobile: kofi, SessionId: crypto.randomUUID(), ServiceCode: "920*55" },
            ...{ Message: "*920*55*4*20#", Operator: network, Sequence: 1 },
          },
          arkesel: {
            ...{ sessionID: crypto.randomUUID(), userID: "U", newSession: true, msisdn: kofi },
            ...{ userData: "*920*55*4*20#", network },
          },
          nalo: {
            ...{ USERID: "U", MSISDN: kofi, USERDATA: "*920*55*4*20#", MSGTYPE: "true" },
            ...{ NETWORK: network, SESSIONID: crypto.randomUUID() },
          },
        }[gateway],
      );
      return /MTN MoMo|Telecel Cash|AirtelTigo Money/.exec(screen)?.[0];
    };
    for (const gateway of USSD_ONLY_GATEWAYS)
      for (const [network, wallet] of [
        ["MTN", "MTN MoMo"],
        ["vodafone", "Telecel Cash"],
        ["Telecel", "Telecel Cash"],
        ["tigo", "AirtelTigo Money"],
        ["Glo", "AirtelTigo Money"],
        ["", "AirtelTigo Money"],
      ] as const)
        expect([gateway, network, await paysBy(gateway, network)]).toEqual([gateway, network, wallet]);
  });
});

test("an input that arrives while another is being answered gets that answer, where nothing is numbered", async () => {
  for (const gateway of ["arkesel", "nalo"] as const) {
    const phone = phoneAt(gateway);
    await dial(phone, "1");
    const id = `${gateway}-${phone.sessionId()}`;
    await secondsPass();
    await db.execute(sql`update ussd_sessions set busy_until = now() + interval '20 s' where id = ${id}`);
    const first = line.watchNext();
    const answered = phone.reply("1");
    await first.arrived;
    const second = line.watchNext();
    const other = phone.raw("0");
    await second.arrived;
    await db.execute(sql`update ussd_sessions set busy_until = null where id = ${id}`);
    expect((await answered).text).toStartWith("MTN");
    expect((await other).text).toBe((await answered).text);
  }
});

longTest("two servers that get every request at once give the same screen, and one order", async () => {
  const differing: string[] = [];
  for (const gateway of ALL) {
    const both = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: async (request) => {
        const [method, headers, body] = ["POST", request.headers, await request.text()];
        const urls = [line.hopUrl(gateway), other.hopUrl(gateway)];
        const answers = await Promise.all(urls.map((url) => fetch(url, { method, headers, body })));
        const [one, two] = await Promise.all(answers.map((answer) => answer.clone().text()));
        if (one !== two) differing.push(`${gateway}: ${one} / ${two}`);
        return answers[0]!;
      },
    });
    const before = await orders();
    const { msisdn } = agents[gateway];
    const phone = line.phone(msisdn, { gateway, ussdUrl: both.url.href, eventsUrl: null });
    expect((await dial(phone, "1", "1", "1", fresh(), WRONG_PIN, PIN)).text).toContain("paid.");
    expect(await orders()).toBe(before + 1);
    expect((await dial(phone, "6", "2", PIN, OTHER_PIN, OTHER_PIN)).text).toBe("Your PIN has been changed.");
    expect((await dial(phone, "6", "2", OTHER_PIN, PIN, PIN)).text).toBe("Your PIN has been changed.");
    await both.stop(true);
  }
  expect(differing).toEqual([]);
});

longTest("a PIN that comes again just after a changed price does not pay it unread", async () => {
  const setPrice = (pricePesewas: number) =>
    products.edit(db, { by: world.yaw.by("admin"), productId: big.id, pricePesewas });
  for (const gateway of ["arkesel", "nalo"] as const) {
    const [phone, before] = [phoneAt(gateway), await orders()];
    await dial(phone, "1", "1", "2", fresh());
    await setPrice(900);
    const changed = await type(phone, PIN);
    expect(changed.text).toContain("Price changed (was 8.40)");
    await secondsPass();
    expect((await phone.redeliver()).text).toBe(changed.text);
    expect(await orders()).toBe(before);
    for (let seconds = 0; seconds < 10; seconds += 2) await secondsPass();
    expect((await phone.reply(PIN)).text).toContain("GHS 9.00, balance");
    await setPrice(840);
  }
});

test("a report of the time limit ends a session at Hubtel, and it counts as left", async () => {
  const phone = phoneAt("hubtel");
  await dial(phone, "1");
  await phone.raw("", { Type: "Timeout", Sequence: "3" });
  expect((await type(phone, "1")).text).toContain("Sorry, please dial again.");
  const left = async () =>
    (await db.execute<{ left: number }>(sql`select coalesce(sum("left"), 0)::int as "left" from ussd_days`))[0]!.left;
  await db.execute(sql`update ussd_sessions set started_at = now() - interval '1 hour' where counted_at is null
                       and id <> ${`hubtel-${phone.sessionId()}`}`);
  while ((await countOver(db)) > 0);
  const before = await left();
  await db.execute(sql`update ussd_sessions set started_at = now() - interval '1 hour' where counted_at is null`);
  expect(await countOver(db)).toBe(1);
  expect(await left()).toBe(before + 1);
});

longTest("the code in screens and SMS is the setting's, whatever the gateway calls it", async () => {
  const by = world.yaw.by("admin");
  await settings.change(db, { by, values: { ussd_code: "*713*9#" } });
  const poor = "233542222222";
  const owner = await world.person("poor", "GH₵ 1.00");
  await equipPhone(world, owner, poor, PIN);
  for (const gateway of ALL) {
    const phone = line.phone(poor, { gateway, serviceCode: gateway === "hubtel" ? "*713*55#" : "*713*9#" });
    // An unpaid order has no prompt of its own here, so that the screen says what to dial.
    const order = { productId: product.id, msisdn: fresh(), quantity: 1 };
    await unpaidOrders.create(db, { by: owner.by("web"), key: null, line: order });
    expect((await dial(phone, "3", "1", "1", PIN)).text).toContain("Dial *713*9*4# to add money.");
    expect((await phone.dial("2")).text).toStartWith("Balance GHS 1.00");
  }
  // Without a code nothing names one.
  await settings.change(db, { by, values: { ussd_code: "" } });
  const order = { productId: product.id, msisdn: fresh(), quantity: 1 };
  await unpaidOrders.create(db, { by: owner.by("web"), key: null, line: order });
  const { text } = await dial(line.phone(poor, { serviceCode: "*713*9#" }), "3", "1", "1", PIN);
  expect(text).toEndWith("To add money, dial again and choose 4.");
  await settings.change(db, { by, values: { ussd_code: SERVICE_CODE } });
});

test("a gateway with two secrets takes both, and one without any has no address", async () => {
  const [next, last] = ["next", "last"].map((name) => name.padEnd(40, "-0123456789")) as [string, string];
  // As in production, where none is derived.
  const gatewaySecrets = gatewaySecretsOf({ hubtel: [next, last], nalo: [] }, null);
  const app = testApp(db, { gatewaySecrets });
  const paths = app.elysia.routes.map(({ path }) => path);
  const ofOthers = paths.filter((path) => /^\/channels\/(?!africastalking).*\/ussd$/.test(path));
  expect(ofOthers).toEqual(["/channels/hubtel/:secret/ussd"]);
  const statusOf = async (gateway: UssdOnlyGateway, secret: string) => {
    const url = gatewayAddressOf("http://localhost", gateway, secret);
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify(fieldsOf(gateway, "two", "1"));
    return (await app.fetch(new Request(url, { method: "POST", headers, body }))).status;
  };
  expect(await Promise.all([next, last, `${next}x`].map((secret) => statusOf("hubtel", secret)))).toEqual([
    200, 200, 404,
  ]);
  expect(await Promise.all(["arkesel" as const, "nalo" as const].map((name) => statusOf(name, next)))).toEqual([
    404, 404,
  ]);
});

test("no PIN is in any table or in the log, nor a chosen one after its session", async () => {
  for (const gateway of ALL) await dial(phoneAt(gateway), "6", "2", PIN, OTHER_PIN);
  const keeping = sql`from ussd_sessions where context ? 'pinChange'`;
  expect(await count(db, keeping)).toBe(ALL.length);
  for (const where of [await allStoredText(world), line.logged()])
    expect(digitsIn(where, PIN, OTHER_PIN, WRONG_PIN)).toEqual([]);
  await db.execute(sql`update ussd_sessions set started_at = now() - interval '12 minutes' where counted_at is null`);
  while ((await countOver(db)) > 0);
  expect(await count(db, keeping)).toBe(0);
});

// A repeat or an answer, at the gateways that number nothing: only what arrived after a screen had left the shop
// replies to it, copies of one input get one screen, and a PIN buys what the screen before it showed.
import { afterAll, describe, expect, test } from "bun:test";
import { createServer, connect as dialSocket, type Socket } from "node:net";
import { sql } from "drizzle-orm";
import { connect, disconnect } from "../../db/connect.ts";
import type { UssdGatewayName } from "../../src/shared/phones/ussd-gateways.ts";
import { count } from "../support/asking.ts";
import { openWorld, type Person } from "../support/world.ts";
import { equipPhone, openLine, openReader, PIN } from "./dialling.ts";

const world = await openWorld();
const { db } = world;
const line = openLine(world);
/** A second process of the shop, whose database answers late when a test wants that. */
const late = await openLateDatabase(world.url);
const lateLine = openLine(world, late.db);
const product = await world.product("MTN", "1GB", "3.90");
await world.product("MTN", "2GB", "8.40");
await world.product("TELECEL", "1GB", "4.10");

const GATEWAYS = ["arkesel", "nalo"] as const satisfies UssdGatewayName[];
const agents = {} as Record<(typeof GATEWAYS)[number], { msisdn: string; person: Person }>;
for (const [i, gateway] of GATEWAYS.entries()) {
  const [person, msisdn] = [await world.person(gateway, "GH₵ 500.00"), `23354111111${i}`];
  await equipPhone(world, person, msisdn);
  agents[gateway] = { person, msisdn };
}
const { dial, secondsPass, type } = openReader(db);
let bought = 0;
const fresh = () => `0241${String(++bought).padStart(6, "0")}`;
const orders = () => count(db, sql`from orders`);

for (const gateway of GATEWAYS)
  describe(gateway, () => {
    const { msisdn } = agents[gateway];
    const phone = line.phone(msisdn, { gateway });
    const id = () => `${gateway}-${phone.sessionId()}`;
    const hold = () =>
      db.execute(sql`update ussd_sessions set busy_until = now() + interval '20 s' where id = ${id()}`);
    const release = () => db.execute(sql`update ussd_sessions set busy_until = null where id = ${id()}`);

    test("an input without any reaction time replies to the screen before it, also on a busy machine", async () => {
      const slow = lateLine.phone(msisdn, { gateway });
      await slow.dial();
      late.by(250);
      expect((await slow.reply("1")).text).toStartWith("Choose network");
      late.by(0);
      expect((await slow.reply("1 ")).text).toStartWith("MTN bundles");
      expect((await slow.reply("2")).text).toStartWith("Who gets MTN 2GB?");
    });

    test("what arrived before the screen left does not reply to it, and neither do its copies", async () => {
      await dial(phone, "1");
      await secondsPass();
      await hold();
      const first = line.watchNext();
      const answered = phone.reply("1");
      await first.arrived;
      const second = line.watchNext();
      const early = phone.raw("2");
      await second.arrived;
      await release();
      const shown = (await answered).text;
      expect(shown).toStartWith("MTN bundles");
      expect((await early).text).toBe(shown);
      // Copies of it a moment later, to this process and to another.
      expect((await phone.raw("2")).text).toBe(shown);
      const elsewhere = await fetch(lateLine.hopUrl(gateway), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: inputOf(gateway, { session: phone.sessionId(), msisdn, input: "2" }),
      });
      expect(await elsewhere.text()).toContain("MTN bundles");
      // Once the screen was read, it is an answer.
      expect((await type(phone, "2")).text).toStartWith("Who gets MTN 2GB?");
    });

    test("a request that its gateway gave up while it waited is not taken", async () => {
      await dial(phone, "1");
      await secondsPass();
      await hold();
      const first = line.watchNext();
      const given = new AbortController();
      const answered = phone.raw("1", {}, given.signal).catch((error) => error);
      await first.arrived;
      given.abort();
      await answered;
      await release();
      await first.answered;
      expect((await type(phone, "2")).text).toStartWith("Telecel bundles");
    });

    test("a request that its gateway gave up before its session was read is not taken", async () => {
      const slow = lateLine.phone(msisdn, { gateway });
      await slow.dial();
      await type(slow, "1");
      await secondsPass();
      const answers = late.hold();
      const first = lateLine.watchNext();
      const given = new AbortController();
      const answered = slow.raw("1", {}, given.signal).catch((error) => error);
      // Until the session has been read, with the screen that was shown last.
      while (!(await answers.next()).includes("Choose network")) answers.pass();
      given.abort();
      await answered;
      answers.release();
      await first.answered;
      expect((await type(slow, "2")).text).toStartWith("Telecel bundles");
    });

    test("an answer that its gateway did not wait for was not read: the same again is a repeat", async () => {
      const slow = lateLine.phone(msisdn, { gateway });
      await slow.dial();
      await type(slow, "1");
      const version = async () => {
        const session = sql`${gateway} || '-' || ${slow.sessionId()}`;
        const [row] = await db.execute<{ version: number }>(
          sql`select version from ussd_sessions where id = ${session}`,
        );
        return row!.version;
      };
      const before = await version();
      await secondsPass();
      const answers = late.hold();
      const first = lateLine.watchNext();
      const given = new AbortController();
      const answered = slow.raw("1", {}, given.signal).catch((error) => error);
      // Until the session has been written, which its process does not know yet.
      for (await answers.next(); (await version()) === before; await answers.next()) answers.pass();
      given.abort();
      await answered;
      answers.release();
      await first.answered;
      for (let seconds = 0; seconds < 10; seconds += 2) await secondsPass();
      expect((await slow.reply("1")).text).toStartWith("MTN bundles");
      expect((await type(slow, "1")).text).toStartWith("Who gets MTN 1GB?");
    });

    test("a late copy of a digit orders nothing by mobile money, and is no quantity", async () => {
      const before = await orders();
      await dial(phone, fresh(), "2");
      await secondsPass();
      expect((await phone.redeliver()).text).toStartWith("Buy MTN 2GB");
      expect(await orders()).toBe(before);
      expect((await type(phone, "1")).text).toStartWith("How many");
      await secondsPass();
      expect((await phone.redeliver()).text).toStartWith("How many");
      expect((await type(phone, "3")).text).toStartWith("Buy 3 x MTN 2GB");
      for (let seconds = 0; seconds < 6; seconds += 2) await secondsPass();
      expect((await phone.reply("2")).isOpen).toBe(false);
      expect(await orders()).toBe(before + 1);
    });

    test("a PIN buys what the screen before it showed, or shows what it would buy", async () => {
      const before = await orders();
      await dial(phone, fresh(), "1");
      // As after any fault by which the session and the phone would come apart.
      await db.execute(sql`
        update ussd_sessions set context = jsonb_set(context, '{buying,quantity}', '3') where id = ${id()}`);
      expect((await type(phone, PIN)).text).toStartWith("Buy 3 x MTN 1GB");
      expect(await orders()).toBe(before);
      for (let seconds = 0; seconds < 6; seconds += 2) await secondsPass();
      expect((await phone.reply(PIN)).text).toContain("3 x MTN 1GB for");
      expect(
        await count(db, sql`from orders where product_id = ${product.id} and quantity = 3 and paid_at is not null`),
      ).toBeGreaterThan(0);
    });
  });

function inputOf(
  gateway: "arkesel" | "nalo",
  { session, msisdn, input }: Record<"session" | "msisdn" | "input", string>,
) {
  return JSON.stringify(
    gateway === "arkesel"
      ? { sessionID: session, userID: "U", newSession: false, msisdn, userData: input, network: "MTN" }
      : { USERID: "U", MSISDN: msisdn, USERDATA: input, MSGTYPE: false, NETWORK: "MTN", SESSIONID: session },
  );
}

/** Connections through a line that passes on what the database answers as late as a test wants, or when it says so. */
async function openLateDatabase(url: string) {
  const { hostname, port } = new URL(url);
  let lateByMs = 0;
  let held: (() => void)[] | null = null;
  let arrived = Promise.withResolvers<string>();
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = dialSocket({ host: hostname, port: Number(port) });
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
      socket.on("error", () => {});
    }
    client.pipe(database);
    database.on("data", (bytes) => {
      const pass = () => void client.write(bytes);
      if (held) {
        held.push(pass);
        arrived.resolve(bytes.toString("latin1"));
      } else if (lateByMs === 0) pass();
      else setTimeout(pass, lateByMs);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const through = new URL(url);
  through.hostname = "127.0.0.1";
  through.port = String((server.address() as { port: number }).port);
  const lateDb = connect(through.href, { max: 4 });
  afterAll(async () => {
    await disconnect(lateDb);
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    db: lateDb,
    by: (ms: number) => {
      lateByMs = ms;
    },
    /** Holds answers from now on: `next` resolves with the first held, `pass` passes all on, `release` ends it. */
    hold: () => {
      held = [];
      arrived = Promise.withResolvers();
      const pass = () => {
        arrived = Promise.withResolvers();
        for (const one of held!.splice(0)) one();
      };
      return {
        next: () => arrived.promise,
        pass,
        release: () => {
          pass();
          held = null;
        },
      };
    },
  };
}

// Simulated phones connected to the whole application: what they dial, what the gateway passes, and the names of the
// screens.
import { afterAll, beforeAll, beforeEach } from "bun:test";
import { sql } from "drizzle-orm";
import type { ScreenName } from "../../channels/ussd/conversation.ts";
import { phones } from "../../db/schema/identity.ts";
import { settings } from "../../db/schema/platform.ts";
import { openPhone, type Phone, type PhoneOptions, type Screen, SERVICE_CODE } from "../../dev/simulators/phone.ts";
import * as pins from "../../src/core/identity/phones/pins.ts";
import { pinKey } from "../../src/core/identity/phones/pins.ts";
import {
  addressOf,
  type Callback,
  gatewayAddressOf,
  gatewaySecretsOf,
  secretsOf,
} from "../../src/core/messaging/callbacks.ts";
import type { UssdGatewayName } from "../../src/shared/phones/ussd-gateways.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { type Person, TEST_JWT_SECRET, testApp, type World } from "../support/world.ts";

export const PIN = "8302";

/** Serves a world's application on its own port, and connects phones to it. It is closed after the file. */
export function openLine(world: World, db = world.db) {
  const lines: string[] = [];
  const shown: { screen: ScreenName; body: string }[] = [];
  let next: NextRequest | null = null;
  const gatewaySecrets = gatewaySecretsOf({}, TEST_JWT_SECRET);
  const app = testApp(db, {
    log: createLog("trace", { write: (line) => void lines.push(line) }),
    baseUrl: "https://shop.example",
    gatewaySecrets,
  });
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const awaited = next;
      next = null;
      if (awaited) await request.clone().text();
      awaited?.arrived.resolve();
      const response = await app.fetch(request);
      const screen = response.headers.get("at-ussd-hop-metadata");
      if (screen) shown.push({ screen: screen as ScreenName, body: await response.clone().text() });
      awaited?.answered.resolve();
      return response;
    },
  });
  afterAll(() => server.stop(true));
  beforeAll(async () => {
    await world.db.insert(settings).values({ key: "ussd_code", value: SERVICE_CODE }).onConflictDoNothing();
  });
  // So that a file's dials do not exceed the budget of ten minutes, and no test resumes another's purchase.
  beforeEach(async () => {
    await world.db.execute(sql`delete from unfinished_purchases`);
    await world.db.execute(sql`update ussd_sessions set started_at = started_at - interval '2 days'`);
  });
  const secrets = secretsOf([], TEST_JWT_SECRET);
  const origin = `http://127.0.0.1:${server.port}`;
  const url = (callback: Callback) => addressOf(origin, secrets, callback)!;
  const hopUrl = (gateway: UssdGatewayName) =>
    gateway === "africastalking" ? url("ussd") : gatewayAddressOf(origin, gateway, gatewaySecrets[gateway]![0]!);
  return {
    url,
    /** Where a gateway sends the requests of its sessions. */
    hopUrl,
    /** The names of all screens on this line, oldest first. */
    shown,
    /** Resolved when the next request has arrived completely, and when it is answered, even if nobody reads that. */
    watchNext: (): { arrived: Promise<void>; answered: Promise<void> } => {
      next = { arrived: Promise.withResolvers(), answered: Promise.withResolvers() };
      return { arrived: next.arrived.promise, answered: next.answered.promise };
    },
    logged: () => lines.join(""),
    phone: (msisdn: string, more: Partial<PhoneOptions> = {}) =>
      openPhone({
        ...{ msisdn, ussdUrl: hopUrl(more.gateway ?? "africastalking") },
        ...{ eventsUrl: url("events"), inboundUrl: url("inbound") },
        ...more,
      }),
    /** The name of the latest screen. */
    last: () => shown.at(-1)!.screen,
  };
}
export type Line = ReturnType<typeof openLine>;
type NextRequest = Record<"arrived" | "answered", PromiseWithResolvers<void>>;

/** Gives a user a confirmed phone and a PIN. */
export async function equipPhone(
  world: World,
  person: Person,
  msisdn: string,
  pin: string | null = PIN,
): Promise<void> {
  await world.db.insert(phones).values({ userId: person.id, msisdn });
  const ask = { by: person.by("web"), pin: pin!, currentPassword: person.password };
  if (pin !== null) await pins.set(world.db, { key: pinKey(TEST_JWT_SECRET) }, ask);
}

/**
 * Types as people do, who read a screen before answering it; the clock of sessions is the database's. `type` and `dial`
 * return the last screen.
 */
export function openReader(db: World["db"]) {
  const secondsPass = () => db.execute(sql`update ussd_sessions set updated_at = updated_at - interval '2 s'`);
  const type = async (phone: Phone, ...inputs: string[]): Promise<Screen> => {
    let screen: Screen | null = null;
    for (const input of inputs) {
      await secondsPass();
      screen = await phone.reply(input);
    }
    return screen!;
  };
  const dial = async (phone: Phone, ...inputs: string[]): Promise<Screen> => {
    const home = await phone.dial();
    return inputs.length > 0 ? type(phone, ...inputs) : home;
  };
  return { secondsPass, type, dial };
}

/** Dials, types the answers one after the other, and returns the last screen. */
export async function walk(phone: Phone, ...answers: string[]): Promise<Screen> {
  let screen = await phone.dial();
  for (const answer of answers) screen = await phone.reply(answer);
  return screen;
}

/** The content of all tables as text, to search for what must not be in it. */
export async function allStoredText(world: World): Promise<string> {
  const tables = await world.db.execute<{ name: string }>(
    sql`select quote_ident(table_name) as name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await world.db.execute<{ row: string }>(sql.raw(`select t::text as row from public.${name} t`));
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join("\n");
}

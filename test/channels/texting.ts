// Phones that text the whole application, for tests of SMS to us.
import { afterAll } from "bun:test";
import { sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import { phones } from "../../db/schema-messages.ts";
import { addressOf, secretsOf } from "../../src/core/callbacks.ts";
import * as pins from "../../src/core/pins.ts";
import { createPaystack } from "../../src/gateways/paystack.ts";
import { createLog } from "../../src/log.ts";
import { createApp } from "../../src/server.ts";
import { openPhone } from "../simulators/phone.ts";
import { type Person, TEST_CARDS, TEST_JWT_SECRET, type World } from "../support/world.ts";

export const PIN = "830241";

/** Serves the application of a world on a port of its own until the file is over; `db` is another process's pool. */
export function openInbox(world: World, db: Db = world.db) {
  const lines: string[] = [];
  const app = createApp({
    db,
    gateway: createPaystack({ baseUrl: "http://127.0.0.1:1", secretKey: "sk_test_simulator" }),
    vendors: [],
    cards: TEST_CARDS,
    log: createLog("trace", { write: (line) => void lines.push(line) }),
    jwtSecret: TEST_JWT_SECRET,
    channels: { sms: true, email: true },
    baseUrl: "https://shop.example",
    trustedProxies: [],
    socketAddressOf: () => "127.0.0.1",
    isDraining: () => false,
  });
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: app.fetch });
  afterAll(() => server.stop(true));
  const url = `http://127.0.0.1:${server.port}`;
  const inboundUrl = addressOf(url, secretsOf([], TEST_JWT_SECRET), "inbound")!;
  return {
    inboundUrl,
    logged: () => lines.join(""),
    phone: (msisdn: string) => openPhone({ msisdn, inboundUrl }),
  };
}

/** Gives somebody a proved phone, with a PIN unless it is null. */
export async function equip({ db }: World, person: Person, msisdn: string, pin: string | null = PIN) {
  await db.insert(phones).values({ userId: person.id, msisdn });
  const means = { key: pins.pinKey(TEST_JWT_SECRET) };
  if (pin) await pins.set(db, means, { by: person.by("web"), pin, currentPassword: person.password });
}

/** The answers that were queued for a number, oldest first. */
export async function answersTo({ db }: World, msisdn: string): Promise<string[]> {
  const rows = await db.execute<{ body: string }>(
    sql`select body from messages where recipient = ${msisdn} and kind = 'sms_answer' order by id`,
  );
  return rows.map(({ body }) => body);
}

/** Everything that stands in any table, as text, to look for what must not be there. */
export async function everythingKept({ db }: World): Promise<string> {
  const tables = await db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await db.execute<{ row: string }>(sql`select t::text as row from ${sql.identifier(name)} t`);
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join("\n");
}

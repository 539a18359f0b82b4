// Tests of the start of a sandbox: it refuses real providers, and the database of a live shop, as a live shop refuses
// that of a sandbox. The mark in the database decides, and cannot be changed.
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { connect, type Db, databaseError, disconnect } from "../../db/connect.ts";
import { users } from "../../db/schema/identity.ts";
import { seedSandbox } from "../../dev/seed/sandbox.ts";
import { StartError } from "../../src/app/commands/opening.ts";
import { readConfig } from "../../src/app/config.ts";
import { claimDatabase } from "../../src/app/shop-mode.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { KEY_MODES, type KeyMode } from "../../src/shared/api-keys.ts";
import { freshDatabase } from "../support/database.ts";
import { longTest } from "../support/long.ts";
import { sandboxEnvironment } from "../support/sandbox.ts";
import { spawnShop } from "../support/shop.ts";

const dataDir = mkdtempSync(join(tmpdir(), "sandbox-start-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

async function withDatabase(work: (db: Db, url: string) => Promise<void>): Promise<void> {
  const database = await freshDatabase();
  const db = connect(database.url, { max: 4 });
  try {
    await work(db, database.url);
  } finally {
    await disconnect(db);
    await database.drop();
  }
}

const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error) => {
      expect(error).toBeInstanceOf(StartError);
      return (error as Error).message;
    },
  );
const modeOf = async (db: Db) => (await db.execute(sql`select mode from shop_facts`))[0]!.mode;

describe("the mark", () => {
  test.each(KEY_MODES.map((mode) => [mode]))(
    "of %s is written at the first start, and lets only that mode in",
    async (mode) => {
      await withDatabase(async (db) => {
        const other: KeyMode = mode === "live" ? "test" : "live";
        await claimDatabase(db, mode);
        await claimDatabase(db, mode);
        expect(await refusalOf(claimDatabase(db, other))).toContain("DATABASE_URL");
        expect(await modeOf(db)).toBe(mode);
      });
    },
  );

  test("is missing in a database that somebody has used: a live shop's", async () => {
    await withDatabase(async (db) => {
      await db.insert(users).values({ username: "ama", email: null, passwordHash: "" });
      expect(await refusalOf(claimDatabase(db, "test"))).toContain("A live shop has used this database");
      expect(await modeOf(db)).toBeNull();
      await claimDatabase(db, "live");
      expect(await modeOf(db)).toBe("live");
    });
  });

  test("is one of a live shop and a sandbox that start at once: the other is refused", async () => {
    await withDatabase(async (db) => {
      const both = await Promise.all(KEY_MODES.map((mode) => refusalOf(claimDatabase(db, mode))));
      expect(both.filter((refusal) => refusal === null)).toHaveLength(1);
    });
  });

  test("cannot be changed or removed, whatever the code does", async () => {
    await withDatabase(async (db) => {
      await claimDatabase(db, "live");
      for (const change of [
        sql`update shop_facts set mode = 'test'`,
        sql`update shop_facts set mode = null`,
        sql`delete from shop_facts`,
      ]) {
        const error = await db.execute(change).then(
          () => null,
          (fault: unknown) => databaseError(fault),
        );
        expect(error).not.toBeNull();
      }
      expect(await modeOf(db)).toBe("live");
    });
  });
});

describe("the program", () => {
  async function outputOf(url: string, environment: Record<string, string>) {
    const child = spawnShop(url, environment);
    const [code, errors] = await Promise.all([child.exited, new Response(child.stderr).text()]);
    return { code, errors };
  }

  longTest("does not start as a sandbox on a live shop's database, and says what to do", async () => {
    await withDatabase(async (db, url) => {
      await claimDatabase(db, "live");
      const { code, errors } = await outputOf(url, sandboxEnvironment(dataDir));
      expect([code, errors]).toEqual([1, expect.stringContaining("Give the sandbox a database of its own")]);
    });
  });

  longTest("does not start as a live shop on a sandbox's database, and says what to do", async () => {
    await withDatabase(async (db, url) => {
      await claimDatabase(db, "test");
      const { code, errors } = await outputOf(url, {});
      expect([code, errors]).toEqual([1, expect.stringContaining("This database belongs to a sandbox")]);
    });
  });
});

describe("the settings of a sandbox", () => {
  const problemsOf = (environment: Record<string, string | undefined>): string => {
    try {
      readConfig({ SHOP_MODE: "test", ...environment });
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };

  test("name each key of a real provider that must go", () => {
    const all: Record<string, string>[] = [
      { PAYSTACK_SECRET_KEY: "sk_live_0a1b2c3d4e5f" },
      { PAYSTACK_SECRET_KEY: "sk_test_0a1b2c3d4e5f" },
      { AT_USERNAME: "shop", AT_API_KEY: "key" },
      { ARKESEL_API_KEY: "key", ARKESEL_SENDER_ID: "DataFie" },
      { DATAMART_API_KEY: "key", DATAMART_WEBHOOK_SECRET: "secret" },
      { HUBNET_API_KEY: "key" },
      { SMTP_URL: "smtp://mail.example", MAIL_FROM: "shop@example.com" },
    ];
    for (const given of all) {
      const problems = problemsOf(given);
      for (const name of Object.keys(given)) expect(problems).toContain(name);
      expect(problems).toContain("a test shop works with simulators only");
    }
  });

  test("allow no sandbox of a sandbox, no demonstration, and no separate worker", () => {
    expect(problemsOf({ SANDBOX_URL: "http://sandbox:3000" })).toContain("SANDBOX_URL");
    expect(problemsOf({ DEMO: "true" })).toContain("DEMO");
    expect(problemsOf({ RUN: "server" })).toContain("RUN");
    expect(problemsOf({})).toBe("");
  });

  test("need less in production than those of a live shop", () => {
    const given = {
      ...{ NODE_ENV: "production", DATABASE_URL: "postgres://shop@db.internal/sandbox" },
      JWT_SECRET: "gT7-wq0P3kz9fVbL1mXc5RyN8uAe2HsD",
    };
    expect(problemsOf(given)).toBe("");
    expect(problemsOf({ ...given, JWT_SECRET: "" })).toContain("JWT_SECRET: required");
  });
});

longTest("a sandbox is filled once, and a fill that was interrupted is continued", async () => {
  await withDatabase(async (db) => {
    await seedSandbox(db);
    const count = async () => (await products.list(db)).length;
    const whole = await count();
    expect(whole).toBeGreaterThan(30);
    await seedSandbox(db);
    expect(await count()).toBe(whole);
    // As after an interruption: its last step is missing.
    await db.execute(sql`delete from settings where key = 'route_mtn'`);
    await seedSandbox(db);
    expect(await count()).toBe(whole);
    expect(await settings.get(db, "route_mtn")).toBe("datamart");
  });
});

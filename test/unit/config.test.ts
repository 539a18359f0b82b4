// The settings: a fresh machine needs none, production needs some, and everything that is wrong is told at once.
import { describe, expect, test } from "bun:test";
import { ConfigError, readConfig } from "../../src/config.ts";

const production = {
  NODE_ENV: "production",
  DATABASE_URL: "postgres://shop@db.internal/shop",
  JWT_SECRET: "gT7-wq0P3kz9fVbL1mXc5RyN8uAe2HsD",
  BASE_URL: "https://shop.datafie.com",
};

function problemsOf(environment: Record<string, string | undefined>): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
const namesOf = (problems: string[]) => problems.map((problem) => problem.split(":")[0]!).sort();

test("nothing set is a shop for trying out, on a database of its own", () => {
  expect(readConfig({})).toMatchObject({
    mode: "development",
    port: 3000,
    baseUrl: null,
    databaseUrl: null,
    jwtSecret: null,
    admin: null,
    trustedProxies: [],
    demo: true,
    runServer: true,
    runWorker: true,
  });
});

test("an empty value counts as absent, because that is how people leave one out of a file", () => {
  const empty = Object.fromEntries(
    [
      "NODE_ENV",
      "PORT",
      "BASE_URL",
      "DATABASE_URL",
      "JWT_SECRET",
      "ADMIN_EMAIL",
      "ADMIN_PASSWORD",
      "DEMO",
      "RUN",
    ].map((name) => [name, ""]),
  );
  expect(readConfig(empty)).toEqual(readConfig({}));
});

test("everything that is wrong is listed at once, by name", () => {
  const problems = problemsOf({
    PORT: "eighty",
    BASE_URL: "shop.example",
    DATABASE_URL: "mysql://somewhere",
    DATABASE_POOL: "0",
    JWT_SECRET: "short",
    ADMIN_EMAIL: "nobody",
    ADMIN_PASSWORD: "short",
    RUN: "walk",
    DEMO: "maybe",
    LOG_LEVEL: "loud",
    WORKER_POLL_SECONDS: "-1",
  });
  expect(namesOf(problems)).toEqual([
    "ADMIN_EMAIL",
    "ADMIN_PASSWORD",
    "BASE_URL",
    "DATABASE_POOL",
    "DATABASE_URL",
    "DEMO",
    "JWT_SECRET",
    "LOG_LEVEL",
    "PORT",
    "RUN",
    "WORKER_POLL_SECONDS",
  ]);
  // What was wrong is named, what was given is not: it may be a secret.
  expect(problems.join("\n")).not.toContain("short");
});

test("values are read as what they mean", () => {
  expect(
    readConfig({
      PORT: "8080",
      BASE_URL: "https://shop.example/anything",
      TRUSTED_PROXIES: " 10.0.0.1, 10.0.0.2 ,",
      ADMIN_EMAIL: "yaw@example.com",
      ADMIN_PASSWORD: "correct horse battery",
      RUN: "worker",
      DEMO: "false",
      DATABASE_PREPARE: "false",
      SWEEP_SECONDS: "0.25",
    }),
  ).toMatchObject({
    port: 8080,
    baseUrl: "https://shop.example",
    trustedProxies: ["10.0.0.1", "10.0.0.2"],
    admin: { email: "yaw@example.com", password: "correct horse battery" },
    runServer: false,
    runWorker: true,
    demo: false,
    databasePrepare: false,
    sweepMs: 250,
  });
});

test("an admin's e-mail without a password, or the other way round, is half an admin", () => {
  expect(problemsOf({ ADMIN_EMAIL: "yaw@example.com" })).toEqual([
    "ADMIN_EMAIL, ADMIN_PASSWORD: set both or neither",
  ]);
  expect(problemsOf({ ADMIN_PASSWORD: "correct horse battery" })).toHaveLength(1);
});

describe("production", () => {
  test("starts with what it needs, and without the demonstration", () => {
    expect(readConfig(production)).toMatchObject({ mode: "production", demo: false, logLevel: "info" });
  });

  test("demands a database, a secret and an address, in one list", () => {
    expect(namesOf(problemsOf({ NODE_ENV: "production" }))).toEqual([
      "BASE_URL",
      "DATABASE_URL",
      "JWT_SECRET",
    ]);
    expect(
      namesOf(problemsOf({ NODE_ENV: "production", DATABASE_URL: "", JWT_SECRET: "", BASE_URL: "" })),
    ).toHaveLength(3);
  });

  test("lists what is missing also when something else is wrong", () => {
    expect(namesOf(problemsOf({ NODE_ENV: "production", PORT: "eighty" }))).toEqual([
      "BASE_URL",
      "DATABASE_URL",
      "JWT_SECRET",
      "PORT",
    ]);
  });

  test("takes no secret that was copied from an example or is one letter over and over", () => {
    for (const secret of [
      "change-me-change-me-change-me-change-me",
      "changeme-0123456789-0123456789-0123",
      "this is only an example of a secret, 32+",
      "a".repeat(40),
      "secret-secret-secret-secret-secret-secret",
    ]) {
      expect([secret, namesOf(problemsOf({ ...production, JWT_SECRET: secret }))]).toEqual([
        secret,
        ["JWT_SECRET"],
      ]);
    }
  });

  test("takes no secret that stands in the example file", async () => {
    const example = await Bun.file(new URL("../../.env.example", import.meta.url)).text();
    for (const [, secret] of example.matchAll(/^#?\s*JWT_SECRET=(.+)$/gm)) {
      expect(problemsOf({ ...production, JWT_SECRET: secret })).not.toEqual([]);
    }
  });

  test("is reached by https only, and refuses the demonstration shop", () => {
    expect(namesOf(problemsOf({ ...production, BASE_URL: "http://shop.datafie.com" }))).toEqual(["BASE_URL"]);
    expect(namesOf(problemsOf({ ...production, DEMO: "true" }))).toEqual(["DEMO"]);
  });
});

test("every setting is explained in the example file", async () => {
  const source = await Bun.file(new URL("../../src/config.ts", import.meta.url)).text();
  const example = await Bun.file(new URL("../../.env.example", import.meta.url)).text();
  const names = [...source.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map((match) => match[1]!);
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !example.includes(`${name}=`))).toEqual([]);
});

// Tests of compose.yaml and deploy/ against the code that runs in production.
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { TIME_LIMITS } from "../../db/connect.ts";
import { readConfig } from "../../src/app/config.ts";
import { VENDOR_ENVIRONMENT } from "../../src/gateways/vendors/index.ts";
import { read } from "./source.ts";

// biome-ignore lint/suspicious/noExplicitAny: another program's file format; a wrong access fails the test.
type Service = Record<string, any>;
const text = await read("compose.yaml");
const compose = Bun.YAML.parse(text) as Record<string, Record<string, Service>>;
const services = Object.entries(compose.services!);
const dockerfile = await read("Dockerfile");

/** The operator's settings in .env. */
const GIVEN: Record<string, string> = {
  BASE_URL: "https://shop.example",
  OWNER_DATABASE_PASSWORD: "theowners",
  SHOP_DATABASE_PASSWORD: "theshops",
  JWT_SECRET: "thirty-two letters that nobody knows",
  CARD_KEY: new Uint8Array(32).map((_, i) => i * 7 + 1).toBase64(),
  METRICS_TOKEN: "sixteen-or-more-letters",
  TLS_CERTIFICATE_FILE: "./shop.pem",
};

/** Substitutes variables like `docker compose`: `:-` gives a default, `:?` stops the start with a message. */
function fillIn(value: string, given: Record<string, string>): string {
  return value.replaceAll(/\$\{(\w+)(:[-?])([^}]*)\}/g, (_, name, sign, rest) => {
    if (given[name]) return given[name];
    if (sign === ":?") throw new Error(`${name}: ${rest}`);
    return rest;
  });
}

describe("compose.yaml", () => {
  test("does not start while any secret is missing, and contains none", () => {
    expect(() => fillIn(text, GIVEN)).not.toThrow();
    for (const name of Object.keys(GIVEN)) expect(() => fillIn(text, { ...GIVEN, [name]: "" })).toThrow(name);
    const secret = /^\s+\w*(PASSWORD|SECRET|SECRET_KEY|API_KEY|TOKEN|CARD_KEY): (?!\$\{\w+:[-?])/m;
    expect(text).not.toMatch(secret);
    // A default may be empty, but nothing else.
    expect(text).not.toMatch(/\w*(PASSWORD|SECRET|KEY|TOKEN):-[^}]/);
  });

  test("starts every process with settings for production, and only the migration as the owner", () => {
    for (const [name, { image, environment, command }] of services) {
      if (!image.startsWith("datafie")) continue;
      const filled = Object.entries(environment as Record<string, string>).map(
        ([key, value]) => [key, fillIn(value, GIVEN)] as const,
      );
      const config = readConfig(Object.fromEntries(filled));
      const isMigration = command?.at(-1) === "migrate";
      expect({ name, isOwner: config.ownerUrl !== null }).toEqual({ name, isOwner: isMigration });
      expect(new URL(config.databaseUrl!).hostname).toBe(isMigration ? "postgres" : "pgbouncer");
    }
  });

  test("gives the sandbox a database of its own, and no key of a provider", () => {
    const { environment } = compose.services!.sandbox!;
    const config = readConfig(
      Object.fromEntries(Object.entries(environment as object).map(([key, value]) => [key, fillIn(value, GIVEN)])),
    );
    expect([config.shopMode, config.paystack, config.mail]).toEqual(["test", null, null]);
    const nameOf = (service: string) =>
      new URL(fillIn(compose.services![service]!.environment.DATABASE_URL, GIVEN)).pathname;
    expect([nameOf("sandbox"), nameOf("server-one")]).toEqual(["/datafie_sandbox", "/datafie"]);
    expect(compose.services!["server-one"]!.environment.SANDBOX_URL).toBe("http://sandbox:3000");
  });

  test("every setting that it passes on is explained in .env.example", async () => {
    const explained = await read(".env.example");
    for (const [, { image, environment }] of services)
      if (image.startsWith("datafie"))
        for (const name of Object.keys(environment))
          expect({ name, is: explained.includes(`${name}=`) }).toEqual({ name, is: true });
  });

  test("passes on the keys of every vendor", () => {
    const { environment } = compose.services!["server-one"]!;
    const keys = Object.keys(VENDOR_ENVIRONMENT).filter((name) => !name.endsWith("_BASE_URL"));
    expect(keys.filter((name) => !(name in environment))).toEqual([]);
  });

  test("every service has limits, restarts, a health check, and writes only to volumes", () => {
    for (const [name, service] of services) {
      const isOneShot = name.startsWith("migrate") || name === "archive";
      const hasHealth = service.image.startsWith("datafie") || service.healthcheck !== undefined || isOneShot;
      const { mem_limit, cpus, read_only } = service;
      expect({ name, hasHealth, isLimited: Boolean(mem_limit && cpus), read_only }).toEqual({
        ...{ name, hasHealth: true, isLimited: true, read_only: true },
      });
      if (!isOneShot) expect({ name, restart: service.restart }).toEqual({ name, restart: "unless-stopped" });
    }
  });

  test("trusts only the proxy's address", () => {
    const { ipv4_address } = compose.services!.proxy!.networks.inside;
    expect(compose.services!["server-one"]!.environment.TRUSTED_PROXIES).toBe(ipv4_address);
  });

  test("gives a server time to drain and to stop before it is killed", () => {
    const drain = Number(/DRAIN_SECONDS=(\d+)/.exec(dockerfile)![1]);
    const grace = Number.parseInt(compose.services!["server-one"]!.stop_grace_period, 10);
    expect(grace).toBeGreaterThan(drain + 10);
  });

  test("mounts only files that exist", () => {
    const mounts = services.flatMap(([, { volumes = [] }]) => volumes as string[]);
    const files = mounts.filter((one) => one.startsWith("./")).map((one) => one.split(":")[0]!);
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) expect({ file, exists: existsSync(file) }).toEqual({ file, exists: true });
  });
});

describe("the pooler and the proxy", () => {
  test("PgBouncer accepts every limit that the shop sets, and waits less than a request's time", async () => {
    const ini = await read("deploy/pgbouncer.ini");
    const ignored = /^ignore_startup_parameters = (.*)$/m.exec(ini)![1]!.split(", ");
    expect(ignored.toSorted()).toEqual(Object.keys(TIME_LIMITS).toSorted());
    expect(Number(/^query_wait_timeout = (\d+)$/m.exec(ini)![1])).toBeLessThan(9);
  });

  test("HAProxy retries nothing that may have been sent", async () => {
    const config = await read("deploy/haproxy.cfg");
    expect(/^ +retry-on (.*)$/m.exec(config)![1]).toBe("conn-failure");
    expect(config).toMatch(/^ +option http-server-close$/m);
  });
});

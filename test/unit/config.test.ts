// Tests of the configuration: development needs none, production some, and all problems are reported together.
import { describe, expect, test } from "bun:test";
import { ConfigError, readConfig } from "../../src/app/config.ts";
import { SMS_ENVIRONMENT } from "../../src/gateways/sms.ts";
import { VENDOR_CODES, VENDOR_ENVIRONMENT, type VendorSettings } from "../../src/gateways/vendors/index.ts";

const production = {
  NODE_ENV: "production",
  DATABASE_URL: "postgres://shop@db.internal/shop",
  JWT_SECRET: "gT7-wq0P3kz9fVbL1mXc5RyN8uAe2HsD",
  CARD_KEY: "q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k=",
  BASE_URL: "https://shop.datafie.com",
  PAYSTACK_SECRET_KEY: "sk_live_0a1b2c3d4e5f",
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
const NO_VENDORS = Object.fromEntries(VENDOR_CODES.map((code) => [code, null])) as unknown as VendorSettings;
const VENDOR_ADDRESSES = Object.keys(VENDOR_ENVIRONMENT).filter((name) => name.endsWith("_BASE_URL"));
const namesOf = (problems: string[]) => problems.map((problem) => problem.split(":")[0]!).sort();

test("in production no key is sent unencrypted, unless a proxy on the same computer encrypts it", () => {
  const names = [...VENDOR_ADDRESSES, "PAYSTACK_BASE_URL"].sort();
  const at = (url: string) => Object.fromEntries(names.map((name) => [name, url]));
  for (const url of ["http://provider.example", "http://127.0.0.1.example", "http://localhost.example:80/"])
    expect([url, namesOf(problemsOf({ ...production, ...at(url) }))]).toEqual([url, names]);
  const sms = { AT_USERNAME: "shop", AT_API_KEY: "key", AT_BASE_URL: "http://sms.example" };
  expect(namesOf(problemsOf({ ...production, ...sms }))).toEqual(["AT_BASE_URL"]);
  const others = {
    ...{ ARKESEL_API_KEY: "key", ARKESEL_SENDER_ID: "DataFie", ARKESEL_BASE_URL: "http://sms.example" },
    ...{ HUBTEL_SMS_CLIENT_ID: "id", HUBTEL_SMS_CLIENT_SECRET: "secret", HUBTEL_SMS_SENDER_ID: "DataFie" },
    HUBTEL_SMS_BASE_URL: "http://sms.example",
  };
  expect(namesOf(problemsOf({ ...production, ...others }))).toEqual(["ARKESEL_BASE_URL", "HUBTEL_SMS_BASE_URL"]);
  for (const url of ["https://provider.example", "http://127.0.0.1:8443", "http://localhost", "http://[::1]:80/"])
    expect([url, problemsOf({ ...production, ...at(url) })]).toEqual([url, []]);
  expect(problemsOf(at("http://provider.example"))).toEqual([]);
});

test("webhooks can reach the same computer where that is enabled, and never in production", () => {
  expect(readConfig({}).hooks).toMatchObject({ isDevelopment: true, reachesThisMachine: false });
  expect(readConfig({ HOOK_THIS_MACHINE: "true", HOOK_RETRY_SECONDS: "0.5,3" }).hooks).toMatchObject({
    reachesThisMachine: true,
    retrySeconds: [0.5, 3],
  });
  expect(readConfig(production).hooks).toMatchObject({ isDevelopment: false, reachesThisMachine: false });
  expect(namesOf(problemsOf({ ...production, HOOK_THIS_MACHINE: "true" }))).toEqual(["HOOK_THIS_MACHINE"]);
  expect(namesOf(problemsOf({ HOOK_RETRY_SECONDS: "soon" }))).toEqual(["HOOK_RETRY_SECONDS"]);
});

test("without settings there is a demonstration shop with its own database", () => {
  expect(readConfig({})).toMatchObject({
    mode: "development",
    port: 3000,
    baseUrl: null,
    databaseUrl: null,
    jwtSecret: null,
    cardKeys: [],
    admin: null,
    trustedProxies: [],
    demo: true,
    runServer: true,
    runWorker: true,
    paystack: null,
    sms: { africastalking: null, arkesel: null, hubtel: null },
    mail: null,
    callbackSecrets: [],
    gatewaySecrets: { hubtel: [], arkesel: [], nalo: [] },
    vendors: NO_VENDORS,
    paymentPollMs: 5000,
    reconcileMs: 900_000,
  });
});

test("an empty value counts as absent, because people leave settings empty in files", () => {
  const empty = Object.fromEntries(
    [
      "NODE_ENV",
      "PORT",
      "BASE_URL",
      "DATABASE_URL",
      "JWT_SECRET",
      "CARD_KEY",
      "CARD_PREVIOUS_KEY",
      "ADMIN_EMAIL",
      "ADMIN_PASSWORD",
      "DEMO",
      "RUN",
      "PAYSTACK_BASE_URL",
      "PAYSTACK_SECRET_KEY",
      "PAYSTACK_PREVIOUS_SECRET_KEY",
      "PAYMENT_POLL_SECONDS",
      "RECONCILE_SECONDS",
      "AT_BASE_URL",
      "AT_USERNAME",
      "AT_API_KEY",
      "AT_SENDER_ID",
      "AT_CALLBACK_TOKEN",
      "HUBTEL_CALLBACK_TOKEN",
      "ARKESEL_CALLBACK_TOKEN",
      "NALO_CALLBACK_TOKEN",
      "SMTP_URL",
      "MAIL_FROM",
    ].map((name) => [name, ""]),
  );
  expect(readConfig(empty)).toEqual(readConfig({}));
});

test("all problems are listed at once, by name", () => {
  const problems = problemsOf({
    PORT: "eighty",
    BASE_URL: "shop.example",
    DATABASE_URL: "mysql://somewhere",
    DATABASE_POOL: "0",
    JWT_SECRET: "short",
    CARD_KEY: "short",
    CARD_PREVIOUS_KEY: "short",
    ADMIN_EMAIL: "nobody",
    ADMIN_PASSWORD: "short",
    RUN: "walk",
    DEMO: "maybe",
    LOG_LEVEL: "loud",
    WORKER_POLL_SECONDS: "-1",
    PAYSTACK_BASE_URL: "paystack",
    PAYSTACK_SECRET_KEY: "pk_live_short",
    PAYMENT_POLL_SECONDS: "0",
    RECONCILE_SECONDS: "never",
    AT_BASE_URL: "africastalking",
    AT_USERNAME: "shop",
    AT_API_KEY: "a key",
    AT_SENDER_ID: "a name that is too long",
    AT_CALLBACK_TOKEN: "long-enough-but-the-other-is-not-0123,short",
    NALO_CALLBACK_TOKEN: "with a blank in between, which an address cannot have",
    SMTP_URL: "http://mail.example",
    MAIL_FROM: "nobody",
  });
  expect(namesOf(problems)).toEqual([
    "ADMIN_EMAIL",
    "ADMIN_PASSWORD",
    "AT_BASE_URL",
    "AT_CALLBACK_TOKEN",
    "AT_SENDER_ID",
    "BASE_URL",
    "CARD_KEY",
    "CARD_PREVIOUS_KEY",
    "DATABASE_POOL",
    "DATABASE_URL",
    "DEMO",
    "JWT_SECRET",
    "LOG_LEVEL",
    "MAIL_FROM",
    "NALO_CALLBACK_TOKEN",
    "PAYMENT_POLL_SECONDS",
    "PAYSTACK_BASE_URL",
    "PAYSTACK_SECRET_KEY",
    "PORT",
    "RECONCILE_SECONDS",
    "RUN",
    "SMTP_URL",
    "WORKER_POLL_SECONDS",
  ]);
  // Problems name the setting but not its value, which may be a secret.
  expect(problems.join("\n")).not.toContain("short");
});

test("a vendor is used once its key is set, and Africa's Talking only with a product's name", () => {
  const at = { AT_USERNAME: "shop", AT_API_KEY: "at-key" };
  expect(readConfig({ DATAMART_API_KEY: "dm-key", ...at }).vendors).toEqual({
    ...NO_VENDORS,
    datamart: { baseUrl: "https://api.datamartgh.shop", apiKey: "dm-key", webhookSecret: null },
  });
  const all = {
    DATAMART_API_KEY: "dm-key",
    DATAMART_WEBHOOK_SECRET: "dm-secret",
    HUBNET_API_KEY: "hn-key",
    HUBNET_BASE_URL: "http://127.0.0.1:4020/hubnet/",
    AT_DATA_PRODUCT: "Mobile Data",
    ...at,
  };
  expect(readConfig(all).vendors).toEqual({
    ...NO_VENDORS,
    datamart: { baseUrl: "https://api.datamartgh.shop", apiKey: "dm-key", webhookSecret: "dm-secret" },
    hubnet: { baseUrl: "http://127.0.0.1:4020/hubnet", apiKey: "hn-key" },
    africastalking: {
      baseUrl: "https://bundles.africastalking.com",
      username: "shop",
      apiKey: "at-key",
      product: "Mobile Data",
    },
  });
  expect(namesOf(problemsOf({ AT_DATA_PRODUCT: "Mobile Data", HUBNET_BASE_URL: "hubnet" }))).toEqual([
    "AT_USERNAME, AT_API_KEY",
    "HUBNET_BASE_URL",
  ]);
});

test("values are converted to their types", () => {
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
      PAYSTACK_BASE_URL: "http://127.0.0.1:4010/",
      PAYSTACK_SECRET_KEY: "sk_test_of_this_week",
      PAYSTACK_PREVIOUS_SECRET_KEY: "sk_test_of_last_week",
      PAYMENT_POLL_SECONDS: "0.2",
      RECONCILE_SECONDS: "60",
      AT_BASE_URL: "http://127.0.0.1:4020/",
      AT_USERNAME: "shop",
      AT_API_KEY: "key",
      AT_SENDER_ID: "DataFie",
      AT_CALLBACK_TOKEN: "the-new-one-0123456789-0123456789, the-old-one-0123456789-0123456789,",
      HUBTEL_CALLBACK_TOKEN: "its-new-one-0123456789-0123456789,its-old-one-0123456789-0123456789",
      ARKESEL_CALLBACK_TOKEN: "another-one-0123456789-0123456789",
      SMTP_URL: "smtp://127.0.0.1:2525",
      MAIL_FROM: "DataFie <no-reply@shop.example>",
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
    paystack: {
      baseUrl: "http://127.0.0.1:4010",
      secretKey: "sk_test_of_this_week",
      previousSecretKey: "sk_test_of_last_week",
    },
    sms: {
      africastalking: {
        ...{ baseUrl: "http://127.0.0.1:4020", username: "shop" },
        ...{ apiKey: "key", senderId: "DataFie" },
      },
    },
    mail: { url: "smtp://127.0.0.1:2525", from: "DataFie <no-reply@shop.example>" },
    callbackSecrets: ["the-new-one-0123456789-0123456789", "the-old-one-0123456789-0123456789"],
    gatewaySecrets: {
      hubtel: ["its-new-one-0123456789-0123456789", "its-old-one-0123456789-0123456789"],
      arkesel: ["another-one-0123456789-0123456789"],
      nalo: [],
    },
    paymentPollMs: 200,
    reconcileMs: 60_000,
  });
});

test("a key alone is used with the real Paystack", () => {
  expect(readConfig({ PAYSTACK_SECRET_KEY: "sk_test_of_this_week" }).paystack).toEqual({
    baseUrl: "https://api.paystack.co",
    secretKey: "sk_test_of_this_week",
    previousSecretKey: null,
  });
});

test("an SMS account is used with the real Africa's Talking, and the sandbox's with the sandbox", () => {
  const hostOf = (username: string) =>
    readConfig({ AT_USERNAME: username, AT_API_KEY: "key" }).sms.africastalking?.baseUrl.split("//")[1];
  expect(["shop", "sandbox", "Sandbox"].map(hostOf)).toEqual([
    "api.africastalking.com",
    "api.sandbox.africastalking.com",
    "api.sandbox.africastalking.com",
  ]);
});

test("a separate worker needs real providers, because the simulators belong to the server", () => {
  expect(namesOf(problemsOf({ RUN: "worker" }))).toEqual(["AT_USERNAME", "PAYSTACK_SECRET_KEY", "SMTP_URL"]);
  const providers = {
    PAYSTACK_SECRET_KEY: "sk_test_of_this_week",
    AT_USERNAME: "shop",
    AT_API_KEY: "key",
    SMTP_URL: "smtps://mail.example",
    MAIL_FROM: "no-reply@shop.example",
  };
  expect(problemsOf({ RUN: "worker", ...providers })).toEqual([]);
  for (const run of ["server", "both"]) expect(problemsOf({ RUN: run })).toEqual([]);
});

test("an admin's e-mail without a password, or the reverse, is refused", () => {
  expect(problemsOf({ ADMIN_EMAIL: "yaw@example.com" })).toEqual(["ADMIN_EMAIL, ADMIN_PASSWORD: set both or neither"]);
  expect(problemsOf({ ADMIN_PASSWORD: "correct horse battery" })).toHaveLength(1);
});

test("an incomplete channel for messages is refused", () => {
  for (const half of [
    { AT_USERNAME: "shop" },
    { AT_API_KEY: "key" },
    { AT_SENDER_ID: "DataFie" },
    { AT_BASE_URL: "http://127.0.0.1:1" },
  ])
    expect(problemsOf(half)).toEqual(["AT_USERNAME, AT_API_KEY: set both or neither"]);
  for (const half of [{ SMTP_URL: "smtps://mail.example" }, { MAIL_FROM: "no-reply@shop.example" }])
    expect(problemsOf(half)).toEqual(["SMTP_URL, MAIL_FROM: set both or neither"]);
});

describe("production", () => {
  test("starts with the required settings, and without the demonstration", () => {
    expect(readConfig(production)).toMatchObject({ mode: "production", demo: false, logLevel: "info" });
  });

  test("demands a database, a secret and an address, in one list; its owner is shown the rest", () => {
    expect(namesOf(problemsOf({ NODE_ENV: "production" }))).toEqual(["BASE_URL", "DATABASE_URL", "JWT_SECRET"]);
    const empty = { DATABASE_URL: "", JWT_SECRET: "", CARD_KEY: "", BASE_URL: "", PAYSTACK_SECRET_KEY: "" };
    expect(namesOf(problemsOf({ NODE_ENV: "production", ...empty }))).toHaveLength(3);
    const { CARD_KEY: _card, PAYSTACK_SECRET_KEY: _paystack, ...three } = production;
    expect(readConfig(three)).toMatchObject({ mode: "production", paystack: null, cardKeys: [] });
    expect(readConfig({ ...three, RUN: "worker" }).paystack).toBeNull();
  });

  test("lists what is missing, also beside other problems", () => {
    expect(namesOf(problemsOf({ NODE_ENV: "production", PORT: "eighty" }))).toEqual([
      "BASE_URL",
      "DATABASE_URL",
      "JWT_SECRET",
      "PORT",
    ]);
  });

  test("refuses a secret that was copied from an example or repeats one letter", () => {
    for (const secret of [
      "change-me-change-me-change-me-change-me",
      "changeme-0123456789-0123456789-0123",
      "this is only an example of a secret, 32+",
      "a".repeat(40),
      "secret-secret-secret-secret-secret-secret",
    ]) {
      expect([secret, namesOf(problemsOf({ ...production, JWT_SECRET: secret }))]).toEqual([secret, ["JWT_SECRET"]]);
    }
  });

  test("needs a random key for cards, and accepts the previous one only beside it", () => {
    const drawn = readConfig(production).cardKeys;
    expect(drawn.map((key) => key.length)).toEqual([32]);
    for (const CARD_KEY of ["A".repeat(43), `${"abcd".repeat(10)}abc=`, "q83v", `${production.CARD_KEY}A`])
      expect([CARD_KEY, namesOf(problemsOf({ ...production, CARD_KEY }))]).toEqual([CARD_KEY, ["CARD_KEY"]]);
    const other = Buffer.from("another key of thirty-two bytes!").toString("base64");
    const both = readConfig({ ...production, CARD_KEY: other, CARD_PREVIOUS_KEY: production.CARD_KEY });
    expect(both.cardKeys).toEqual([Buffer.from(other, "base64"), ...drawn]);
    expect(namesOf(problemsOf({ CARD_PREVIOUS_KEY: other }))).toEqual(["CARD_PREVIOUS_KEY"]);
  });

  test("refuses a copied secret in callback addresses, also behind another one", () => {
    const drawn = "fRk2-uV9_wqL0sX7bN4mC1zT8yH5gJ3d";
    for (const name of ["AT", "HUBTEL", "ARKESEL", "NALO"].map((gateway) => `${gateway}_CALLBACK_TOKEN`)) {
      expect(problemsOf({ ...production, [name]: drawn })).toEqual([]);
      for (const copied of ["a".repeat(32), "change-me-change-me-change-me-change-me"])
        expect(namesOf(problemsOf({ ...production, [name]: `${drawn},${copied}` }))).toEqual([name]);
    }
  });

  test("refuses every secret of the example file", async () => {
    const example = await Bun.file(new URL("../../.env.example", import.meta.url)).text();
    for (const [, secret] of example.matchAll(/^#?\s*JWT_SECRET=(.+)$/gm)) {
      expect(problemsOf({ ...production, JWT_SECRET: secret })).not.toEqual([]);
    }
  });

  test("refuses a test key, because it takes no real money, and logs no key", () => {
    for (const key of ["sk_test_0a1b2c3d4e5f", "pk_live_0a1b2c3d4e5f", "0a1b2c3d4e5f"]) {
      const problems = problemsOf({ ...production, PAYSTACK_SECRET_KEY: key });
      expect([key, namesOf(problems)]).toEqual([key, ["PAYSTACK_SECRET_KEY"]]);
      expect(problems.join()).not.toContain("0a1b2c3d4e5f");
    }
  });

  test("can start without messages, but not with incomplete settings for them, nor with a sandbox", () => {
    expect(readConfig(production)).toMatchObject({
      sms: { africastalking: null, arkesel: null, hubtel: null },
      mail: null,
    });
    const half = { AT_API_KEY: "key", MAIL_FROM: "no-reply@shop.example", PORT: "eighty" };
    expect(problemsOf({ ...production, ...half })).toHaveLength(3);
    const sandbox = { AT_USERNAME: "sandbox", AT_API_KEY: "key" };
    expect(namesOf(problemsOf({ ...production, ...sandbox }))).toEqual(["AT_USERNAME"]);
  });

  test("requires https, and refuses the demonstration shop", () => {
    expect(namesOf(problemsOf({ ...production, BASE_URL: "http://shop.datafie.com" }))).toEqual(["BASE_URL"]);
    expect(namesOf(problemsOf({ ...production, DEMO: "true" }))).toEqual(["DEMO"]);
  });
});

test("every setting is explained in the example file", async () => {
  const source = await Bun.file(new URL("../../src/app/config.ts", import.meta.url)).text();
  const example = await Bun.file(new URL("../../.env.example", import.meta.url)).text();
  const own = [...source.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map((match) => match[1]!);
  const names = [...own, ...Object.keys({ ...SMS_ENVIRONMENT, ...VENDOR_ENVIRONMENT })];
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !example.includes(`${name}=`))).toEqual([]);
});

test("metrics are open to the same computer in development, to nobody in production, and with the token", () => {
  expect(readConfig({}).metricsAccess).toBe("loopback");
  expect(readConfig(production).metricsAccess).toBe("nobody");
  const token = "nine-and-twenty-letters-of-it";
  expect(readConfig({ ...production, METRICS_TOKEN: token }).metricsAccess).toEqual({ token });
  expect(namesOf(problemsOf({ METRICS_TOKEN: "too short" }))).toEqual(["METRICS_TOKEN"]);
  expect(namesOf(problemsOf({ METRICS_TOKEN: "long enough but of words" }))).toEqual(["METRICS_TOKEN"]);
});

test("an owner for migrations needs the shop's own database setting", () => {
  const owner = "postgres://owner@db.internal/shop";
  expect(readConfig({ ...production, MIGRATION_DATABASE_URL: owner }).ownerUrl).toBe(owner);
  expect(problemsOf({ MIGRATION_DATABASE_URL: owner })).toEqual(["MIGRATION_DATABASE_URL: set DATABASE_URL too"]);
});

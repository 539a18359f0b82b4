// The providers that an owner can set up in the browser, from the variables that the environment may have instead.
import type { Db } from "../../db/connect.ts";
import * as providerKeys from "../core/platform/provider-keys.ts";
import { VENDORS } from "../gateways/vendors/index.ts";
import type { Log } from "../telemetry/log.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";

type Environment = Record<string, string | undefined>;
type Provider = providerKeys.Provider;

/** The providers of payments and messages. */
const PROVIDERS: Provider[] = [
  {
    ...{ code: "paystack", name: "Paystack", about: "Payments by mobile money and card" },
    fields: [{ name: "PAYSTACK_SECRET_KEY", label: "Secret key", hint: "sk_live_…", isSecret: true }],
  },
  {
    ...{ code: "email", name: "E-mail", about: "Codes and notices by e-mail" },
    fields: [
      { name: "SMTP_URL", label: "Server", hint: "smtps://user:password@mail.example", isSecret: true },
      { name: "MAIL_FROM", label: "Sender", hint: "DataFie <shop@example.com>" },
    ],
  },
  {
    ...{ code: "africastalking", name: "Africa's Talking", about: "SMS, USSD and bundles by one account" },
    fields: [
      { name: "AT_USERNAME", label: "Username" },
      { name: "AT_API_KEY", label: "API key", isSecret: true },
      { name: "AT_SENDER_ID", label: "Sender name", hint: "At most eleven characters; may be empty" },
      { name: "AT_DATA_PRODUCT", label: "Product for bundles", hint: "Empty: no bundles are bought there" },
    ],
  },
  {
    ...{ code: "arkesel", name: "Arkesel", about: "SMS" },
    fields: [
      { name: "ARKESEL_API_KEY", label: "API key", isSecret: true },
      { name: "ARKESEL_SENDER_ID", label: "Sender name" },
    ],
  },
  {
    ...{ code: "hubtel", name: "Hubtel", about: "SMS" },
    fields: [
      { name: "HUBTEL_SMS_CLIENT_ID", label: "Client ID" },
      { name: "HUBTEL_SMS_CLIENT_SECRET", label: "Client secret", isSecret: true },
      { name: "HUBTEL_SMS_SENDER_ID", label: "Sender name" },
    ],
  },
];

/** The words of a variable's name that a label writes in capitals. */
const CAPITALS: Record<string, string> = { api: "API", id: "ID", url: "address" };

/** All providers, the vendors' from their declarations; Africa's Talking's is among the providers. */
const ALL_PROVIDERS: readonly Provider[] = [
  ...PROVIDERS,
  ...Object.entries(VENDORS)
    .filter(([code]) => !PROVIDERS.some((provider) => provider.code === code))
    .map(([code, { name, environment }]) => ({
      ...{ code, name, about: "Bundles", isSupplier: true as const },
      // Its address last: hardly anybody has another.
      fields: Object.keys(environment)
        .sort((one, other) => Number(isAddress(one)) - Number(isAddress(other)))
        .map((variable) => fieldOf(code, variable)),
    })),
];

function isAddress(name: string): boolean {
  return name.endsWith("_BASE_URL");
}

/** DATAMART_API_KEY is "API key". */
function fieldOf(code: string, name: string): providerKeys.ProviderField {
  if (isAddress(name)) return { name, label: "Address", hint: "Empty: its own. Never one that you got by message" };
  const parts = name
    .slice(code.length + 1)
    .toLowerCase()
    .split("_");
  const [first = "", ...rest] = parts.map((word) => CAPITALS[word] ?? word);
  const label = [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(" ");
  const hint = name.endsWith("_WEBHOOK_SECRET") && {
    hint: "May be empty: its reports are then known by their address",
  };
  return { name, label, ...hint, ...(/KEY|SECRET|TOKEN|PASSWORD/.test(name) && { isSecret: true as const }) };
}

/** What pages need to know of the providers, with this environment. */
export function providerSetupOf(environment: Environment, secret: string, previous: string | null) {
  const names = new Set(ALL_PROVIDERS.flatMap(({ fields }) => fields.map(({ name }) => name)));
  const own = new Set(problemsIn(environment));
  return {
    list: ALL_PROVIDERS,
    keys: providerKeys.keysOf(secret, previous),
    isGiven: (name) => Boolean(environment[name]),
    problemsOf: (values) => {
      const found = problemsIn(withStored(environment, values)).filter((problem) => !own.has(problem));
      return new Map(
        found.map((problem) => {
          const [, name = "", about = problem] = /^(\w+): (.*)$/.exec(problem) ?? [];
          return names.has(name) ? [name, about] : ["", problem];
        }),
      );
    },
  } satisfies providerKeys.ProviderSetup;
}

/** The configuration of this process with what is stored; without that, should it no longer fit the environment. */
export async function configWithStored(db: Db, keys: providerKeys.ProviderSetup["keys"], log: Log): Promise<Config> {
  try {
    return readConfig(withStored(process.env, await providerKeys.read(db, keys)));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    log.error({ problems: error.problems }, "the keys entered in the browser do not fit the environment");
    return readConfig(process.env);
  }
}

function withStored(environment: Environment, stored: providerKeys.Values): Environment {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value));
  return { ...stored, ...given };
}

function problemsIn(environment: Environment): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

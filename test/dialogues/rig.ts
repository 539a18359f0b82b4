// The shop that is dialled: two processes of the program on one database, and agents with phones, PINs and money.
// Every PIN is one of a kind, so that it can be searched for afterwards.
import { sql } from "drizzle-orm";
import { connect, type Db, disconnect } from "../../db/connect.ts";
import { settings } from "../../db/schema/platform.ts";
import { SERVICE_CODE } from "../../dev/simulators/phone.ts";
import { addressOf, gatewayAddressOf, gatewaySecretsOf, secretsOf } from "../../src/core/messaging/callbacks.ts";
import { isAllowedPin } from "../../src/shared/phones/pin.ts";
import type { UssdGatewayName } from "../../src/shared/phones/ussd-gateways.ts";
import { equipPhone } from "../channels/dialling.ts";
import { randomFrom, times } from "../support/asking.ts";
import { freshDatabase } from "../support/database.ts";
import { type Shop, startShop } from "../support/shop.ts";
import { type Person, populate, TEST_JWT_SECRET } from "../support/world.ts";
import { watchPins } from "./locks.ts";
import { FIRST_ORDER_ID } from "./screen.ts";

export type Random = (below: number) => number;

export type Agent = Person & {
  /** The phone's number: 233241234567. */
  msisdn: string;
  /** The PIN, as its owner remembers it. */
  pin: string;
  /** Every PIN that may be right at this moment: more than one while a change is under way. */
  possiblePins: Set<string>;
  isChangingPin: boolean;
  /** Numbers that nobody else's screens show. */
  numbers: string[];
  /** How much was put into the wallet or taken out besides purchases. */
  givenPesewas: number;
  /** How many right PINs are on their way. */
  paying: number;
  /** Whether they mostly mistype the PIN at the moment. */
  isForgetful: boolean;
  /** Another session of this agent that waits on a payment screen, to pay at the same moment. */
  partner: (() => void) | null;
};

export type Rig = {
  db: Db;
  admin: Person;
  agents: Agent[];
  /** Agents who never dial, and whose number strangers forge to text wrong PINs. */
  texters: Agent[];
  products: { id: number; pricePesewas: number }[];
  /** Where a gateway sends its requests, at one of the processes. */
  hopUrl: (gateway: UssdGatewayName, process: number) => string;
  /** Where Africa's Talking reports that a session has ended. */
  eventsUrl: string;
  /** Where Africa's Talking sends SMS to the shop. */
  inboundUrl: string;
  /** A PIN for this phone that nobody has had yet. */
  newPin: (msisdn: string) => string;
  /** All PINs that were ever given out. */
  pins: ReadonlySet<string>;
  logged: () => string;
  close: () => Promise<void>;
};

export const PROCESSES = 2;
const BUNDLES = {
  MTN: ["0.5GB", "1GB", "2GB", "3GB", "4GB", "5GB", "8GB", "10GB", "15GB"],
  TELECEL: ["1GB", "2GB", "5GB"],
  AIRTELTIGO: ["1GB", "3GB"],
} as const;
const TEXTERS = 4;
/** In turn: agents who run out of money, and agents who hardly do. */
const OPENING = ["GH₵ 40.00", "GH₵ 900.00"];

/** Opens the shop; `root` is the folder of the program. */
export async function openRig(ask: { agents: number; seed: number; root?: string }): Promise<Rig> {
  const database = await freshDatabase();
  const db = connect(database.url, { max: 4 });
  const world = await populate(db, database.url);
  await db.insert(settings).values({ key: "ussd_code", value: SERVICE_CODE }).onConflictDoNothing();
  const random = randomFrom(ask.seed);
  const pins = new Set<string>();
  const newPin = (msisdn: string) => {
    // Above every id, amount and balance of the run.
    const pin = String(710_000 + random(289_000));
    if (pins.has(pin) || !isAllowedPin(pin, msisdn)) return newPin(msisdn);
    pins.add(pin);
    return pin;
  };
  const products = [];
  for (const [operator, sizes] of Object.entries(BUNDLES))
    for (const [i, size] of sizes.entries())
      products.push(await world.product(operator as keyof typeof BUNDLES, size, `${3 + i * 2}.40`));
  const everybody = await Promise.all(times(ask.agents + TEXTERS, (n) => openAgent(world, n, newPin)));
  const [agents, texters] = [everybody.slice(0, ask.agents), everybody.slice(ask.agents)];
  await watchPins(db);
  await db.execute(sql.raw(`alter sequence orders_id_seq restart with ${FIRST_ORDER_ID}`));
  const environment = { RUN: "server", LOG_LEVEL: "info", DATABASE_POOL: "10" };
  const shops: Shop[] = await Promise.all(times(PROCESSES, () => startShop(database.url, environment, ask.root)));
  const [secrets, gatewaySecrets] = [secretsOf([], TEST_JWT_SECRET), gatewaySecretsOf({}, TEST_JWT_SECRET)];
  return {
    ...{ db, admin: world.yaw, agents, texters, products, newPin, pins },
    hopUrl: (gateway, process) => {
      const { url } = shops[process]!;
      return gateway === "africastalking"
        ? addressOf(url, secrets, "ussd")!
        : gatewayAddressOf(url, gateway, gatewaySecrets[gateway]![0]!);
    },
    eventsUrl: addressOf(shops[0]!.url, secrets, "events")!,
    inboundUrl: addressOf(shops[1]!.url, secrets, "inbound")!,
    logged: () => shops.map((shop) => shop.output()).join("\n"),
    close: async () => {
      await Promise.all(shops.map((shop) => shop.stop()));
      await disconnect(db);
      await database.drop();
    },
  };
}

async function openAgent(
  world: Awaited<ReturnType<typeof populate>>,
  n: number,
  newPin: Rig["newPin"],
): Promise<Agent> {
  const person = await world.person(`agent${n}`, OPENING[n % OPENING.length]);
  const own = String(n).padStart(4, "0");
  const msisdn = `23324${own}900`;
  const pin = newPin(msisdn);
  await equipPhone(world, person, msisdn, pin);
  // Six for each network, by prefix.
  const numbers = times(18, (k) => `233${["54", "20", "27"][k % 3]}${own}${String(100 + k)}`);
  return {
    ...person,
    ...{ msisdn, pin, numbers, possiblePins: new Set([pin]), isChangingPin: false },
    ...{ givenPesewas: await world.balanceOf(person), paying: 0, partner: null, isForgetful: false },
  };
}

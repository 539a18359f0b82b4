// Number first, sizes, favourites and another purchase by USSD, over the wire of every gateway; and that a PIN pays
// only on a screen that was shown, however it is typed.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as products from "../../src/core/catalog/products.ts";
import * as phones from "../../src/core/identity/phones/phones.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { finishOrphans } from "../../src/core/ussd/receipts.ts";
import { countOver, figures } from "../../src/core/ussd/usage.ts";
import { USSD_GATEWAYS, type UssdGatewayName } from "../../src/shared/phones/ussd-gateways.ts";
import { count } from "../support/asking.ts";
import { longTest } from "../support/long.ts";
import { openWorld, type Person } from "../support/world.ts";
import { equipPhone, openLine, openReader, PIN } from "./dialling.ts";

const world = await openWorld();
const { db, yaw } = world;
const by = yaw.by("admin");
const line = openLine(world);
for (const [size, price] of Object.entries({ "500MB": "2.00", "1GB": "3.90", "2GB": "8.40", "5GB": "20.90" }))
  await world.product("MTN", size, price);
const day = { by, operator: "AIRTELTIGO" as const, size: "1GB", pricePesewas: 400 };
await products.add(db, { ...day, name: "iShare" });
await products.add(db, { ...day, name: "BigTime", family: "AT_BIGTIME" });
await products.add(db, { ...day, name: "iShare", size: "2GB", confirmPrice: true });

const ALL = Object.keys(USSD_GATEWAYS) as UssdGatewayName[];
const agents = {} as Record<UssdGatewayName, { msisdn: string; person: Person }>;
for (const [i, gateway] of ALL.entries()) {
  const [person, msisdn] = [await world.person(gateway, "GH₵ 500.00"), `23354111111${i}`];
  await equipPhone(world, person, msisdn);
  agents[gateway] = { person, msisdn };
}
let bought = 0;
const fresh = (prefix = "024") => `${prefix}${String(1_000_000 + bought++)}`;
const spaced = (number: string) => `${number.slice(0, 3)} ${number.slice(3, 6)} ${number.slice(6)}`;
const ordersOf = ({ id }: Person) => count(db, sql`from orders where user_id = ${id} and paid_at is not null`);

const { dial, secondsPass, type } = openReader(db);
for (const gateway of ALL)
  describe(USSD_GATEWAYS[gateway], () => {
    const { person, msisdn } = agents[gateway];
    const phone = line.phone(msisdn, { gateway });

    longTest("takes a customer's number on the first screen: a purchase in four requests", async () => {
      const to = fresh();
      await phone.dial();
      expect((await type(phone, to)).text).toBe(
        `MTN for ${spaced(to)}, GHS\n1 1GB 3.90\n2 2GB 8.40\n5 5GB 20.90\n51 500MB 2.00\n99 Other network\n0 Back`,
      );
      expect((await type(phone, "5")).text).toStartWith(`Buy MTN 5GB\nfor ${spaced(to)}\nPay GHS 20.90`);
      expect((await type(phone, PIN)).text).toContain(`MTN 5GB for ${to}`);
      const forms = [`233${to.slice(1)}`, `+233${to.slice(1)}`, to.slice(1)];
      for (const form of forms) expect((await dial(phone, form)).text).toStartWith(`MTN for ${spaced(to)}`);
    });

    longTest("takes a size behind the number, dialled or typed at once, and asks which of several", async () => {
      const sizes = { "5": "5GB", "500": "500MB", "0.5": "500MB", "2gb": "2GB", "1000": "1GB" };
      for (const [typed, size] of Object.entries(sizes)) {
        const pay = `Buy MTN ${size}\n`;
        expect((await phone.dial(`${fresh()}*${typed}`)).text).toStartWith(pay);
        expect((await dial(phone, `${fresh()}*${typed}`)).text).toStartWith(pay);
      }
      expect((await phone.dial(`${fresh()}*5*1*3`)).text).toStartWith("Buy 3 x MTN 5GB\n");
      expect((await phone.dial(`${fresh()}*7`)).text).toStartWith("MTN has no bundle of that size.\nMTN for 024");
      const at = fresh("027");
      expect((await phone.dial(`${at}*1*1*${PIN}`)).text).toBe(
        `AirtelTigo for ${spaced(at)}, GHS\n1 iShare 1GB 4.00\n51 BigTime 1GB 4.00\n99 Other network\n0 Back`,
      );
      expect((await type(phone, "51")).text).toStartWith("Buy AT BigTime 1GB\n");
      expect((await phone.dial(`${at}*51`)).text).toStartWith("Buy AT BigTime 1GB\n");
    });

    longTest("takes a number for the same bundle on the list, behind a phone number and behind a network", async () => {
      for (const [number, size] of Object.entries({ "1": "1GB", "2": "2GB", "5": "5GB", "51": "500MB" })) {
        const pay = `Buy MTN ${size}\n`;
        expect((await dial(phone, fresh(), number)).text).toStartWith(pay);
        expect((await phone.dial(`${fresh()}*${number}`)).text).toStartWith(pay);
        expect((await phone.dial(`1*1*${number}*${fresh()}`)).text).toStartWith(pay);
        expect((await dial(phone, "1", "1", number, fresh())).text).toStartWith(pay);
      }
      // So does a size that is no number; where two bundles have it, the list shows them.
      for (const typed of ["500", "500mb", "0.5GB"])
        expect((await dial(phone, fresh(), typed)).text).toStartWith("Buy MTN 500MB\n");
      expect((await dial(phone, "1", "1", "5 GB", fresh())).text).toStartWith("Buy MTN 5GB\n");
      expect((await dial(phone, "1", "3", "1gb")).text).toBe(
        "AirtelTigo bundles, GHS\n1 iShare 1GB 4.00\n51 BigTime 1GB 4.00\n0 Back",
      );
      expect((await type(phone, "51", fresh("027"))).text).toStartWith("Buy AT BigTime 1GB\n");
      expect((await dial(phone, fresh(), "3GB")).text).toStartWith("MTN has no bundle of that size.\n");
    });

    longTest("takes a PIN only on a screen that was shown, however it is typed", async () => {
      const before = await ordersOf(person);
      for (const text of [`${fresh()}*5*${PIN}`, `${fresh()}*5*${PIN}*${PIN}`, `1*1*2*${fresh()}*${PIN}`]) {
        expect((await phone.dial(text)).text).toContain("Enter DataFie PIN");
        expect((await dial(phone, text)).text).toContain("Enter DataFie PIN");
      }
      expect(await ordersOf(person)).toBe(before);
      expect((await type(phone, PIN)).text).toContain(" paid.");
      expect(await ordersOf(person)).toBe(before + 1);
    });

    longTest("goes back, on and elsewhere from any wrong answer", async () => {
      const to = fresh("029");
      expect((await dial(phone, "024123")).text).toStartWith("Not understood. Type a number from the list.\nDataFie");
      expect((await type(phone, "02412345678")).text).toStartWith("Not a mobile number. It has 10 digits.\nDataFie");
      // A prefix that belongs to no network, and a number that was ported.
      expect((await type(phone, to)).text).toStartWith("Choose network");
      expect((await type(phone, "1")).text).toStartWith(`MTN for ${spaced(to)}`);
      expect((await type(phone, "77")).text).toStartWith("Not understood.");
      expect((await type(phone, "99", "3")).text).toStartWith(`AirtelTigo for ${spaced(to)}`);
      expect((await type(phone, "2")).text).toStartWith("Buy AT iShare 2GB\n");
      expect((await type(phone, "0")).text).toStartWith("DataFie\n1 Buy data");
      // The number is forgotten with the purchase.
      expect((await type(phone, "1", "1")).text).toStartWith("MTN bundles, GHS");
    });

    longTest("lists what the agent sells most first, by its own number", async () => {
      for (const _ of [1, 2, 3]) await dial(phone, fresh(), "2", PIN);
      for (const first of [["1", "1"], [fresh()]])
        expect((await dial(phone, ...first)).text.split("\n").slice(1, 3)).toEqual(["Yours first", "2 2GB 8.40"]);
      expect((await phone.dial(`1*1*1`)).text).toStartWith("Who gets MTN 1GB?");
    });

    longTest("offers another purchase where the shop allows it, and a repeated request gets its receipt", async () => {
      await settings.change(db, { by, values: { ussd_another: true } });
      const [before, first, second] = [await ordersOf(person), fresh(), fresh()];
      await dial(phone, first, "2");
      await secondsPass();
      const answers = [phone.reply(PIN), phone.redeliver(), phone.redeliver()];
      const receipt = await answers[0]!;
      expect(receipt.text).toMatch(
        new RegExp(`^Order \\d+ paid\\.\nMTN 2GB for ${first}\nGHS 8\\.40, balance .*\n1 Another\n0 Exit$`),
      );
      expect(await Promise.all(answers)).toEqual([receipt, receipt, receipt]);
      expect(await phone.redeliver()).toEqual(receipt);
      expect((await type(phone, "5")).text).toStartWith("Not understood.");
      expect((await type(phone, "1")).text).toStartWith("DataFie\n");
      expect((await type(phone, second, "2", PIN)).text).toContain(`MTN 2GB for ${second}`);
      expect(await type(phone, "0")).toMatchObject({ text: "Thank you for using DataFie.", isOpen: false });
      expect(await ordersOf(person)).toBe(before + 2);
      const announced = sql`from messages where user_id = ${person.id} and kind = 'order_accepted'`;
      expect(await count(db, sql`${announced} and (body like ${`%${first}%`} or body like ${`%${second}%`})`)).toBe(2);
      expect((await phone.dial()).text).not.toContain("7 Continue");
      await settings.change(db, { by, values: { ussd_another: false } });
    });

    longTest("asks for the PIN before the balance and orders, where the agent wants that", async () => {
      await phones.choosePin(db, { by: person.by("web"), requiresPin: true });
      for (const choice of ["2", "3"]) {
        expect((await phone.dial(`${choice}*${PIN}`)).text).toBe("Enter DataFie PIN to see this\n0 Back");
        expect((await type(phone, "1")).text).toStartWith("A PIN has 4 to 6 digits.");
        expect((await type(phone, "0001")).text).toStartWith("Wrong PIN, 2 tries left.");
        expect((await type(phone, PIN)).text).toMatch(/^(Balance|Last orders)/);
      }
      // A PIN that paid in this session is enough; so is a wrong way back.
      expect((await dial(phone, "2", "0")).text).toStartWith("DataFie");
      await phones.choosePin(db, { by: person.by("web"), requiresPin: false });
      expect((await phone.dial("2")).text).toStartWith("Balance");
    });
  });

test("a session that bought and was left at the receipt counts as bought, not as left", async () => {
  await settings.change(db, { by, values: { ussd_another: true } });
  const phone = line.phone(agents.africastalking.msisdn);
  await db.execute(sql`delete from ussd_sessions`);
  await db.execute(sql`delete from ussd_days`);
  await dial(phone, fresh(), "2", PIN);
  await phone.hangUp();
  await dial(phone, fresh(), "2", PIN, "1");
  await db.execute(sql`update ussd_sessions set started_at = now() - interval '1 hour'`);
  await countOver(db);
  const { days } = await figures(db, { first: "2020-01-01", last: "2099-12-31" });
  expect(days).toMatchObject([{ sessions: 2, bought: 2, left: 1 }]);
  await settings.change(db, { by, values: { ussd_another: false } });
});

test("a process that dies in a later request of a session does not announce an earlier purchase again", async () => {
  await settings.change(db, { by, values: { ussd_another: true } });
  const { person, msisdn } = agents.africastalking;
  const phone = line.phone(msisdn);
  const announced = () => count(db, sql`from messages where user_id = ${person.id} and kind = 'order_accepted'`);
  await dial(phone, fresh(), "2", PIN);
  const before = await announced();
  // As it is left behind: held, and never answered.
  await db.execute(sql`
    update ussd_sessions set busy_until = now() - interval '1 second', version = version + 1
    where id = ${phone.sessionId()}`);
  await finishOrphans(db);
  expect(await announced()).toBe(before);
  expect((await type(phone, "1")).text).toStartWith("DataFie");
  await settings.change(db, { by, values: { ussd_another: false } });
});

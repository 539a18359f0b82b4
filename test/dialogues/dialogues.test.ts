// A short run of random dialogues by each gateway, and proof that the judgement works: it is given books that were
// tampered with.
import { expect, test } from "bun:test";
import { USSD_GATEWAYS, type UssdGatewayName } from "../../src/shared/phones/ussd-gateways.ts";
import { seed, sized } from "../support/asking.ts";
import { plant } from "../torture/planted.ts";
import { BUGS } from "./planted.ts";
import { runDialogues } from "./run.ts";
import { readScreen } from "./screen.ts";

const REQUESTS = sized(2_000);
const gateways = Object.keys(USSD_GATEWAYS) as UssdGatewayName[];

test(`what an order is was on a payment screen, through every gateway (seed ${seed})`, async () => {
  const result = await runDialogues({ seed, requests: REQUESTS, gateways });
  expect(result.violations).toEqual([]);
  const { locks, notices } = result;
  const met = [locks.ussd[0], locks.ussd[1], locks.sms[0], notices.protecting, notices.silenced];
  expect(met.every((times) => times! > 0)).toBe(true);
  for (const { gateway, outcomes, counts } of result.gateways) {
    expect([gateway, outcomes.done > 10, counts.repeats > 100]).toEqual([gateway, true, true]);
    expect(counts["of these at the same moment as another of the same agent"]).toBeGreaterThan(0);
  }
});

test("each planted bug still fits the source", async () => {
  for (const bug of BUGS) (await plant(bug)).remove();
});

test("a screen is read by its digits and names, in any language", () => {
  const offerOn = (text: string) => readScreen({ text, isOpen: true, body: text }).offer;
  expect(offerOn("Tɔ 2 x MTN 0.5GB\nma 054 123 4567\nTua GHS 7.80\nFa PIN\n1 Dodow\n0 Gyae")).toEqual({
    ...{ kind: "bundle", orderId: null, bundle: { name: "MTN 0.5GB", quantity: 2 } },
    ...{ msisdn: "233541234567", amountPesewas: 780 },
  });
  expect(offerOn("Order 3000017: AT 1GB\nfor 027 123 4567\nPay GHS 12.00 from wallet\nEnter PIN")?.orderId).toBe(
    3_000_017,
  );
  expect(offerOn("Add GHS 20.00 from\n024 123 4567 (MTN MoMo)\nEnter your DataFie PIN")?.kind).toBe("top_up");
  expect(offerOn("Type your old PIN\n0 Cancel")).toBeNull();
  expect(offerOn("MTN 1GB for 0541234567\nGHS 3.90, balance GHS 2.10")).toBeNull();
});

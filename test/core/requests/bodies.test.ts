// Bodies and addresses in the log: everything that helps, nothing that opens anything, and not too much.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { BODY_BYTES_MAX, CUT, isSecretName, keptBody, keptPath, REMOVED } from "../../../src/core/requests/bodies.ts";
import { newKey } from "../../../src/shared/api-keys.ts";
import { seed } from "../../support/asking.ts";

const kept = (value: unknown) => JSON.parse(keptBody({ value }));
const bytesOf = (text: string) => new TextEncoder().encode(text).length;

test("a body without a secret is kept as it is", () => {
  const order = { productId: 12, msisdn: "0541234567", quantity: 1, pay: "wallet", note: "for “Ama”\n" };
  expect(kept(order)).toEqual(order);
  for (const value of [null, 7, "text", [], {}, [1, [2]]]) expect(kept(value)).toEqual(value);
});

test("a secret is replaced wherever it is, however its field is written, and whatever it is", () => {
  const names = [
    ...["password", "currentPassword", "PASSWORD", "new_password", "pin", "PIN", "newPin", "newpin", "pinCode"],
    ...["secret", "clientSecret", "token", "accessToken", "resetToken", "code", "smsCode", "codes", "otp"],
    ...["key", "apiKey", "apikey", "api-key", "voucher", "ghCardId", "authorization", "x-signature", "passcode"],
  ];
  for (const name of names)
    for (const value of ["4711", 4711, ["4711"], { is: "4711" }])
      expect(kept({ a: [{ b: { [name]: value, c: 1 } }] })).toEqual({
        a: [{ b: { [name]: REMOVED, c: 1 } }],
      });
});

test("what only sounds like a secret is kept", () => {
  const body = { shipping: 1, spinner: 2, compass: 3, productId: 4, failureCode: "unreachable", monkeys: 5 };
  expect(kept({ ...body, needsCode: true, pin: null }).shipping).toBe(1);
  for (const name of ["shipping", "spinner", "compass", "productId", "failureCode", "error_code", "reference"])
    expect([name, isSecretName(name)]).toEqual([name, false]);
});

test("the code of a refusal or of an event is kept, and no other code", () => {
  expect(kept({ code: "order.duplicate" })).toEqual({ code: "order.duplicate" });
  expect(kept({ timeline: [{ code: "delivered" }] })).toEqual({ timeline: [{ code: "delivered" }] });
  expect(kept({ code: "123456" })).toEqual({ code: REMOVED });
});

test("our own keys and secrets are replaced inside any text, also in the name of a field", () => {
  const key = newKey("live");
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";
  const text = keptBody({ value: { note: `my key is ${key}, and ${secret}.`, [key]: 1, list: [key] } });
  expect(text).not.toContain(key.slice(9, 20));
  expect(text).not.toContain(secret.slice(6, 16));
  expect(kept({ note: `my key is ${key}, really` }).note).toBe(`my key is dfk_live_${REMOVED}, really`);
});

test("a body given as the JSON that we wrote is treated the same", () => {
  const answer = { id: 1, secret: "whsec_abc", balance: 2 };
  expect(keptBody({ value: answer, json: JSON.stringify(answer) })).toBe(`{"id":1,"secret":"${REMOVED}","balance":2}`);
  expect(keptBody({ value: { id: 1 }, json: '{"id":1}' })).toBe('{"id":1}');
});

test("a long body is cut at 4 kB, between two characters, and says so; a bulk body costs no more than that", () => {
  const lines = Array.from({ length: 10_000 }, (_, n) => ({ productId: 12, msisdn: `054${n}`, quantity: 1 }));
  const withPins = lines.map((line) => ({ ...line, pin: "4711" }));
  for (const value of [{ orders: lines }, { orders: withPins }, { note: "é".repeat(4000) }, "ab€".repeat(3000)]) {
    const text = keptBody({ value });
    expect(bytesOf(text)).toBeLessThanOrEqual(BODY_BYTES_MAX);
    expect(bytesOf(text)).toBeGreaterThan(BODY_BYTES_MAX - 8);
    expect(text.endsWith(CUT)).toBe(true);
    expect(text).not.toContain("4711");
    expect(text.isWellFormed()).toBe(true);
  }
  expect(keptBody({ value: "x".repeat(BODY_BYTES_MAX - 2) })).not.toEndWith(CUT);
  expect(keptBody({ value: "x".repeat(BODY_BYTES_MAX - 1) })).toEndWith(CUT);
});

test(`no value of a secret field is ever kept, and nothing else is lost (seed ${seed})`, () => {
  const HIDDEN = "h1dd3n";
  const names = fc.constantFrom("password", "pin", "code", "apiKey", "note", "msisdn", "orders", "token", "id");
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 4 }, fc.integer(), fc.string({ maxLength: 5 }), tie("list"), tie("fields")),
    list: fc.array(tie("tree"), { maxLength: 4 }),
    fields: fc.dictionary(names, tie("tree"), { maxKeys: 5 }),
  }));
  /** Puts a secret into every secret field. */
  const planted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(planted);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value);
    return Object.fromEntries(entries.map(([n, one]) => [n, isSecretName(n) ? { a: [HIDDEN, one] } : planted(one)]));
  };
  const replaced = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replaced);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([n, one]) => [n, isSecretName(n) ? REMOVED : replaced(one)]));
  };
  fc.assert(
    fc.property(tree, (shape) => {
      const value = planted(shape);
      const text = keptBody({ value });
      expect(text).not.toContain(HIDDEN);
      if (!text.endsWith(CUT)) expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(replaced(value))));
    }),
    { seed },
  );
});

test("an address keeps its query, numbers included, without secrets", () => {
  const at = "http://localhost:3000";
  expect(keptPath(`${at}/api/v1/orders?msisdn=0541234567&limit=5`)).toBe("/api/v1/orders?msisdn=0541234567&limit=5");
  expect(keptPath(`${at}/api/v1/orders/12`)).toBe("/api/v1/orders/12");
  const key = newKey("test");
  expect(keptPath(`${at}/api/v1/orders?key=abc&p%69n=4711&limit=5&token&q=${key}`)).toBe(
    `/api/v1/orders?key=${REMOVED}&p%69n=${REMOVED}&limit=5&token&q=dfk_test_${REMOVED}`,
  );
  expect(keptPath(`${at}/api/v1/${key}`)).toBe(`/api/v1/dfk_test_${REMOVED}`);
  expect(keptPath(`${at}/api/v1/x?%=1&a=${"b".repeat(5000)}`).length).toBe(501);
});

// Tests of the request schemas: what they accept, how they convert it, and their messages.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { z } from "zod";
import * as products from "../../src/core/catalog/products.ts";
import * as wallet from "../../src/core/ledger/wallet.ts";
import * as accountSchemas from "../../src/http/schemas/accounts.ts";
import * as bulkSchemas from "../../src/http/schemas/bulk-orders.ts";
import { IdParams, Page } from "../../src/http/schemas/common.ts";
import * as orderSchemas from "../../src/http/schemas/orders.ts";
import * as paymentSchemas from "../../src/http/schemas/payments.ts";
import * as moving from "../../src/http/schemas/staff/transitions.ts";
import * as walletSchemas from "../../src/http/schemas/wallet.ts";
import { publicSchema } from "../../src/shared/fields.ts";

const takes = (schema: z.ZodType, input: unknown) => {
  const result = schema.safeParse(input);
  expect([input, result.error?.issues[0]?.message ?? "taken"]).toEqual([input, "taken"]);
  return result.data;
};
const refuses = (schema: z.ZodType, input: unknown, message?: string) => {
  const result = schema.safeParse(input);
  expect([input, result.success]).toEqual([input, false]);
  if (message) expect(result.error!.issues.map((issue) => issue.message)).toContain(message);
};
const line = { productId: 1, msisdn: "0541234567" };

describe("an amount in a request", () => {
  test("is a number with at most two decimals, and whole pesewas inside", () => {
    expect(takes(walletSchemas.Spend, { orderId: 1, amount: 3.9 })).toEqual({ orderId: 1, amount: 390 });
    for (const amount of [
      "3.90",
      "3",
      null,
      [3.9],
      { value: 3.9 },
      true,
      3.999,
      Number.NaN,
      1e300,
      Number.POSITIVE_INFINITY,
    ]) {
      refuses(walletSchemas.Spend, { orderId: 1, amount });
    }
  });

  test("is above zero for a top-up and a price, and not zero for a correction", () => {
    for (const amount of [0, -1, 0.001, -0.01])
      refuses(paymentSchemas.TopUpInit, { amount }, "Please enter a valid amount");
    for (const amount of [undefined, null, "5", "five"])
      refuses(paymentSchemas.TopUpInit, { amount }, "Please enter a valid amount");
    expect(takes(paymentSchemas.TopUpInit, { amount: 0.01 })).toEqual({ amount: 1 });
    const product = { name: "x", size: "1GB" };
    for (const price of [0, -3.9, "3.90", 3.999])
      refuses(publicSchema(products.add.declared.input), { ...product, price });
    const correction = publicSchema(wallet.adjust.declared.input, ["userId"]);
    refuses(correction, { amount: 0, reason: "why" });
    expect(takes(correction, { amount: -5, reason: " why " })).toEqual({
      amount: -500,
      reason: "why",
    });
  });
});

test("a quantity is a whole number from 1 to 100, and 1 by default", () => {
  expect(takes(orderSchemas.NewOrder, line)).toMatchObject({ quantity: 1, allowDuplicate: false });
  for (const quantity of [1, 100]) takes(orderSchemas.NewOrder, { ...line, quantity });
  for (const quantity of [0, -1, 101, 1.5, "1", "", null, true, [1], Number.NaN, 1e308, 2 ** 53]) {
    refuses(orderSchemas.NewOrder, { ...line, quantity }, "order.quantity_invalid");
  }
});

test("an order without its bundle or number is refused with the form's message", () => {
  refuses(orderSchemas.NewOrder, { msisdn: "0541234567" }, "Select package and enter number");
  refuses(orderSchemas.NewOrder, { productId: 1 }, "Select package and enter number");
  refuses(orderSchemas.NewOrder, { productId: 1, msisdn: "" }, "Select package and enter number");
  refuses(orderSchemas.NewOrder, { productId: 1, msisdn: 541234567 }, "msisdn.invalid");
  takes(orderSchemas.NewOrder, { ...line, productId: "1" });
  for (const productId of ["", "x1", "1.5", 1.5, {}, true, 1e300])
    refuses(orderSchemas.NewOrder, { ...line, productId }, "product.not_found");
  refuses(orderSchemas.NewOrder, { ...line, pay: "momo" });
  refuses(orderSchemas.NewOrder, { ...line, operator: "VODAFONE" });
  refuses(bulkSchemas.BulkOrder, {}, "Add at least one number");
  refuses(bulkSchemas.BulkOrder, { orders: [] }, "Add at least one number");
  refuses(bulkSchemas.BulkOrder, { orders: Array(10_001).fill(line) }, "At most 10000 lines at once");
  refuses(moving.BulkStatusChange, { ids: [], status: "FAILED" }, "Select at least one order");
  refuses(
    publicSchema(products.add.declared.input),
    { name: " ", size: "1GB", price: 1 },
    "Please fill all product fields",
  );
});

test("text has no NUL, no incomplete character, and a limited length", () => {
  const signUp = { username: "ama", email: "ama@example.com", password: "six or more" };
  takes(accountSchemas.SignUp, signUp);
  for (const bad of ["a\u0000b", "\ud800", "\udc00x", "x".repeat(300)]) {
    refuses(accountSchemas.SignUp, { ...signUp, username: bad });
    refuses(accountSchemas.SignUp, { ...signUp, password: bad });
    refuses(accountSchemas.SignUp, { ...signUp, email: `${bad}@example.com` });
    refuses(accountSchemas.LogIn, { email: bad, password: "x" });
    refuses(orderSchemas.OrderQuery, { search: bad });
  }
  for (const username of ["", "  ", "two words", "a@b", "<b>", "tab\there"])
    refuses(accountSchemas.SignUp, { ...signUp, username });
  for (const email of ["", "ama", "ama@", "@example.com", "ama@example", "a b@example.com", 5]) {
    refuses(accountSchemas.SignUp, { ...signUp, email });
  }
});

test("unknown fields are dropped, never passed on", () => {
  const fields = {
    username: "ama",
    email: "ama@example.com",
    password: "six or more",
    roles: ["ADMIN"],
    id: 1,
    status: "X",
  };
  expect(takes(accountSchemas.SignUp, fields)).toEqual({
    username: "ama",
    email: "ama@example.com",
    password: "six or more",
  });
  const spoofed = JSON.parse(
    '{"productId":1,"msisdn":"0541234567","userId":9,"status":"COMPLETED","__proto__":{"pay":"wallet"}}',
  );
  expect(takes(orderSchemas.NewOrder, spoofed)).toEqual({ ...line, quantity: 1, allowDuplicate: false });
});

test("statuses, roles and operators are read in any letter case, and only the known ones", () => {
  expect(takes(moving.StatusChange, { status: "processing" })).toEqual({ status: "PROCESSING" });
  for (const status of ["PENDING", "PAID", "SHIPPED", "", 1, null]) refuses(moving.StatusChange, { status });
  const user = { username: "kofi", email: "kofi@example.com", password: "six or more" };
  expect(takes(accountSchemas.NewUser, { ...user, roles: ["admin", "ADMIN"] })).toMatchObject({
    roles: ["ADMIN"],
  });
  expect(takes(accountSchemas.NewUser, user)).toMatchObject({ roles: ["USER"] });
  for (const roles of [[], ["ROOT"], "ADMIN", Array(7).fill("USER")])
    refuses(accountSchemas.NewUser, { ...user, roles });
});

test("ids and pages are whole numbers that the database can store", () => {
  expect(takes(IdParams, { id: "17" })).toEqual({ id: 17 });
  for (const id of [
    "0",
    "-1",
    "1.5",
    "1e3",
    "",
    "abc",
    "9007199254740993",
    "99999999999999999999",
    "0x10",
    " 1",
    "1;2",
  ]) {
    refuses(IdParams, { id });
  }
  expect(takes(Page, {})).toEqual({ limit: 50 });
  for (const limit of ["0", "-1", "201", "1.5", "many", "Infinity", "NaN", ""]) refuses(Page, { limit });
  for (const cursor of ["0", "-5", "x"]) refuses(Page, { cursor });
});

test("a range of days includes its last day, and is not empty, reversed or longer than a year", () => {
  const range = (from: string, to: string) => ({ from, to });
  expect(takes(walletSchemas.StatementQuery, range("2026-11-01", "2026-11-30"))).toEqual({
    from: new Date("2026-11-01T00:00:00Z"),
    to: new Date("2026-12-01T00:00:00Z"),
    format: "json",
  });
  takes(walletSchemas.StatementQuery, range("2026-11-21", "2026-11-21"));
  takes(walletSchemas.StatementQuery, range("2026-11-21T10:00:00Z", "2026-11-21T10:00:00.001+00:00"));
  for (const [from, to] of [
    ["2026-11-22", "2026-11-20"],
    ["2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z"],
    ["2025-01-01", "2026-12-31"],
    ["yesterday", "today"],
    ["2026-02-30", "2026-03-01"],
    ["21.11.2026", "22.11.2026"],
    ["", ""],
  ] as const) {
    refuses(walletSchemas.StatementQuery, range(from, to));
  }
});

test("a schema has a result for any JSON, and never throws", () => {
  const requests = Object.entries({
    ...accountSchemas,
    ...orderSchemas,
    ...paymentSchemas,
    ...walletSchemas,
  }).filter(([, schema]) => "safeParse" in schema) as [string, z.ZodType][];
  expect(requests.length).toBeGreaterThan(20);
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(...requests), (value, [, schema]) => {
      expect(typeof schema.safeParse(value).success).toBe("boolean");
    }),
    { numRuns: 500 },
  );
});

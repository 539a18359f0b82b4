// Refusals as problems (RFC 9457), for who asks for them by Accept; for everybody else they are what they were.
import { describe, expect, test } from "bun:test";
import { Problem } from "../../src/http/schemas/refusals.ts";
import { errors } from "../../src/shared/errors/codes.ts";
import { freshNumber } from "../support/asking.ts";
import { openApp, openWorld } from "../support/world.ts";

const world = await openWorld();
const client = openApp(world);
const ama = await world.person("ama", "GH₵ 1.00");
const bundle = await world.product("MTN", "1GB", "3.90");
const buy = (accept?: string, on = client) =>
  on.call(
    ama,
    "POST",
    "/api/v1/orders?",
    { productId: bundle.id, msisdn: freshNumber(), pay: "wallet" },
    accept === undefined ? {} : { accept },
  );
const typeOf = async (accept?: string) => (await buy(accept)).headers.get("content-type");
const PROBLEM = "application/problem+json";

describe("a refusal", () => {
  test("is a problem with our fields besides, for who asks for one", async () => {
    const { status, body, headers } = await buy(PROBLEM);
    expect([status, headers.get("content-type")]).toEqual([422, PROBLEM]);
    const requestId = headers.get("x-request-id")!;
    const code = "wallet.insufficient_balance";
    expect(Problem.strict().parse(body)).toEqual({
      type: `http://localhost/developers/errors#${code}`,
      title: errors[code].message,
      status: 422,
      detail: errors[code].message,
      instance: `/api/v1/orders#${requestId}`,
      code,
      message: errors[code].message,
      // What a program needs, as numbers.
      details: { required: 3.9, balance: 1, held: 0, available: 1, missing: 2.9 },
      retryable: false,
      requestId,
    });
  });

  test("has the same title each time, and in detail what was refused this time", async () => {
    const answer = await client.call(ama, "GET", "/api/v1/orders/9999", undefined, { accept: PROBLEM });
    expect(answer.body).toMatchObject({ title: "Order not found", detail: "Order not found", status: 404 });
    const limited = await client.call(ama, "POST", "/api/v1/orders", {}, { accept: PROBLEM });
    expect(limited.body.title).toBe(errors["request.invalid"].message);
    expect(limited.body.detail).toBe("Select package and enter number");
  });

  test("points to the guide by a relative address where the shop does not know its own", async () => {
    const { body } = await buy(PROBLEM, openApp(world, undefined, [], { baseUrl: null }));
    expect(body.type).toBe("/developers/errors#wallet.insufficient_balance");
  });

  test("is a problem only when these are asked for, and not less than plain JSON", async () => {
    const json = "application/json;charset=utf-8";
    for (const accept of [
      PROBLEM,
      `${PROBLEM}, application/json`,
      `application/json;q=0.9, ${PROBLEM};q=0.95`,
      `Application/Problem+JSON; q=0.5`,
      `*/*, ${PROBLEM}`,
    ])
      expect([accept, await typeOf(accept)]).toEqual([accept, PROBLEM]);
    for (const accept of [
      undefined,
      "*/*",
      "application/*",
      "application/json",
      `${PROBLEM};q=0`,
      `${PROBLEM};q=0.1, application/json`,
      `${PROBLEM};q=none`,
      `text/${PROBLEM}`,
      ",;=,",
      `${PROBLEM}${";".repeat(5000)}q=0`,
    ])
      expect([accept, await typeOf(accept)]).toEqual([accept, json]);
  });

  test("without an Accept has the fields that it had, and no others", async () => {
    const { body } = await buy();
    expect(Object.keys(body)).toEqual(["code", "message", "details", "retryable", "requestId"]);
  });

  test("before any caller is known is a problem, too", async () => {
    const { status, body } = await client.call(null, "GET", "/api/v1/nowhere", undefined, {
      accept: PROBLEM,
    });
    expect([status, body.code, body.instance]).toEqual([404, "request.not_found", `/api/v1/nowhere#${body.requestId}`]);
  });
});

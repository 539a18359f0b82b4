// Tests of logging in to the API in two steps.
import { expect, test } from "bun:test";
import { codeNow, enrol } from "../support/factor.ts";
import { openApp, openWorld } from "../support/world.ts";
import { checkedCalls } from "./calls.ts";

const world = await openWorld();
const call = checkedCalls(openApp(world));

test("the first step gives a token that is valid only for the second step", async () => {
  const ama = await world.person("ama");
  const { secret } = await enrol(world, ama);
  const { email, password } = ama;
  const first = await call(null, "POST", "/api/v1/auth/login", { email, password });
  expect([first.status, first.body.code]).toEqual([401, "auth.second_factor_required"]);
  const { token, expiresInSeconds } = first.body.details;
  expect(expiresInSeconds).toBe(300);
  const me = (bearer: string) => call(null, "GET", "/api/v1/auth/me", undefined, { authorization: `Bearer ${bearer}` });
  expect((await me(token)).body.code).toBe("auth.session_ended");
  const finish = (body: object) => call(null, "POST", "/api/v1/auth/second-factor", body);
  expect((await finish({ token, code: "nope" })).body.code).toBe("factor.wrong");
  expect((await finish({ token: "made up", code: codeNow(secret, 1) })).body.code).toBe("auth.second_step_ended");
  const { body } = await finish({ token, code: codeNow(secret, 1) });
  expect(body.user.username).toBe("ama");
  expect((await me(body.token)).body.username).toBe("ama");
});

test("a wrong password gets the same answer with and without a second factor", async () => {
  const [with2, without] = [await world.person("with"), await world.person("without")];
  await enrol(world, with2);
  const answerTo = async (email: string) => {
    const { status, body } = await call(null, "POST", "/api/v1/auth/login", { email, password: "wrong" });
    return [status, body.code, body.message, body.details];
  };
  const expected = await answerTo(without.email);
  expect(await answerTo(with2.email)).toEqual(expected);
  expect(await answerTo("nobody@example.com")).toEqual(expected);
});

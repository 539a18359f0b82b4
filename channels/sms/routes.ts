// The callback routes for SMS besides those of Africa's Talking's dashboard: its opt-outs, and Arkesel's delivery
// reports, whose address goes along with each message.
import { Elysia } from "elysia";
import type { Db } from "../../db/connect.ts";
import { checkSecret, readCallback } from "../africastalking.ts";
import { takeArkeselReport } from "./delivery-reports.ts";
import { takeOptOut } from "./opt-outs.ts";

export type SmsRouteDeps = {
  db: Db;
  callbackSecrets: readonly string[];
  arkeselSecrets: readonly string[];
  checkPlace: (name: "africastalking" | "arkesel", request: Request) => Promise<void>;
};

/** The routes. With a valid secret each answers 200; without one it is a 404, like any unknown page. */
export function smsRoutes({ db, callbackSecrets, arkeselSecrets, checkPlace }: SmsRouteDeps) {
  return new Elysia()
    .post(
      "/channels/africastalking/:secret/opt-out",
      async ({ request, params }) => {
        checkSecret(callbackSecrets, params.secret);
        await checkPlace("africastalking", request);
        await takeOptOut(db, await readCallback(request));
        return done();
      },
      { parse: "none" },
    )
    .get("/channels/arkesel/:secret/delivery", async ({ request, params }) => {
      checkSecret(arkeselSecrets, params.secret);
      await checkPlace("arkesel", request);
      await takeArkeselReport(db, new URL(request.url).searchParams);
      return done();
    });
}

function done(): Response {
  return new Response("", { headers: { "content-type": "text/plain", "cache-control": "no-store" } });
}

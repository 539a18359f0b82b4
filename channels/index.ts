// The doors that Africa's Talking calls: /channels/africastalking/<secret>/<what it tells>.
import { Elysia } from "elysia";
import { type CallbackForm, checkSecret, readCallback } from "./africastalking.ts";
import { takeReport } from "./sms/delivery-reports.ts";
import { type SmsDeps, takeSms } from "./sms/inbound.ts";
import type { UssdDeps } from "./ussd/hop.ts";
import { reports, screens } from "./ussd/routes.ts";

export type ChannelDeps = UssdDeps &
  SmsDeps & {
    /** Any of these may stand in the address. */
    callbackSecrets: readonly string[];
  };

/** Every one answers 200 in plain words once the secret is right, and is unknown (404) to whoever does not know it. */
export function channels({ callbackSecrets, ...deps }: ChannelDeps) {
  const [screenFor, takeEnd, take] = [screens(deps), reports(deps), takeSms(deps)];
  const path = (what: string) => `/channels/africastalking/:secret/${what}`;
  const callback =
    (answer: (form: CallbackForm | null) => Promise<string | { text: string; screen: string }>) =>
    async ({ request, params }: { request: Request; params: Record<string, string> }) => {
      checkSecret(callbackSecrets, params.secret!);
      const said = await answer(await readCallback(request));
      const headers = { "content-type": "text/plain", "cache-control": "no-store" };
      if (typeof said === "string") return new Response(said, { headers });
      // Of a session the gateway keeps nothing but the names of its screens, which come back with its end.
      return new Response(said.text, { headers: { ...headers, "at-ussd-hop-metadata": said.screen } });
    };
  return new Elysia()
    .post(
      path("delivery"),
      callback(async (form) => {
        await takeReport(deps.db, form);
        return "";
      }),
      { parse: "none" },
    )
    .post(path("ussd"), callback(screenFor), { parse: "none" })
    .post(
      path("events"),
      callback(async (form) => {
        await takeEnd(form);
        return "";
      }),
      { parse: "none" },
    )
    .post(
      path("inbound"),
      callback(async (form) => {
        await take(form);
        return "";
      }),
      { parse: "none" },
    );
}

// The callback routes for Africa's Talking: /channels/africastalking/<secret>/{delivery,ussd,events,inbound}.
import { Elysia } from "elysia";
import { type CallbackForm, checkSecret, readCallback } from "./africastalking.ts";
import { takeReport } from "./sms/delivery-reports.ts";
import { type SmsDeps, takeSms } from "./sms/inbound.ts";
import { smsRoutes } from "./sms/routes.ts";
import type { UssdDeps } from "./ussd/hop.ts";
import { reports, screens } from "./ussd/routes.ts";

export type ChannelDeps = UssdDeps &
  SmsDeps & {
    /** The address may carry any of these, so that a secret can be replaced without a gap. */
    callbackSecrets: readonly string[];
    /** The same for Arkesel's delivery reports. */
    arkeselSecrets: readonly string[];
  };

/** The routes. With a valid secret each answers 200 in plain text; without one it is a 404, like any unknown page. */
export function channels({ callbackSecrets, arkeselSecrets, ...deps }: ChannelDeps) {
  const [screenFor, takeEnd, take] = [screens(deps), reports(deps), takeSms(deps)];
  const path = (name: string) => `/channels/africastalking/:secret/${name}`;
  const callback =
    (answer: (form: CallbackForm | null) => Promise<string | { text: string; screen: string }>) =>
    async ({ request, params }: { request: Request; params: Record<string, string> }) => {
      checkSecret(callbackSecrets, params.secret!);
      const reply = await answer(await readCallback(request));
      const headers = { "content-type": "text/plain", "cache-control": "no-store" };
      if (typeof reply === "string") return new Response(reply, { headers });
      // The gateway returns this header with the report on the session's end, so it holds only the screen's name.
      return new Response(reply.text, { headers: { ...headers, "at-ussd-hop-metadata": reply.screen } });
    };
  return new Elysia()
    .use(smsRoutes({ db: deps.db, callbackSecrets, arkeselSecrets }))
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

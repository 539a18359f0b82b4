// The callback routes: /channels/africastalking/<secret>/{delivery,ussd,events,inbound}, and /channels/<gateway>/
// <secret>/ussd for each other gateway that has a secret.
import { Elysia } from "elysia";
import { type GatewaySecrets, isAmongSecrets } from "../src/core/messaging/callbacks.ts";
import * as gatewayPlaces from "../src/core/messaging/gateway-places.ts";
import { countUnreadable } from "../src/core/messaging/unreadable.ts";
import { AppError } from "../src/shared/errors/app-error.ts";
import { USSD_ONLY_GATEWAYS, type UssdGatewayName, type UssdOnlyGateway } from "../src/shared/phones/ussd-gateways.ts";
import { type CallbackForm, checkSecret, readCallback } from "./africastalking.ts";
import { GATEWAYS } from "./gateways/index.ts";
import { takeReport } from "./sms/delivery-reports.ts";
import { type SmsDeps, takeSms } from "./sms/inbound.ts";
import { smsRoutes } from "./sms/routes.ts";
import type { UssdDeps } from "./ussd/hop.ts";
import { reports, screens } from "./ussd/routes.ts";

type Secrets = {
  /** The address may carry any of these, so that a secret can be replaced without a gap. */
  callbackSecrets: readonly string[];
  /** The same for the other gateways; one without a secret has no route. */
  gatewaySecrets: GatewaySecrets;
  /** The same for Arkesel's delivery reports. */
  arkeselSecrets: readonly string[];
};

export type ChannelDeps = UssdDeps &
  SmsDeps &
  Secrets & {
    /** The caller's network address. */
    addressOf: (request: Request) => string;
  };

/** Returns whether a path is one where a gateway brings what phones send, which is then counted by phone. */
export function bringsPhones({ callbackSecrets, gatewaySecrets }: Omit<Secrets, "arkeselSecrets">) {
  const secretsOf = (name: string): readonly string[] =>
    name === "africastalking" ? callbackSecrets : (gatewaySecrets[name as UssdOnlyGateway] ?? []);
  return (path: string): boolean => {
    const [, name, secret, callback] = /^\/channels\/(\w+)\/([^/]+)\/(ussd|inbound)$/.exec(path) ?? [];
    if (name === undefined || (callback === "inbound" && name !== "africastalking")) return false;
    return isAmongSecrets(secretsOf(name), secret!);
  };
}

type Call = { request: Request; params: Record<string, string> };

/** The routes. With a valid secret each answers at once; without one it is a 404, like any unknown page. */
export function channels({ callbackSecrets, gatewaySecrets, arkeselSecrets, ...deps }: ChannelDeps) {
  const [answerHop, takeEnd, takeInbound] = [screens(deps), reports(deps), takeSms(deps)];
  const mayCall = (name: UssdGatewayName, request: Request) =>
    gatewayPlaces.mayCall(deps.db, name, deps.addressOf(request));
  /** Throws request.not_found, so that a gateway whose list is wrong sends its SMS again. */
  const checkPlace = async (name: "africastalking" | "arkesel", request: Request) => {
    if (await mayCall(name, request)) return;
    deps.countNetwork(request);
    countUnreadable(deps.db, name);
    throw new AppError("request.not_found");
  };
  /** Answers 200 with nothing, whatever was sent, because Africa's Talking resends whatever got another status. */
  const acknowledge =
    (take: (form: CallbackForm | null, request: Request) => Promise<unknown>) =>
    async ({ request, params }: Call) => {
      checkSecret(callbackSecrets, params.secret!);
      await checkPlace("africastalking", request);
      await take(await readCallback(request), request);
      return new Response("", { headers: { "content-type": "text/plain", "cache-control": "no-store" } });
    };
  const hop =
    (name: UssdGatewayName, secrets: readonly string[]) =>
    ({ request, params }: Call) => {
      checkSecret(secrets, params.secret!);
      return answerHop(GATEWAYS[name], request, () => mayCall(name, request));
    };
  const path = (name: UssdGatewayName, callback: string) => `/channels/${name}/:secret/${callback}`;
  const raw = { parse: "none" } as const;
  const routes = new Elysia()
    .use(smsRoutes({ db: deps.db, callbackSecrets, arkeselSecrets, checkPlace }))
    .post(
      path("africastalking", "delivery"),
      acknowledge((form) => takeReport(deps.db, form)),
      raw,
    )
    .post(path("africastalking", "ussd"), hop("africastalking", callbackSecrets), raw)
    .post(path("africastalking", "events"), acknowledge(takeEnd), raw)
    .post(path("africastalking", "inbound"), acknowledge(takeInbound), raw);
  for (const name of USSD_ONLY_GATEWAYS) {
    const secrets = gatewaySecrets[name] ?? [];
    if (secrets.length > 0) routes.post(path(name, "ussd"), hop(name, secrets), raw);
  }
  return routes;
}

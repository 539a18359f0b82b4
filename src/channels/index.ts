// The doors that Africa's Talking calls: /channels/africastalking/<secret>/<what it tells>.
import { Elysia } from "elysia";
import type { Db } from "../../db/connect.ts";
import { type CallbackForm, checkSecret, readCallback } from "./africastalking.ts";

export type ChannelDeps = {
  db: Db;
  /** Any of these may stand in the address. */
  callbackSecrets: readonly string[];
};

/** Every one answers 200 in plain words once the secret is right, and is unknown (404) to whoever does not know it. */
export function channels({ callbackSecrets }: ChannelDeps) {
  const path = (what: string) => `/channels/africastalking/:secret/${what}`;
  const callback =
    (answer: (form: CallbackForm | null) => Promise<string>) =>
    async ({ request, params }: { request: Request; params: Record<string, string> }) => {
      checkSecret(callbackSecrets, params.secret!);
      const words = await answer(await readCallback(request));
      return new Response(words, { headers: { "content-type": "text/plain", "cache-control": "no-store" } });
    };
  return new Elysia().post(
    path("delivery"),
    callback(async () => ""),
    { parse: "none" },
  );
}

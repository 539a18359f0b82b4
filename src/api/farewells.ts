// The route by which a live shop lets its sandbox know that an account has left. It is between the two servers, so
// programs do not read about it.
import { Elysia } from "elysia";
import type { Db } from "../../db/connect.ts";
import * as twins from "../core/identity/twins.ts";
import { FAREWELL_PATH } from "../core/sandbox/client.ts";
import { leaverOf, type PassKeys } from "../core/sandbox/passes.ts";
import type { KeyMode } from "../shared/api-keys.ts";
import { AppError } from "../shared/errors/app-error.ts";

/** The route, in a sandbox; none in a live shop. The pass says who has left: an owner's own does not do. */
export function farewells({ db, keyMode, passKeys }: { db: Db; keyMode: KeyMode; passKeys: PassKeys }) {
  const app = new Elysia();
  if (keyMode === "live") return app;
  return app.post(
    FAREWELL_PATH,
    async ({ request }) => {
      const [, pass = ""] = /^Bearer (\S+)$/.exec(request.headers.get("authorization") ?? "") ?? [];
      const liveUserId = leaverOf(passKeys, pass);
      if (liveUserId === null) throw new AppError("auth.required");
      await twins.close(db, liveUserId);
      return Response.json({ heard: true });
    },
    { parse: "none" },
  );
}

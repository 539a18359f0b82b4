// What every page shares.
import type { Db } from "../../db/connect.ts";
import type { By } from "../shared/domain.ts";

/** Who looks at a page. */
export type Viewer = { by: By; sessionId: string; isCookie: boolean; username: string; email: string };

export type WebDeps = {
  db: Db;
  baseUrl: string | null;
  /** The viewer by the session cookie; null without one. Throws auth.session_ended for one that is over. */
  identify: (request: Request) => Promise<Viewer | null>;
  addressOf: (request: Request) => string;
  sign: (sessionId: string) => Promise<string>;
  cookieName: string;
  requestIdOf: (request: Request) => string;
};

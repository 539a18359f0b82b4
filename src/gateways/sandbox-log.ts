// The sandbox's log of requests for a live shop's pages: kept there, and reached by its API as its owner's twin.
import type { LoggedRequest, RequestFilter, RequestLog, WholeRequest } from "../core/requests/queries.ts";
import type { SandboxClient } from "../core/sandbox/client.ts";
import type { LiveOwner } from "../core/sandbox/passes.ts";
import type { ByUser } from "../shared/domain.ts";

/** A request as /api/v1/requests gives it. */
type Presented = Omit<LoggedRequest, "userId" | "at" | "isReplayed"> & { at: string; replayed: boolean };
type PresentedWhole = Presented & Pick<WholeRequest, "requestBody" | "answerBody">;

const PATH = "/api/v1/requests";

/** Creates the log; `usernameOf` gives the name of a live account. Its functions throw as `sandbox.call`. */
export function createSandboxLog(sandbox: SandboxClient, usernameOf: (userId: number) => Promise<string>): RequestLog {
  const ownerOf = async ({ userId }: ByUser): Promise<LiveOwner> => ({
    userId,
    username: await usernameOf(userId),
  });
  return {
    list: async (by, filter, { cursor, limit }) => {
      const query = queryOf(filter);
      query.set("limit", String(limit));
      if (cursor !== undefined) query.set("cursor", String(cursor));
      const { rows, next } = await sandbox.page<Presented>(await ownerOf(by), `${PATH}?${query}`);
      return { rows: rows.map((row) => read(row, by)), next };
    },
    get: async (by, id) => {
      const call = { method: "GET", path: `${PATH}/${id}` } as const;
      const { requestBody, answerBody, ...row } = await sandbox.call<PresentedWhole>(await ownerOf(by), call);
      return { ...read(row, by), requestBody, answerBody };
    },
  };
}

function read({ at, replayed, ...row }: Presented, { userId }: ByUser): LoggedRequest {
  return { ...row, userId, at: new Date(at), isReplayed: replayed };
}

function queryOf({ status, from, to, ...filter }: RequestFilter): URLSearchParams {
  const given: Record<string, string | number | undefined> = {
    ...filter,
    // The first digit of a class stands for all of it.
    status: status !== undefined && status < 10 ? `${status}xx` : status,
    from: from?.toISOString(),
    to: to?.toISOString(),
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, String(value));
  return query;
}

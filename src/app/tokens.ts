// The tokens of logins.
import { SESSION_SECONDS } from "../core/identity/logins/sessions.ts";

export type Tokens = {
  sign: (sessionId: string) => Promise<string>;
  verify: (token: string) => Promise<string | null>;
};

/** Tokens are JWTs that carry only a session's id: signed with the first secret (HS256), valid under any. */
export function tokenService(secrets: string[]): Tokens {
  // Loaded with the first token: a start, above all after a crash, waits for none of it.
  const load = async () => {
    const { jwt } = await import("@elysiajs/jwt");
    return secrets.map((secret) => jwt({ name: "jwt", secret, alg: "HS256" }).decorator.jwt);
  };
  let loading: ReturnType<typeof load> | undefined;
  const services = () => (loading ??= load());
  return {
    sign: async (sessionId) => (await services())[0]!.sign({ jti: sessionId, iat: true, exp: `${SESSION_SECONDS}s` }),
    verify: async (token) => {
      for (const { verify } of await services()) {
        const payload = await verify(token, { algorithms: ["HS256"] });
        if (payload && typeof payload.jti === "string") return payload.jti;
      }
      return null;
    },
  };
}

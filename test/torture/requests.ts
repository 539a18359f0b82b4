// The clients' manner of sending requests: under one key in many ways, until there is an answer, and forms like a
// browser.
import { type Caller, type Hand, pick, serverFor } from "./hand.ts";
import { type Answer, isPassing, isRefusal, isSuccess, type Operation, stateOf } from "./operations.ts";

export const PATIENCE_MS = 15_000;
/** Once everything runs again, a request without an answer after this was forgotten. */
const LAST_WORD_MS = 90_000;

/**
 * Sends a request under one key in the manner of some client: most insist until they are answered, some send
 * everything twice at once, some hang up, and some give up. Returns the acknowledgement, or null.
 */
export async function perform(
  hand: Hand,
  operation: Operation,
  callerId: number,
  method: string,
  path: string,
  body: unknown,
): Promise<Answer | null> {
  const key = crypto.randomUUID();
  const manner = pick(hand.random, MANNERS);
  let haste = manner === "hasty" ? HANG_UPS : 0;
  const once = () => request(hand, callerId, method, path, body, key, haste-- > 0);
  const keep = (answer: Answer | null) => {
    if (answer) operation.answers.push(answer);
    else operation.lost += 1;
  };
  for (let tries = 0; isWorthTrying(hand, tries, manner, operation.answers.at(-1)); tries++) {
    const copies = manner === "double" ? 2 : 1;
    const answers = await Promise.all(Array.from({ length: copies }, once));
    for (const answer of answers) keep(answer);
    if (answers.some((answer) => answer && (isSuccess(answer) || isRefusal(answer)))) break;
    await Bun.sleep(20 + hand.random(100));
  }
  operation.state = stateOf(operation);
  const done = operation.answers.find(isSuccess) ?? null;
  if (done) {
    hand.repeatable.push({ operation, again: once, atMs: performance.now() });
    if (hand.repeatable.length > 400) hand.repeatable.shift();
  }
  return done;
}

type Manner = "insists" | "double" | "hasty" | "gives up";
/** How often somebody hangs up before they wait for the answer after all. */
const HANG_UPS = 2;
const MANNERS: [number, Manner][] = [
  [70, "insists"],
  [12, "double"],
  [12, "hasty"],
  [6, "gives up"],
];

export function isWorthTrying({ sent, clients }: Hand, tries: number, manner: Manner, last?: Answer | null): boolean {
  if (tries > 0 && manner === "gives up") return false;
  const isForgotten = sent.isOver && performance.now() - sent.overSinceMs > LAST_WORD_MS;
  if (isForgotten)
    clients.seen.push({
      rule: "every request is answered",
      detail: `${tries} tries, the last ${last?.status} ${last?.code}`,
    });
  return !isForgotten;
}

/** Repeats a request without a key until there is an answer, for requests that may be repeated. */
export async function insist(
  hand: Hand,
  callerId: number,
  method: string,
  path: string,
  body: unknown,
): Promise<Answer | null> {
  let answer: Answer | null = null;
  for (let tries = 0; isWorthTrying(hand, tries, "insists", answer); tries++) {
    answer = await request(hand, callerId, method, path, body);
    if (answer && !isPassing(answer) && answer.status < 500) return answer;
    await Bun.sleep(20 + hand.random(100));
  }
  return null;
}

/** One request to one of the servers; null if there was no answer. An internal error is recorded. */
export async function request(
  hand: Hand,
  callerId: number,
  method: string,
  path: string,
  body: unknown,
  key?: string,
  isHasty = false,
): Promise<Answer | null> {
  const caller = hand.callers.get(callerId)!;
  const token = await tokenOf(hand, caller);
  if (!token) return null;
  const headers = { authorization: `Bearer ${token}`, ...(key && { "idempotency-key": key }) };
  const patienceMs = isHasty ? 2 + hand.random(60) : PATIENCE_MS;
  const answer = await send(hand, caller, { method, path, body, headers, patienceMs });
  if (answer?.status === 401) caller.token = null;
  return answer;
}

export async function tokenOf(hand: Hand, caller: Caller): Promise<string | null> {
  caller.token ??= (async () => {
    const { email, password } = caller;
    const ask = { method: "POST", path: "/auth/login", body: { email, password } };
    const answer = await send(hand, caller, { ...ask, headers: {}, patienceMs: PATIENCE_MS });
    if (answer?.status === 200) return answer.body.token as string;
    caller.token = null;
    return "";
  })();
  return (await caller.token) || null;
}

type Request = {
  method: string;
  path: string;
  body: unknown;
  headers: Record<string, string>;
  patienceMs: number;
};

async function send(hand: Hand, caller: Caller, ask: Request): Promise<Answer | null> {
  const { method, path, body, headers, patienceMs } = ask;
  hand.sent.count += 1;
  const sentAtMs = performance.now();
  try {
    const response = await fetch(`${serverFor(hand).url}/api/v1${path}`, {
      method,
      headers: {
        ...headers,
        "x-forwarded-for": caller.address,
        // Counts where staff have to prove again who they are: hours of the shop pass within minutes.
        "x-confirm": caller.password,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(patienceMs),
    });
    const text = await response.text();
    const content = JSON.parse(text);
    const answer = { sentAtMs, atMs: performance.now(), status: response.status, body: content };
    checkRefusal(hand, response, `${method} ${path}`);
    return { ...answer, code: response.status < 400 ? null : (content.code ?? null) };
  } catch {
    return null;
  }
}

/** Whatever is down, the shop answers with its own message, and says when to try again. */
export function checkRefusal({ clients }: Hand, response: Response, subject: string): void {
  if (response.status < 500) return;
  if (response.status !== 503)
    clients.seen.push({ rule: "no answer is an internal error", detail: `${subject}: ${response.status}` });
  else if (!response.headers.has("retry-after"))
    clients.seen.push({ rule: "a 503 names a time to try again", detail: subject });
}

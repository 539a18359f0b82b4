// The wait for a request's answer. Once it is over, no transaction of that request commits any more: what was answered
// with "nothing was done" stays undone, however long a lock, a connection or a slow statement held the work up.
import { AsyncLocalStorage } from "node:async_hooks";
import type postgres from "postgres";

/** Somebody waits for an answer: for how long, and what of the request may be lasting by now. */
export class Wait {
  private isOver = false;
  /** Acts under way: work of which the whole is done in one commit, or not at all. */
  private acts = 0;
  /** Commits of acts that were sent: done, or on their way. */
  private sent = 0;

  /** `until` is a moment of performance.now(). */
  constructor(private readonly until: number) {}

  /** How much time is left, in ms; nothing once the wait is over. */
  msLeft(): number {
    return this.isOver ? 0 : Math.max(0, this.until - performance.now());
  }

  /** Ends the wait. True: an act was under way that is not committed and never will be, and none was before. */
  end(): boolean {
    this.isOver = true;
    return this.acts > 0 && this.sent === 0;
  }

  beginAct(): void {
    this.acts += 1;
  }

  endAct(): void {
    this.acts -= 1;
  }

  /** To be called right before a commit is sent. Throws WaitOver. */
  send(): void {
    if (this.isOver) throw new WaitOver();
    if (this.acts > 0) this.sent += 1;
  }

  /** What was sent has turned out to have done nothing. */
  takeBack(): void {
    this.sent -= 1;
  }
}

/** The answer was given before this could be committed; it is undone. */
export class WaitOver extends Error {
  override name = "WaitOver";
}

const waits = new AsyncLocalStorage<Wait | null>();

/** The wait that the present work is part of; null for what nobody waits for, such as the worker's. */
export function currentWait(): Wait | null {
  return waits.getStore() ?? null;
}

/** Does `work` as part of this wait; with null as part of none, whoever set it off. */
export function inWait<T>(wait: Wait | null, work: () => T): T {
  return waits.run(wait, work);
}

type Begin = (options: string, work: (sql: postgres.TransactionSql) => unknown) => Promise<unknown>;

/** Makes every transaction of this client ask, before it commits, whether its answer is still waited for. */
export function commitInTime<Client extends postgres.Sql>(client: Client): Client {
  const begin = client.begin as Begin;
  const inTime: Begin = (options, work) =>
    begin(options, async (sql) => {
      const wait = currentWait();
      const answer = await work(sql);
      wait?.send();
      return answer;
    });
  return Object.assign(client, {
    begin: (first: string | Parameters<Begin>[1], second?: Parameters<Begin>[1]) =>
      typeof first === "string" ? inTime(first, second!) : inTime("", first),
  });
}

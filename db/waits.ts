// The wait for a request's answer. Once it is over, no transaction of that request commits any more: an answer of
// "nothing was done" stays true, however long a lock, a connection or a slow statement delayed the work.
import { AsyncLocalStorage } from "node:async_hooks";
import type postgres from "postgres";

/** A caller's wait: its deadline, and which effects of the request may already be permanent. */
export class Wait {
  private isOver = false;
  /** Acts under way: work done in one commit or not at all. */
  private acts = 0;
  /** Commits of acts that were sent, and may be done. */
  private sent = 0;

  /** `deadline` is a moment of performance.now(). */
  constructor(private readonly deadline: number) {}

  /** The time left, in ms; 0 once the wait is over. */
  msLeft(): number {
    return this.isOver ? 0 : Math.max(0, this.deadline - performance.now());
  }

  /** Ends the wait. True when an act was under way and no act was or will be committed. */
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

  /** Call this right before a commit is sent. Throws WaitOver. */
  send(): void {
    if (this.isOver) throw new WaitOver();
    if (this.acts > 0) this.sent += 1;
  }

  /** The sent commit has turned out to have no effect. */
  takeBack(): void {
    this.sent -= 1;
  }
}

/** Thrown when the answer was given before the commit; the transaction rolls back. */
export class WaitOver extends Error {
  override name = "WaitOver";
}

const waits = new AsyncLocalStorage<Wait | null>();

/** The wait that the current work belongs to; null for work that nobody waits for, such as the worker's. */
export function currentWait(): Wait | null {
  return waits.getStore() ?? null;
}

/** Runs `work` as part of this wait, or of none. */
export function inWait<T>(wait: Wait | null, work: () => T): T {
  return waits.run(wait, work);
}

type Begin = (options: string, work: (sql: postgres.TransactionSql) => unknown) => Promise<unknown>;

/** Makes every transaction of this client check before its commit that its answer is still awaited. */
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

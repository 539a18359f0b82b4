// Who proved who they are, and who could not: told within the process to whoever listens, which is the log. A name, a
// password, a code or a PIN is never part of it.
import { channel, subscribe, unsubscribe } from "node:diagnostics_channel";
import { AppError } from "../../shared/errors/app-error.ts";

/** What was to be proved, and by what. */
export type Proof = "login" | "second factor" | "own password" | "new password by code" | "PIN";

export type SecurityEvent = {
  proof: Proof;
  /** "accepted", or why not: a code of the catalogue, or what became of a PIN. */
  outcome: string;
  /** Null where nobody is meant, as by an e-mail that no account has. */
  userId: number | null;
  address?: string;
};

/** An event whose outcome nobody knows yet. */
export type Attempt = Omit<SecurityEvent, "outcome">;

const CHANNEL = "datafie.security";
const events = channel(CHANNEL);

/** Tells one event. */
export function tell(event: SecurityEvent): void {
  events.publish(event);
}

/**
 * Runs a proof and tells how it ended; what it returns or throws is passed on. `attempt.userId` may be filled in on the
 * way. A fault of ours is no outcome, and is not told.
 */
export async function witnessed<T>(attempt: Attempt, run: () => Promise<T>): Promise<T> {
  try {
    const result = await run();
    tell({ ...attempt, outcome: "accepted" });
    return result;
  } catch (error) {
    if (error instanceof AppError) tell({ ...attempt, outcome: error.code });
    throw error;
  }
}

/** Calls the listener with each event of this process from now on; returns what ends that. */
export function listen(listener: (event: SecurityEvent) => void): () => void {
  const heard = (event: unknown) => listener(event as SecurityEvent);
  subscribe(CHANNEL, heard);
  return () => void unsubscribe(CHANNEL, heard);
}

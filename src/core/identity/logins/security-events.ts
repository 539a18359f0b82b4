// Security events: successful and failed authentication, published within the process for the log. Never with a name, a
// password, a code or a PIN.
import { channel, subscribe, unsubscribe } from "node:diagnostics_channel";
import { AppError } from "../../../shared/errors/app-error.ts";

/** The kind of authentication. */
export type Proof = "login" | "second factor" | "own password" | "new password by code" | "PIN";

export type SecurityEvent = {
  proof: Proof;
  /** "accepted", an error code, or the verdict on a PIN. */
  outcome: string;
  /** Null when no account matches, as for an unknown e-mail. */
  userId: number | null;
  address?: string;
};

/** An event whose outcome is not known yet. */
export type Attempt = Omit<SecurityEvent, "outcome">;

const CHANNEL = "datafie.security";
const events = channel(CHANNEL);

/** Publishes an event. */
export function publish(event: SecurityEvent): void {
  events.publish(event);
}

/**
 * Runs an authentication and publishes its outcome; passes on what it returns or throws. `run` may fill in
 * `attempt.userId`. Internal faults are not outcomes and are not published.
 */
export async function published<T>(attempt: Attempt, run: () => Promise<T>): Promise<T> {
  try {
    const result = await run();
    publish({ ...attempt, outcome: "accepted" });
    return result;
  } catch (error) {
    if (error instanceof AppError) publish({ ...attempt, outcome: error.code });
    throw error;
  }
}

/** Calls the listener with each event of this process; returns a function that stops it. */
export function listen(listener: (event: SecurityEvent) => void): () => void {
  const handler = (event: unknown) => listener(event as SecurityEvent);
  subscribe(CHANNEL, handler);
  return () => void unsubscribe(CHANNEL, handler);
}

// Shared by the simulators of Arkesel and Hubtel: what they accepted, the faults of their next calls, and the fate of a
// message by the last two digits of its number.
import type { Sms } from "./africastalking.ts";
import { type Call, listen, type Outcome, type Reply } from "./http.ts";

/** What happens to the connection, before or after the message is accepted. */
export type Fault = "hang" | "hangAfter" | "dropBefore" | "dropAfter" | "http500" | "noCredit" | "refused" | "html200";

export type SmsSimulator = {
  url: string;
  /** Every accepted message, oldest first, including those whose answer was lost. */
  messages: () => Sms[];
  /** Faults for the next calls, whatever their number, in order. */
  next: (...faults: Fault[]) => void;
  reset: () => void;
  stop: () => Promise<void>;
};

export type Wire = {
  port: number;
  /** The fault of a number by its last two digits. */
  fates: Record<string, Fault>;
  /** Refuses what is not a valid request. */
  refusalOf: (call: Call) => Reply | null;
  /** The message in a valid request. */
  read: (call: Call) => { to: string; from: string; message: string };
  accepted: (message: Sms, call: Call) => Reply;
  faulty: (fault: "http500" | "noCredit" | "refused") => Reply;
};

/** Starts a simulator of one wire. Numbers are kept as +233541234567, whatever their notation on the wire. */
export async function startWire(wire: Wire): Promise<SmsSimulator> {
  const kept: Sms[] = [];
  const faults: Fault[] = [];
  const server = await listen(wire.port, async (call): Promise<Outcome> => {
    const refusal = wire.refusalOf(call);
    if (refusal) return refusal;
    const { to, ...sent } = wire.read(call);
    const fault = faults.shift() ?? wire.fates[to.slice(-2)] ?? null;
    if (fault === "hang") return "hang";
    if (fault === "dropBefore") return "drop";
    if (fault === "http500" || fault === "noCredit" || fault === "refused") return wire.faulty(fault);
    const message: Sms = {
      ...{ messageId: crypto.randomUUID(), to: `+${to}`, ...sent },
      ...{ at: new Date(), reports: [] },
    };
    kept.push(message);
    if (fault === "dropAfter") return "drop";
    if (fault === "hangAfter") return "hang";
    const reply = wire.accepted(message, call);
    return fault === "html200" ? { ...reply, body: "<html>OK</html>" } : reply;
  });
  return {
    url: server.url,
    messages: () => structuredClone(kept),
    next: (...more) => faults.push(...more),
    reset: () => {
      kept.length = 0;
      faults.length = 0;
    },
    stop: server.stop,
  };
}

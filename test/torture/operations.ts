// The clients' answers, and nothing else: the evidence that the checker compares with the database.

/** One bundle for one number. Numbers are never used twice, so that every order in the shop is one client's line. */
export type Line = { productId: number; msisdn: string; quantity: number; amountPesewas: number };

/** An answer, with the times of its request and arrival (milliseconds, one clock). */
export type Answer = {
  sentAtMs: number;
  atMs: number;
  status: number;
  code: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: bodies have many shapes, and a wrong access is a violation.
  body: any;
};

/**
 * One operation of a client, however often it was sent. `done`: acknowledged. `refused`: every request was answered,
 * none acknowledged. `unknown`: requests were lost, so it may have happened or not, but whole.
 */
export type Operation = {
  kind:
    | ("purchase" | "bulk" | "upload" | "order" | "spend" | "checkout" | "ussd" | "top-up")
    // A late result is about an order of a desk batch that an admin refunded before.
    | ("cancel" | "fail" | "process" | "late");
  agentId: number;
  /** The lines to buy; empty for other operations. */
  lines: Line[];
  /** The order that it is about: of a cancellation, and of an acknowledged purchase of one line. */
  orderIds: number[];
  answers: Answer[];
  lost: number;
  state: "done" | "refused" | "unknown";
  /** Of a top-up or checkout: its reference, and the amount that Paystack showed the payer. */
  payment?: { id: number; reference: string; amountPesewas: number; isPaid: boolean };
};

/** An observation that must never occur, whatever was broken at the time. */
export type Violation = { rule: string; detail: string };

export const isSuccess = ({ status }: Answer) => status < 400;
/** Told to wait, to sign in or to try again: the outcome is still open. */
export const isPassing = (answer: Answer) =>
  [401, 503].includes(answer.status) ||
  (answer.status === 429 && !isPutOff(answer)) ||
  answer.code === "request.in_progress";
/** Told to come again much later, because a budget of hours or of a day is used up: a refusal. */
const isPutOff = ({ body }: Answer) => body.details?.retryAfterSeconds > PUT_OFF_SECONDS;
const PUT_OFF_SECONDS = 900;
/** A refusal that says what is wrong with the request. */
export const isRefusal = (answer: Answer) => !isSuccess(answer) && !isPassing(answer) && answer.status < 500;

/** Told that nothing was done, and that nothing will be. */
const isUndone = ({ code }: Answer) => code === "service.busy";

/** An operation's outcome by its answers. */
export function stateOf({ answers, lost }: Pick<Operation, "answers" | "lost">): Operation["state"] {
  if (answers.some(isSuccess)) return "done";
  const isRefused = answers.some(isRefusal) || (answers.length > 0 && answers.every(isUndone));
  return lost === 0 && isRefused ? "refused" : "unknown";
}

export const pesewasOf = (cedis: number) => Math.round(cedis * 100);

/** Numbers that never repeat; the last four digits have effects at the simulated vendors. */
export function numbers() {
  let plainCount = 0;
  let troubledCount = 0;
  const prefixes = ["54", "24", "55", "59"];
  return {
    /** One without an effect. */
    plain: (): string => {
      // Endings below 0100 are reserved for effects.
      const serial = 1_000_000 + plainCount + Math.floor(plainCount / 9_900) * 100 + 100;
      plainCount += 1;
      return `0${prefixes[serial % 4]}${serial}`;
    },
    troubled: (ending: string): string => {
      const serial = troubledCount++;
      return `0${prefixes[serial % 4]}${String(Math.floor(serial / 4) % 1000).padStart(3, "0")}${ending}`;
    },
    /** How many there are before one would repeat. */
    troubledLeft: () => 4_000 - troubledCount,
  };
}
export type Numbers = ReturnType<typeof numbers>;

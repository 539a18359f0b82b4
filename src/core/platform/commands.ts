// Commands: what somebody can do, each declared once. The right, idempotency over the whole input, the entry in the
// log of changes, the second person and the errors of constraints follow from the declaration; so do the body of the
// API, the fields of the form, and the tests over all commands.
import { type Db, databaseError, type Tx } from "../../../db/connect.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError, type ErrorCode } from "../../shared/errors/app-error.ts";
import { decoded, encoded, type Fields, type Plain, type Values } from "../../shared/fields.ts";
import { type Right, requireConfirmed, requireRight } from "../../shared/rights.ts";
import * as auditLog from "./audit-log.ts";
import * as secondPerson from "./colleagues/second-person.ts";
import { type Answered, type Key, once } from "./idempotency.ts";

/** Without a key, a repeat does it again. */
export type Caller = { by: ByUser; key?: Key | null | undefined };

/** What a command works with, in its transaction. */
export type Work = {
  tx: Tx;
  by: ByUser;
  /** Writes the entry in the log of changes; its action is the command's name unless another is given. */
  audit: (subjectId: string | number, change?: { action?: string; before?: unknown; after?: unknown }) => Promise<void>;
  /** Asks for a second person, as secondPerson.require; null for what turns out to need nobody. */
  agree: (ask: Question | null) => Promise<void>;
};
/** `right`: what a decider needs where that is more than the command's own. */
export type Question = Omit<secondPerson.Ask, "kind" | "right" | "command"> & Partial<Pick<secondPerson.Ask, "right">>;

/** `Needs`: what the server has and the command works with, beside its input: the vendors that are configured. */
export type Declared<F extends Fields = Fields, Answer = unknown, Needs extends object = object> = {
  /** Its subject and its verb: "cash.hand_in". */
  name: string;
  /** Null: what anybody may do with what is their own, which `run` checks. */
  right: Right | null;
  /** A sentence for the documents: what it does. */
  about: string;
  /** What it concerns, in the log of changes; left out by what is not logged. */
  subject?: auditLog.SubjectType;
  /** What it is called in the log besides its name. */
  logs?: readonly string[];
  /** Fields by their names in the core; `as` gives one another name outside. */
  input: F;
  /** What it refuses for its own reasons, beside what follows from the rest. */
  errors: readonly ErrorCode[];
  /** Takes a fresh proof of who calls, whatever the input. */
  isConfirmed?: boolean;
  /** The error of a constraint that two at the same moment run into, made where it names a field. */
  constraints?: Record<string, ErrorCode | (() => AppError)>;
  /** What a request for a second person is called; without it, it never takes one. */
  asks?: string;
  /** Locks that all code takes before idempotency keys: a buyer's wallet. */
  lockFirst?: (tx: Tx, input: Values<F>) => Promise<void>;
  run: (work: Work & Needs, input: Values<F>) => Promise<Answer>;
  /**
   * What undoes it, from its entries in the log of changes: itself with the values of before, or its opposite; null
   * where nothing brings back what was. Nobody declares it for what moves money.
   */
  undo?(...entries: [Logged, ...Logged[]]): Values<F> | Opposite | null;
  /** What follows the commit: other processes' knowledge, or a wait until it holds. Not for a repeat, nor `within`. */
  afterwards?: (db: Db, answer: Answer, input: Values<F>) => Promise<void>;
};

/** An entry in the log of changes: what it was about, and how that was before and afterwards, as JSON. */
export type Logged<State = unknown> = { subjectId: string; before: State; after: State };

/** What undoes a command where that is another one. */
export class Opposite {
  constructor(
    readonly command: Command,
    readonly values: Values<Fields>,
  ) {}
}

/** Another command, with its values, as what undoes one. */
export function opposite<F extends Fields, Answer>(command: Command<F, Answer>, values: Values<F>): Opposite {
  return new Opposite(command as unknown as Command, values);
}

/** A command is called with its values; `within` runs it in the caller's transaction, without a key. */
export type Command<F extends Fields = Fields, Answer = unknown, Needs extends object = object> = {
  (db: Db, call: Caller & Needs & Values<F>): Promise<Answered<Answer>>;
  within: (tx: Tx, by: ByUser, values: Needs & Values<F>) => Promise<Answer>;
  declared: Declared<F, Answer, Needs>;
};

const registry = new Map<string, Command>();

/**
 * Declares a command. Called, it throws auth.forbidden, auth.confirm_needed where declared, request.invalid for values
 * that are not of its input, its own errors, request.key_reused and request.in_progress with a key, service.busy, and
 * as secondPerson.require where it asks.
 */
export function command<F extends Fields, Answer, Needs extends object = object>(
  declared: Declared<F, Answer, Needs>,
): Command<F, Answer, Needs> {
  const { name, input, run, lockFirst, afterwards } = declared;
  if (registry.has(name)) throw new Error(`there are two commands ${name}`);
  /** Runs once it is admitted: with its values, as they were checked, and as plain JSON. */
  const admitted = <T>(by: ByUser, given: object, work: (values: Values<F>, plain: Plain) => Promise<T>) =>
    refusing(declared, async () => {
      if (declared.right) requireRight(by, declared.right);
      if (declared.isConfirmed) requireConfirmed(by);
      const plain = encoded(input, given);
      return work(decoded(input, plain), plain);
    });
  const made: Command<F, Answer, Needs> = Object.assign(
    (db: Db, { by, key = null, ...given }: Caller & Needs & Values<F>) =>
      admitted(by, given, async (values, plain) => {
        const work = (tx: Tx) => run({ ...needsOf<Needs>(input, given), ...workOf(tx, by, declared, plain) }, values);
        const done = await once(db, by.userId, key, [name, plain], work, lockFirst && ((tx) => lockFirst(tx, values)));
        if (!done.replayed) await afterwards?.(db, done.answer, values);
        return done;
      }),
    {
      within: (tx: Tx, by: ByUser, given: Needs & Values<F>) =>
        admitted(by, given, (values, plain) =>
          run({ ...needsOf<Needs>(input, given), ...workOf(tx, by, declared, plain) }, values),
        ),
      declared,
    },
  );
  registry.set(name, made as unknown as Command);
  return made;
}

/** The commands that have been declared by the modules loaded so far. */
export function commands(): Command[] {
  return [...registry.values()];
}

/** The command of a name; undefined when there is none. */
export function commandOf(name: string): Command | undefined {
  return registry.get(name);
}

/** Errors that any command may refuse with. */
const COMMON: readonly string[] = [
  "auth.forbidden",
  "request.invalid",
  "request.key_reused",
  "request.in_progress",
  "service.busy",
  "account.frozen",
];
const OF_ASKING = /^(?:approval\.|auth\.confirm_needed$|auth\.own_account$|auth\.banned$)/;

let onUndeclared = (_name: string, _code: ErrorCode): void => {};

/** For tests: what happens when a command refuses with an error that it does not declare. */
export function watchUndeclared(listener: typeof onUndeclared): void {
  onUndeclared = listener;
}

async function refusing<F extends Fields, A, N extends object, T>(
  declared: Declared<F, A, N>,
  work: () => Promise<T>,
): Promise<T> {
  const { name, errors, constraints = {}, asks, isConfirmed } = declared;
  try {
    return await work();
  } catch (error) {
    const refusal = constraints[databaseError(error)?.constraint ?? ""];
    if (refusal) throw typeof refusal === "string" ? new AppError(refusal) : refusal();
    if (error instanceof AppError) {
      const isKnown =
        COMMON.includes(error.code) ||
        errors.includes(error.code) ||
        (isConfirmed && error.code === "auth.confirm_needed") ||
        (asks !== undefined && OF_ASKING.test(error.code));
      if (!isKnown) onUndeclared(name, error.code);
    }
    throw error;
  }
}

/** What is given besides the input. */
function needsOf<Needs>(input: Fields, given: object): Needs {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !(name in input))) as Needs;
}

function workOf<F extends Fields, A, N extends object>(
  tx: Tx,
  by: ByUser,
  declared: Declared<F, A, N>,
  plain: Plain,
): Work {
  const { name, subject, right } = declared;
  return {
    tx,
    by,
    audit: (subjectId, { action = name, ...change } = {}) =>
      auditLog.record(tx, by, [{ action, subjectType: subject!, subjectId, ...change }]),
    agree: (ask) => secondPerson.require(tx, by, ask && { kind: name, right: right!, command: plain, ...ask }),
  };
}

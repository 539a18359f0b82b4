// Says, while a number is typed, which network its prefix was given to. A hint and never a bar: numbers are portable.
import { useRef } from "react";
import { OPERATOR_NAMES, OPERATOR_PATHS, type Operator } from "../src/shared/domain.ts";
import { guessOperator, localMsisdn, parseMsisdn, spacedMsisdn } from "../src/shared/msisdn.ts";
import { useFields } from "./parts/form.ts";

type Props = { operator: Operator; msisdn: string };

export function NumberHint({ operator, msisdn: initially }: Props) {
  const place = useRef<HTMLSpanElement>(null);
  const { msisdn: typed } = useFields(place, { msisdn: initially });
  const { kind, words, over } = hintFor(typed, operator);
  return (
    <span ref={place} className={`live ${kind}`} role="status">
      {words}
      {over && (
        <a href={`${OPERATOR_PATHS[over.operator]}?msisdn=${over.number}`}>
          {`Open ${OPERATOR_NAMES[over.operator]} with this number`}
        </a>
      )}
    </span>
  );
}

type Hint = {
  kind: "none" | "good" | "warn";
  words: string;
  /** The page that the number rather belongs to. */
  over?: { operator: Operator; number: string };
};

function hintFor(typed: string, operator: Operator): Hint {
  const msisdn = parseMsisdn(typed);
  const guess = msisdn ? guessOperator(msisdn) : guessEarly(typed);
  const subject = msisdn ? spacedMsisdn(msisdn) : "This prefix";
  if (guess === operator) return { kind: "good", words: `${subject}: ${OPERATOR_NAMES[operator]}` };
  if (guess) {
    const own = OPERATOR_NAMES[operator];
    const words = `${subject} looks like ${OPERATOR_NAMES[guess]}. If it was moved to ${own}, go on. `;
    return { kind: "warn", words, ...(msisdn && { over: { operator: guess, number: localMsisdn(msisdn) } }) };
  }
  if (msisdn) return { kind: "none", words: subject };
  const isWhole = typed.replace(/\D/g, "").length >= 10;
  return isWhole
    ? { kind: "warn", words: "That is not a Ghana number. It should look like 0541234567." }
    : { kind: "none", words: "" };
}

/** The network as soon as the prefix stands there: 024…, +233 24…. */
function guessEarly(typed: string): Operator | null {
  const prefix = /^(?:\+?233|00233|0)([25]\d)\d{0,6}$/.exec(typed.replace(/[\s\-().]/g, ""))?.[1];
  return prefix ? guessOperator(`233${prefix}`) : null;
}

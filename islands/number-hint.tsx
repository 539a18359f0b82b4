// The hint beside a number field: which network the prefix belongs to. It never blocks, because numbers are portable.
import { useRef } from "react";
import { OPERATOR_NAMES, OPERATOR_PATHS, type Operator } from "../src/shared/domain.ts";
import { guessOperator, localMsisdn, parseMsisdn, spacedMsisdn } from "../src/shared/msisdn.ts";
import { useFields } from "./parts/form.ts";

type Props = { operator: Operator; msisdn: string };

export function NumberHint({ operator, msisdn: initially }: Props) {
  const place = useRef<HTMLSpanElement>(null);
  const { msisdn: typed } = useFields(place, { msisdn: initially });
  const { kind, text, otherPage } = hintFor(typed, operator);
  return (
    <span ref={place} className={`live ${kind}`} role="status">
      {text}
      {otherPage && (
        <a href={`${OPERATOR_PATHS[otherPage.operator]}?msisdn=${otherPage.number}`}>
          {`Open ${OPERATOR_NAMES[otherPage.operator]} with this number`}
        </a>
      )}
    </span>
  );
}

type Hint = {
  kind: "none" | "good" | "warn";
  text: string;
  /** The page of the network that the number seems to belong to. */
  otherPage?: { operator: Operator; number: string };
};

function hintFor(typed: string, operator: Operator): Hint {
  const msisdn = parseMsisdn(typed);
  const guess = msisdn ? guessOperator(msisdn) : guessEarly(typed);
  const subject = msisdn ? spacedMsisdn(msisdn) : "This prefix";
  if (guess === operator) return { kind: "good", text: `${subject}: ${OPERATOR_NAMES[operator]}` };
  if (guess) {
    const own = OPERATOR_NAMES[operator];
    const text = `${subject} looks like ${OPERATOR_NAMES[guess]}. If it was moved to ${own}, continue. `;
    return {
      kind: "warn",
      text,
      ...(msisdn && { otherPage: { operator: guess, number: localMsisdn(msisdn) } }),
    };
  }
  if (msisdn) return { kind: "none", text: subject };
  const isWhole = typed.replace(/\D/g, "").length >= 10;
  return isWhole
    ? { kind: "warn", text: "That is not a Ghanaian number. It should look like 0541234567." }
    : { kind: "none", text: "" };
}

/** The network by a prefix alone, while the number is incomplete: 024…, +233 24…. */
function guessEarly(typed: string): Operator | null {
  const prefix = /^(?:\+?233|00233|0)([25]\d)\d{0,6}$/.exec(typed.replace(/[\s\-().]/g, ""))?.[1];
  return prefix ? guessOperator(`233${prefix}`) : null;
}

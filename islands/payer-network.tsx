// The mobile money network of a number, as it is typed. The server reads it in the same way.
import { useRef } from "react";
import { NETWORKS, type Network } from "../src/shared/domain.ts";
import { guessNetwork } from "../src/shared/operators.ts";
import { parseMsisdn, spacedMsisdn } from "../src/shared/phones/msisdn.ts";
import { useFields } from "./parts/form.ts";

/** `own` is the number that the page has filled in, with its network below. */
type Props = { own: string };

/** Empty before its script runs: without one, nothing would change the text when the number changes. */
export function PayerNetwork({ own }: Props) {
  const place = useRef<HTMLSpanElement>(null);
  const { phone, network } = useFields(place, { phone: "", network: "" });
  const [kind, text] = phone === own ? ["", ""] : hintFor(phone, network as Network | "");
  return (
    <span ref={place} className={`live ${kind}`} role="status">
      {text}
    </span>
  );
}

function hintFor(typed: string, chosen: Network | ""): [kind: string, text: string] {
  const msisdn = parseMsisdn(typed);
  if (!msisdn)
    return typed.replace(/\D/g, "").length >= 10
      ? ["warn", "That is not a Ghanaian number. It should look like 0541234567."]
      : ["", ""];
  const guess = guessNetwork(msisdn);
  if (chosen && guess && guess !== chosen)
    return ["warn", `This looks like ${NETWORKS[guess]}; the prompt goes to ${NETWORKS[chosen]}.`];
  const network = chosen || guess;
  return network ? ["good", `${spacedMsisdn(msisdn)}: ${NETWORKS[network]}`] : ["warn", "Choose its network below."];
}

// A closed day of cash in words: its difference, and who accepted it.
import type { CloseRow } from "../../../../core/payments/cash/cash-books.ts";
import { show } from "../../../../shared/money.ts";
import { Moment } from "../../../ui/parts.tsx";

export function DifferenceText({ close }: { close: CloseRow }) {
  const pesewas = close.countedPesewas - close.expectedPesewas;
  if (pesewas === 0) return <span className="small soft">No difference</span>;
  return (
    <>
      <span className={pesewas < 0 ? "chip bad" : "chip warn"}>
        {show(Math.abs(pesewas))} {pesewas < 0 ? "missing" : "too much"}
      </span>{" "}
      <bdi className="small">“{close.reason}”</bdi>
    </>
  );
}

export function CloseState({ close }: { close: CloseRow }) {
  const { state, decidedBy, decidedAt, refusal, to } = close;
  if (state === "waiting")
    return (
      <>
        <span className="chip warn">Waiting</span> for <bdi>{to}</bdi>
      </>
    );
  return (
    <>
      {state === "refused" && <span className="chip bad">Sent back</span>} by <bdi>{decidedBy}</bdi>,{" "}
      {decidedAt && <Moment at={decidedAt} />}
      {refusal && <bdi>“{refusal}”</bdi>}
    </>
  );
}

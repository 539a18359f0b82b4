// Lines of a mobile money statement in a table, before their import and after it.
import type { NewLine } from "../../core/payments/statements.ts";
import { spacedMsisdn } from "../../shared/msisdn.ts";
import { Moment, Money } from "./parts.tsx";
import type { Column } from "./table.tsx";

const DIRECTIONS = { in: null, out: "Out", reversal: "Taken back" } as const;

export const LINE_COLUMNS: Column<NewLine>[] = [
  { head: "Transaction ID", className: "money", cell: ({ transactionId }) => transactionId },
  {
    head: "Amount",
    isNumber: true,
    cell: ({ amountPesewas, direction }) => (
      <>
        {DIRECTIONS[direction] && <span className="chip">{DIRECTIONS[direction]}</span>}{" "}
        <Money pesewas={amountPesewas} />
      </>
    ),
  },
  { head: "From", cell: ({ senderName }) => senderName && <bdi>{senderName}</bdi> },
  {
    head: "Number",
    className: "small",
    cell: ({ senderMsisdn }) => senderMsisdn && spacedMsisdn(senderMsisdn),
  },
  { head: "At", className: "small soft", cell: ({ at }) => at && <Moment at={at} /> },
];

// Lines of a mobile money statement in a table, before their import and after it.

import { spacedSender } from "../../../core/payments/deposits/senders.ts";
import type { NewLine } from "../../../core/payments/deposits/statements.ts";
import { Moment, Money } from "../parts.tsx";
import type { Column } from "../table.tsx";

const DIRECTIONS = { in: null, out: "Out", reversal: "Taken back" } as const;

/** `transactionId` is null where it is not for the viewer. */
type Line = Omit<NewLine, "transactionId"> & { transactionId: string | null };

export const LINE_COLUMNS: Column<Line>[] = [
  {
    head: "Transaction ID",
    className: "money",
    cell: ({ transactionId }) => transactionId ?? <span className="soft">Not shown</span>,
  },
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
    cell: ({ senderMsisdn }) => senderMsisdn && spacedSender(senderMsisdn),
  },
  { head: "At", className: "small soft", cell: ({ at }) => at && <Moment at={at} /> },
];

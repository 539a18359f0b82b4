// Icons and network badges. The icons are outlines on a grid of 24, drawn in the colour of the text beside them, which
// says the same in words: screen readers skip them.
import type { Operator } from "../../../shared/domain.ts";
import { findOperator, operatorName } from "../../../shared/operators.ts";

const OUTLINES = {
  home: "M3 11.5 12 4l9 7.5M5.5 10v9.5h4.5v-6h4v6h4.5V10",
  buy:
    "M8 3h8a1.5 1.5 0 0 1 1.5 1.5v15A1.5 1.5 0 0 1 16 21H8a1.5 1.5 0 0 1-1.5-1.5v-15A1.5 1.5 0 0 1 8 3Z" +
    "M12 8v6M9 11h6M11 18h2",
  orders: "M8.5 6H20M8.5 12H20M8.5 18H20M4 6h.5M4 12h.5M4 18h.5",
  wallet:
    "M4 7.5h14.5A1.5 1.5 0 0 1 20 9v9.5a1.5 1.5 0 0 1-1.5 1.5H5.5A1.5 1.5 0 0 1 4 18.5v-12A1.5 1.5 0 0 1 5.5 5H17" +
    "M16.5 13.75h.5",
  more: "M5 11a1 1 0 1 0 0 2 1 1 0 0 0 0-2ZM12 11a1 1 0 1 0 0 2 1 1 0 0 0 0-2Z" + "M19 11a1 1 0 1 0 0 2 1 1 0 0 0 0-2Z",
  bulk: "M12 4 3.5 8.5 12 13l8.5-4.5ZM3.5 12.5 12 17l8.5-4.5M3.5 16.5 12 21l8.5-4.5",
  card:
    "M4.5 5.5h15A1.5 1.5 0 0 1 21 7v10a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17V7a1.5 1.5 0 0 1 1.5-1.5Z" +
    "M8.5 12a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5ZM5.5 15.5c.7-1.3 1.7-2 3-2s2.3.7 3 2M15 10h3" +
    "M15 14h3",
  person: "M12 11.5a3.75 3.75 0 1 0 0-7.5 3.75 3.75 0 0 0 0 7.5ZM4.5 20c1-3.5 3.5-5 7.5-5s6.5 1.5 7.5 5",
  people:
    "M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 19.5c.8-3.2 3-4.5 6.5-4.5s5.7 1.3 6.5 4.5" +
    "M15.5 4.75a3.5 3.5 0 0 1 0 6.5M18 15.25c1.8.6 3 2 3.5 4.25",
  support: "M4 5h16v11.5H10.5L6 20v-3.5H4ZM8.5 9.5h7M8.5 12.5h4.5",
  statistics: "M4 20h16M7 16.5V11M12 16.5V5M17 16.5V8.5",
  delivery:
    "M3 6h11v10.5H3ZM14 10h4l3 3v3.5h-7ZM7 19a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Z" +
    "M17 19a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Z",
  products: "M4 4h8l8.5 8.5-8 8L4 12ZM8 8h.5",
  prices: "M4 6h9M4 12h9M4 18h9M17 6h3M17 12h3M17 18h3",
  money: "M3 6.5h18v11H3ZM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM6 9.5h.5M17.5 14.5h.5",
  messages: "M3.5 6h17v12h-17ZM4 7l8 6 8-6",
  settings:
    "M4 7h9M17 7h3M4 17h3M11 17h9M15 9.25a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5Z" +
    "M9 19.25a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5Z",
  ussd: "M5 9h14M5 15h14M10 4 8 20M16 4l-2 16",
  again: "M4 11a8 8 0 0 1 13.7-5.2L20 8M20 3.5V8h-4.5M20 13a8 8 0 0 1-13.7 5.2L4 16M4 20.5V16h4.5",
  power: "M12 3.5v8.5M7 6.3a7.5 7.5 0 1 0 10 0",
  refresh: "M20 12a8 8 0 1 1-2.3-5.7L20 8.5M20 4v4.5h-4.5",
  search: "M10.5 17.5a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM20.5 20.5l-5-5",
  plus: "M12 5v14M5 12h14",
  done: "M5 12.5l4.5 4.5L19 7",
  cross: "M6.5 6.5l11 11M17.5 6.5l-11 11",
  share: "M12 15V3.5M7.5 8 12 3.5 16.5 8M5 12.5V20h14v-7.5",
  phone: "M8 3h8a1.5 1.5 0 0 1 1.5 1.5v15A1.5 1.5 0 0 1 16 21H8a1.5 1.5 0 0 1-1.5-1.5v-15A1.5 1.5 0 0 1 8 3ZM11 18h2",
  bank: "M3 6.5h18v11H3ZM3 10.5h18M6.5 14.5h4",
  close: "M6 6l12 12M18 6 6 18",
  incoming: "M18 6 6 18M6 9v9h9",
  outgoing: "M6 18 18 6M9 6h9v9",
  lock: "M6 11h12v9H6ZM8.5 11V8a3.5 3.5 0 0 1 7 0v3M12 15v1.5",
  key: "M14.5 12.5a4 4 0 1 0-3-3L4 17v3h3v-2h2v-2h2l1.5-1.5M16 8h.5",
  shield: "M12 3.5 5 6v5.5c0 4.3 3 7.5 7 9 4-1.5 7-4.7 7-9V6ZM9 12l2.2 2.2L15.2 10",
  devices: "M3.5 5h13v9h-13ZM2.5 17.5h9M15 10.5h5.5V20H15Z",
  flag: "M6 21V4h11.5l-2.5 4 2.5 4H6",
  bell: "M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15ZM10 20.5h4",
  code: "M8.5 7 4 12l4.5 5M15.5 7l4.5 5-4.5 5M13 5l-2 14",
  vendors: "M12 3.5 4 8v8l8 4.5 8-4.5V8ZM4 8l8 4.5L20 8M12 12.5v8",
  balances: "M12 4v16M7.5 20h9M5 7h14M5 7l-2.5 6a2.75 2.75 0 0 0 5 0ZM19 7l-2.5 6a2.75 2.75 0 0 0 5 0Z",
  texts: "M4.5 5h15v11h-8L7 20v-4H4.5ZM8 9h8M8 12h5",
  log: "M6 3.5h9l3.5 3.5v13.5H6ZM9 10h6M9 13.5h6M9 17h3.5",
  leave: "M14 4.5H5.5v15H14M10 12h10.5M17 8.5l3.5 3.5-3.5 3.5",
} as const;
export type IconName = keyof typeof OUTLINES;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={OUTLINES[name]} />
    </svg>
  );
}

/** A network's mark: its colour with its letters, so that colour is never the only sign. */
export function NetworkBadge({ operator }: { operator: Operator }) {
  return (
    <span className={`badge ${operator}`} aria-hidden="true">
      {findOperator(operator)?.letters}
    </span>
  );
}

/** A network's name behind a dot of its colour. */
export function OperatorTag({ operator }: { operator: Operator }) {
  return (
    <>
      <span className={`dot ${operator}`} aria-hidden="true" /> {operatorName(operator)}
    </>
  );
}

// The good lines of a checked list, by bundle: what is bought at a glance, and each number on request.

import { operatorName } from "../../../shared/operators.ts";
import { spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import { submits } from "../../ui/action.tsx";
import { NetworkBadge } from "../../ui/frame/icons.tsx";
import { Money } from "../../ui/parts.tsx";
import type { BulkList, Row } from "../../upload/bulk-list.ts";
import type { ListAction } from "./bulk-check.tsx";

/** Nobody reads ten thousand rows; the groups show how many there are. */
const GOOD_SHOWN = 100;
/** The most lines that are open at first, if there is nothing to fix above them. */
const OPEN_MAX = 20;

export function GoodLines({ list }: { list: BulkList }) {
  const { good, toFix, repeated, unanswered } = list;
  if (good.length === 0) return null;
  const isOpen = toFix.length + repeated.length + unanswered.length === 0 && good.length <= OPEN_MAX;
  const covered = new Set(list.affordable);
  const groups = [...Map.groupBy(good, ({ offer }) => offer!.id).values()];
  let left = GOOD_SHOWN;
  return (
    <section className="card good-lines">
      <h2>
        Good lines <span className="soft">({good.length.toLocaleString("en")})</span>
      </h2>
      {groups.map((rows) => {
        const shown = rows.slice(0, left);
        left -= shown.length;
        return <Group key={rows[0]!.offer!.id} {...{ rows, shown, covered, isOpen }} />;
      })}
    </section>
  );
}

type GroupProps = { rows: Row[]; shown: Row[]; covered: ReadonlySet<Row>; isOpen: boolean };

function Group({ rows, shown, covered, isOpen }: GroupProps) {
  const { operator, size } = rows[0]!.offer!;
  const count = rows.length;
  const hidden = count - shown.length;
  return (
    <details open={isOpen}>
      <summary>
        <NetworkBadge operator={operator} />
        <span>
          <strong>
            {operatorName(operator)} <bdi>{size}</bdi>
          </strong>
          <span className="small soft">
            {count.toLocaleString("en")} {count === 1 ? "line" : "lines"}
          </span>
        </span>
        <Money pesewas={rows.reduce((sum, { amountPesewas }) => sum + amountPesewas!, 0)} />
      </summary>
      <ul>
        {shown.map((row) => (
          <GoodRow key={row.index} row={row} isCovered={covered.has(row)} />
        ))}
      </ul>
      {hidden > 0 && <p className="soft small">{hidden.toLocaleString("en")} more are not shown.</p>}
    </details>
  );
}

function GoodRow({ row, isCovered }: { row: Row; isCovered: boolean }) {
  const { index, line, msisdn, name, quantity, amountPesewas } = row;
  return (
    <li>
      <span className="number money">{spacedMsisdn(msisdn!)}</span>
      {name !== "" && <bdi className="small soft">{name}</bdi>}
      <span className="money">{quantity > 1 && `× ${quantity}`}</span>
      {!isCovered && <span className="chip warn">Not covered</span>}
      <span className="end">
        <Money pesewas={amountPesewas!} />
        <button className="quiet tiny" type="submit" {...submits<ListAction>("drop", index)}>
          Remove<span className="sr"> line {line}</span>
        </button>
      </span>
    </li>
  );
}

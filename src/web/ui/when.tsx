// A moment in a row of a table.
import { accraMoment, accraShort } from "../../shared/accra.ts";

/** A moment in a row of a table, as short as it is clear; the whole one is its tooltip. */
export function When({ at }: { at: Date }) {
  return (
    <time className="when" dateTime={at.toISOString()} title={accraMoment(at)}>
      {accraShort(at, new Date())}
    </time>
  );
}

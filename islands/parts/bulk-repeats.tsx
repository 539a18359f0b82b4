// Numbers that stand in several lines, with a way to keep only the first.
import { spacedMsisdn } from "../../src/shared/msisdn.ts";
import type { Repeat } from "./bulk-text.ts";

const SHOWN = 50;
const PLACES_SHOWN = 8;

export function BulkRepeats({
  repeats,
  onRemove,
}: {
  repeats: Repeat[];
  onRemove: (places: number[]) => void;
}) {
  if (repeats.length === 0) return null;
  return (
    <section>
      <div className="head">
        <h3>Repeated numbers</h3>
        <button
          className="quiet tiny"
          type="button"
          onClick={() => onRemove(repeats.flatMap(({ again }) => again))}
        >
          Keep only the first of each
        </button>
      </div>
      <ul className="rows">
        {repeats.slice(0, SHOWN).map((repeat) => (
          <li key={repeat.msisdn}>
            <span className="money">{spacedMsisdn(repeat.msisdn)}</span>
            <span className="soft small">{placesOf(repeat)}</span>
          </li>
        ))}
      </ul>
      {repeats.length > SHOWN && (
        <p className="hint">{(repeats.length - SHOWN).toLocaleString("en")} more numbers are repeated.</p>
      )}
    </section>
  );
}

function placesOf({ first, again }: Repeat): string {
  const places = [first, ...again];
  const hidden = places.length - PLACES_SHOWN;
  const words = `Lines ${places.slice(0, PLACES_SHOWN).join(", ")}`;
  return hidden > 0 ? `${words} and ${hidden.toLocaleString("en")} more` : words;
}

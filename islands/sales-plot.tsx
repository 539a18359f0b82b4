// Sales over time, to be explored: takes the place of the server's drawing once it is on the screen.
import { useEffect, useRef, useState } from "react";
import { draw, type PlotData } from "./parts/plot.ts";
import { moved, scaled } from "./parts/zoom.ts";

/** Closer than four days there is nothing to see. */
const SHORTEST_SECONDS = 3 * 86_400;

export function SalesPlot(data: PlotData) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<ReturnType<typeof draw> | null>(null);
  const [isDrawn, setDrawn] = useState(false);
  const [isWhole, setWhole] = useState(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is drawn comes with the page and never changes.
  useEffect(() => {
    plot.current = draw(place.current!, data, setWhole);
    // The server's drawing goes when this one is there, and not before.
    place.current!.closest("is-land")?.setAttribute("drawn", "");
    setDrawn(true);
    return () => plot.current?.end();
  }, []);
  const look = (factor: number, by: number) => {
    const { whole, seen, look } = plot.current!;
    const closer = scaled(seen(), whole, factor, SHORTEST_SECONDS);
    look(moved(closer, whole, by));
  };
  return (
    <>
      <div ref={place} className="plot" aria-hidden="true" />
      {isDrawn && data.values.length > 4 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced as part of a form.
        <div className="actions plot-keys" role="group" aria-label="Chart">
          <button className="tiny quiet" type="button" onClick={() => look(0.5, 0)}>
            Zoom in
          </button>
          {!isWhole && (
            <>
              <button className="tiny quiet" type="button" onClick={() => look(1, -0.5)}>
                Earlier
              </button>
              <button className="tiny quiet" type="button" onClick={() => look(1, 0.5)}>
                Later
              </button>
              <button
                className="tiny quiet"
                type="button"
                onClick={() => plot.current!.look(plot.current!.whole)}
              >
                All days
              </button>
            </>
          )}
        </div>
      )}
    </>
  );
}

// The interactive chart of sales, which replaces the server's static drawing once it is on the screen.
import { useEffect, useRef, useState } from "react";
import { draw, type PlotData } from "./parts/plot.ts";
import { pan, zoom } from "./parts/zoom.ts";

/** The deepest zoom: four days. */
const SHORTEST_SECONDS = 3 * 86_400;

export function SalesPlot(data: PlotData) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<ReturnType<typeof draw> | null>(null);
  const [isDrawn, setDrawn] = useState(false);
  const [isWhole, setWhole] = useState(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the data comes with the page and never changes.
  useEffect(() => {
    plot.current = draw(place.current!, data, setWhole);
    // Hides the server's drawing, now that this one is there.
    place.current!.closest("is-land")?.setAttribute("drawn", "");
    setDrawn(true);
    return () => plot.current?.end();
  }, []);
  const change = (factor: number, by: number) => {
    const { whole, seen, show } = plot.current!;
    const closer = zoom(seen(), whole, factor, SHORTEST_SECONDS);
    show(pan(closer, whole, by));
  };
  return (
    <>
      <div ref={place} className="plot" aria-hidden="true" />
      {isDrawn && data.values.length > 4 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced as part of a form.
        <div className="actions plot-keys" role="group" aria-label="Chart">
          <button className="tiny quiet" type="button" onClick={() => change(0.5, 0)}>
            Zoom in
          </button>
          {!isWhole && (
            <>
              <button className="tiny quiet" type="button" onClick={() => change(1, -0.5)}>
                Earlier
              </button>
              <button className="tiny quiet" type="button" onClick={() => change(1, 0.5)}>
                Later
              </button>
              <button className="tiny quiet" type="button" onClick={() => plot.current!.show(plot.current!.whole)}>
                All days
              </button>
            </>
          )}
        </div>
      )}
    </>
  );
}

// Tests that `bun run test` leaves to `bun run test:long`: large volumes, long random histories, races, and waits for a
// real clock. They stand in the file of their rule, and run with it whenever the file is run alone.
import { test } from "bun:test";

const isLeftOut = process.env.TEST_RUN === "short";
/** How the names of these tests end, by which `test/run.ts` chooses them. */
export const LONG_MARK = "(long)";

type Test = ((name: string, run: () => unknown) => void) & Pick<typeof test, "each">;

/** As `test`. */
export const longTest: Test = Object.assign(
  (name: string, run: () => unknown) => {
    if (!isLeftOut) test(`${name} ${LONG_MARK}`, run as () => void);
  },
  {
    each: ((table: unknown[]) => (name: string, run: () => void) => {
      if (!isLeftOut) test.each(table)(`${name} ${LONG_MARK}`, run);
    }) as (typeof test)["each"],
  },
);

// The time after which a test counts as hanging. It only guards against waiting forever: a test of speed measures
// processor time itself, because a slow, busy machine needs many times what a quiet one does. The timeout is set in
// each file, because Bun's own default of 5 seconds comes back with the second file of a process.
import { plugin } from "bun";

const PATIENCE_MS = 300_000;
/** Without a line break, so that the lines of errors stay. */
const FIRST = `import { setDefaultTimeout as setPatience } from "bun:test"; setPatience(${PATIENCE_MS}); `;

plugin({
  name: "patience",
  setup: (build) => {
    build.onLoad({ filter: /\.test\.tsx?$/ }, async ({ path }) => ({
      contents: FIRST + (await Bun.file(path).text()),
      loader: path.endsWith("x") ? "tsx" : "ts",
    }));
  },
});

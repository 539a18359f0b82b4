// Replaces React by Preact, as in the browser; loaded before the islands' tests.
import { plugin } from "bun";
import * as compat from "preact/compat";
import * as client from "preact/compat/client";
import * as jsx from "preact/jsx-runtime";
import * as utils from "preact/test-utils";

const inPlaceOf = {
  react: { ...compat, act: utils.act },
  "react-dom": compat,
  "react-dom/client": client,
  "react-dom/test-utils": utils,
  "react/jsx-runtime": jsx,
  "react/jsx-dev-runtime": jsx,
};
plugin({
  name: "preact",
  setup(build) {
    for (const [name, exports] of Object.entries(inPlaceOf))
      build.module(name, () => ({ loader: "object", exports: { __esModule: true, ...exports } }));
  },
});

// Views of kill switches.
import { z } from "zod";
import { SwitchName } from "../../../core/overview/switches.ts";
import { Moment, one, view } from "../../view.ts";

export { SwitchName };

const Closed = view({
  message: z.string(),
  until: Moment.nullable(),
  reason: z.string(),
  by: z.string().describe("The username of whoever closed it"),
  since: Moment,
});

export const SwitchState = view({
  name: SwitchName,
  label: z.string(),
  closed: one(Closed).nullable().describe("Null while it is open"),
});

// What the shop's owner says about the shop on its first page. The program knows none of it, so nothing is said by itself.
import { z } from "zod";
import type { Settings } from "../../../core/platform/settings.ts";
import type { Refused } from "../../page.tsx";
import { Field, TextArea } from "../../ui/parts.tsx";
import { linesOf } from "../../ui/voices.tsx";

const VOICES_MAX = 6;

const VOICE_CHARS_MAX = 400;

const figure = z.string().trim().max(40, "At most 40 characters").default("");

/** The fields of the form, by the names of their settings. */
export const landingFields = {
  landing_agents: figure,
  landing_bundles: figure,
  landing_uptime: figure,
  landing_order_time: figure,
  landing_voices: z
    .string()
    .trim()
    .default("")
    .refine((text) => linesOf(text).length <= VOICES_MAX, `At most ${VOICES_MAX} lines`)
    .refine(
      (text) => linesOf(text).every((line) => line.length <= VOICE_CHARS_MAX && line.includes("|")),
      `Write each line as: words | who said them. At most ${VOICE_CHARS_MAX} characters a line.`,
    ),
};

export function LandingFields({ values, refused }: { values: Settings; refused: Refused | undefined }) {
  const common = { idPrefix: "set", refused };
  return (
    <fieldset className="before">
      <legend>
        <h2>First page</h2>
      </legend>
      <p className="soft">
        What visitors read about the shop. Only say what is true; an empty field is not shown.
      </p>
      <div className="row top-aligned">
        <Field
          {...common}
          label="Agents who sell here"
          name="landing_agents"
          value={values.landing_agents}
          placeholder="120"
        />
        <Field
          {...common}
          label="Bundles a month"
          name="landing_bundles"
          value={values.landing_bundles}
          placeholder="4,000"
        />
        <Field
          {...common}
          label="Uptime"
          name="landing_uptime"
          value={values.landing_uptime}
          placeholder="99.5%"
        />
        <Field
          {...common}
          label="Time of an order"
          name="landing_order_time"
          value={values.landing_order_time}
          placeholder="Under 10 s"
        />
      </div>
      <div className="after">
        <TextArea
          {...common}
          label="Customers' voices"
          name="landing_voices"
          value={values.landing_voices}
          rows={3}
          maxLength={VOICES_MAX * VOICE_CHARS_MAX}
          hint="One a line: words | who said them. Ask before you name somebody."
        />
      </div>
    </fieldset>
  );
}

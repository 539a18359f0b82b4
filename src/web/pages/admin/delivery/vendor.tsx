// One vendor: whether it is paused, what waits for it and what it may have, with the forms that pause it and that move
// what waits to others.
import { z } from "zod";
import * as rerouting from "../../../../core/fulfilment/rerouting.ts";
import { MOVE_TARGETS } from "../../../../core/fulfilment/routing.ts";
import { vendorOverview } from "../../../../core/fulfilment/vendor-overview.ts";
import * as vendors from "../../../../core/fulfilment/vendors.ts";
import { does } from "../../../does.ts";
import { actionsOf, type Context, type Page, type Refused, readId, redirect, type View } from "../../../page.tsx";
import { refusedFor } from "../../../ui/action.tsx";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { About, Figures, PausedChip, PauseNote, Unclear, Waiting } from "./vendor-facts.tsx";
import { type Chosen, chosenIn, MovePreview, movedText, WaitingForm } from "./vendor-move.tsx";

const PATH = "/admin/vendors";

const Moving = z.object({
  to: z.enum(MOVE_TARGETS),
  products: z.string().transform((text) => text.split(",").flatMap((id) => readId(id) ?? [])),
  paidBefore: z.iso.datetime().optional(),
  through: z.string().transform((text) => readId(text) ?? 0),
  /** How many orders the preview was about. */
  seen: z.coerce.number().int().nonnegative().catch(0),
});

const code = ({ params }: Context) => params.code!;
const actions = {
  pause: does(
    vendors.setPause,
    (paused) =>
      redirect(
        `${PATH}/${paused.code}`,
        "Paused. New orders go to the next in their route; waiting orders stay here until you resume it or move them.",
      ),
    { code },
  ),
  resume: does(
    vendors.setPause,
    (resumed) => redirect(`${PATH}/${resumed.code}`, "Resumed: orders are sent there again."),
    {
      ...{ code, note: null },
    },
  ),
  ...actionsOf({
    move: {
      fields: Moving,
      run: async ({ db, by, key, params, vendors: known }, { to, products, paidBefore, through, seen }) => {
        const { answer } = await rerouting.move(db, {
          ...{ by, key, vendors: known, code: params.code!, to, productIds: products, throughAttemptId: through },
          paidBefore: paidBefore ? new Date(paidBefore) : null,
        });
        return redirect(`${PATH}/${params.code}`, movedText(answer, { vendors: known, code: params.code!, seen }));
      },
    },
  }),
};
export type VendorAction = keyof typeof actions;

export const vendorOnePages: Page[] = [
  {
    path: `${PATH}/:code`,
    right: "delivery.manage",
    subject: "vendor",
    examples: ["", "?to=desk", "?to=next&age=10"],
    show: showVendor,
    actions,
  },
];

async function showVendor(context: Context, refused?: Refused): Promise<View> {
  const { db, vendors: known, params, url, vendorAddress } = context;
  const overview = await vendorOverview(db, known, params.code!);
  const { name, vendor, state, waiting } = overview;
  const chosen = chosenIn(url);
  const previewed = chosen && waiting.count > 0 ? await previewOf(context, chosen) : null;
  const ofMove = refusedFor<VendorAction>("move", refused);
  return {
    title: name,
    body: (
      <>
        <div className="head">
          <h1>
            <bdi>{name}</bdi> <PausedChip state={state} />
          </h1>
          <a href={PATH}>All suppliers</a>
        </div>
        <PauseNote overview={overview} />
        {previewed && chosen && (
          <MovePreview {...{ overview, chosen, vendors: known, ...previewed }} refused={ofMove} />
        )}
        {!previewed && <RefusalNote refused={ofMove} />}
        <Waiting overview={overview}>
          <WaitingForm overview={overview} chosen={chosen} />
        </Waiting>
        <Unclear overview={overview} />
        <PauseForm name={name} code={overview.code} isPaused={state.pausedFor !== null} refused={refused} />
        <Figures families={overview.families} />
        {vendor && <About vendor={vendor} address={vendorAddress(vendor.code)} />}
      </>
    ),
  };
}

/** What the chosen move would do now; nothing when no bundle is ticked. */
async function previewOf({ db, by, params, vendors: known }: Context, { to, productIds, ageMinutes }: Chosen) {
  const paidBefore = ageMinutes > 0 ? new Date(Date.now() - ageMinutes * 60_000) : null;
  if (!productIds) return { paidBefore, preview: null };
  const preview = await rerouting.preview(db, known, { by, code: params.code!, to, productIds, paidBefore });
  return { paidBefore, preview };
}

type PauseProps = { name: string; code: string; isPaused: boolean; refused: Refused | undefined };

function PauseForm({ name, code, isPaused, refused }: PauseProps) {
  return (
    <Form<VendorAction> to={`${PATH}/${code}`} does={isPaused ? "resume" : "pause"} refused={refused} className="card">
      <h2 id="pause">{isPaused ? "Send there again" : "Stop sending there"}</h2>
      <div className="row">
        {!isPaused && <Field label="Reason" name="note" required />}
        <button className="quiet" type="submit">
          {isPaused ? `Resume ${name}` : `Pause ${name}`}
        </button>
      </div>
    </Form>
  );
}

// Check of a bulk list, at an address of its own until it is placed or forgotten: the questions about all of it, the
// lines to fix in their rows, the good ones by bundle, and the bar that places them. All of it is one form, so that no
// button leaves a correction behind.
import { z } from "zod";
import * as drafts from "../../../core/buying/bulk-drafts.ts";
import { limits } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { ACTION } from "../../../shared/forms.ts";
import { FIGURE_MEANINGS, OTHER_NETWORK_MEANINGS } from "../../../shared/lists/bulk-bundles.ts";
import { fixLines, withBundle } from "../../../shared/lists/bulk-text.ts";
import { Sheet } from "../../html.tsx";
import {
  actionsOf,
  type Context,
  type Leave,
  type Page,
  type Refused,
  readId,
  redirect,
  type View,
} from "../../page.tsx";
import { submits } from "../../ui/action.tsx";
import { RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { Money } from "../../ui/parts.tsx";
import { type BulkList, quoteList, readLines } from "../../upload/bulk-list.ts";
import { FixCard, TO_FIX_SHOWN } from "./bulk-fix.tsx";
import { LimitNote, PlaceBar, place, ShortNote, toPlaced } from "./bulk-place.tsx";
import { GoodLines } from "./bulk-rows.tsx";

const Change = z.object({
  version: z.string().transform(Number),
  figures: z.enum(FIGURE_MEANINGS).optional(),
  otherNetworks: z.enum(OTHER_NETWORK_MEANINGS).optional(),
  allowDuplicate: z.literal("yes").optional(),
});
type Change = z.output<typeof Change>;

/** A button that stores the corrections and removes some rows, and then leads somewhere. */
const changes = (
  removed: (list: BulkList, context: Context) => number[],
  next: (context: Context, draftId: number) => Promise<Leave> | Leave = (_, draftId) => redirect(checkPath(draftId)),
) => ({
  fields: Change,
  run: async (context: Context, fields: Change): Promise<Leave> => {
    const draft = await draftOf(context);
    if (draft.bulkOrderId !== null) return redirect(checkPath(draft.id));
    if (fields.version !== draft.version) throw new AppError("bulk.list_changed");
    const list = await quoteList(context, draft);
    await store(context, list, fields, removed(list, context));
    return next(context, draft.id);
  },
});

const none = () => [];
const actions = actionsOf({
  check: changes(none),
  /** Removes the lines to fix and the repeated ones. */
  remove: changes(({ toFix, repeated }) => [...toFix, ...repeated].map(({ index }) => index)),
  /** "drop 3" removes one line, by its index. */
  drop: changes(dropped),
  text: changes(none, (_, draftId) => redirect(`/bulk?draft=${draftId}`)),
  keep: changes(none, keep),
  place: { fields: Change, run: placeAsShown },
});
export type ListAction = keyof typeof actions;

export const checkPages: Page[] = [
  {
    path: "/bulk/check/:id",
    role: "user",
    subject: "draft",
    // Lines may be long, so the form may be, too.
    bodyBytesMax: limits.bulkBodyBytes,
    uploadBytesMax: limits.bulkBodyBytes,
    show: showCheck,
    actions,
  },
];

const checkPath = (draftId: number) => `/bulk/check/${draftId}`;

/** Shows the check; a placed list redirects to its orders. Throws draft.not_found. */
async function showCheck(context: Context, refused?: Refused): Promise<View | Leave> {
  const draft = await draftOf(context);
  if (draft.bulkOrderId !== null)
    return redirect(`/bulk/${draft.bulkOrderId}`, "This list has been placed. These are its orders.");
  const list = await quoteList(context, draft);
  return {
    title: "Check list",
    body: (
      <>
        <Sheet name="bulk" />
        <Form to={checkPath(draft.id)} refused={refused} sends={{ version: draft.version }} className="checked-list">
          {/* What Enter in a field presses: never the button that pays. */}
          <button className="sr" type="submit" tabIndex={-1} aria-hidden="true" {...submits<ListAction>("check")}>
            Check again
          </button>
          <div className="head">
            <div>
              <h1>Check list</h1>
              <p className="soft small">Nothing has been placed or paid yet.</p>
            </div>
            <button className="quiet tiny" type="submit" {...submits<ListAction>("text")}>
              Change the list
            </button>
          </div>
          <RefusalNote />
          <RefusedLines refused={refused} />
          <ShortNote list={list} />
          <LimitNote list={list} />
          <Tally list={list} />
          <FixCard list={list} refused={refused} />
          <GoodLines list={list} />
          <NewNames list={list} />
          <p className="actions">
            <button className="quiet" type="submit" {...submits<ListAction>("keep")} data-sending="Saving…">
              Save for later
            </button>
          </p>
          <PlaceBar list={list} />
        </Form>
      </>
    ),
  };
}

/** Offers to keep the names of the list among the customers, when it is placed. */
function NewNames({ list: { newPeople } }: { list: BulkList }) {
  const count = new Set(newPeople.map(({ msisdn }) => msisdn)).size;
  if (count === 0) return null;
  return (
    <label className="check">
      <input type="checkbox" name="saveNames" value="yes" />
      Save {count === 1 ? "1 new name" : `${count.toLocaleString("en")} new names`} among my customers
    </label>
  );
}

async function draftOf({ db, by, params }: Context): Promise<drafts.Draft> {
  const draftId = readId(params.id);
  if (draftId === null) throw new AppError("draft.not_found");
  return drafts.get(db, by, draftId);
}

const REFUSED_SHOWN = 20;

function RefusedLines({ refused }: { refused: Refused | undefined }) {
  const lines = refused?.error.details?.lines ?? [];
  if (lines.length === 0) return null;
  return (
    <ul className="error">
      {lines.slice(0, REFUSED_SHOWN).map((line) => (
        <li key={line.line}>
          Order {line.line}: {line.message}
        </li>
      ))}
      {lines.length > REFUSED_SHOWN && <li>and {(lines.length - REFUSED_SHOWN).toLocaleString("en")} more</li>}
    </ul>
  );
}

function Tally({ list }: { list: BulkList }) {
  const figures: [label: string, count: number, kind: string][] = [
    ["Good lines", list.good.length, "good"],
    ["Lines to fix", list.toFix.length, list.toFix.length > 0 ? "bad" : ""],
    ["Waiting for your answer", list.unanswered.length, "warn"],
    ["Repeated", list.repeated.length, "warn"],
  ];
  const isAlways = (label: string) => label === "Good lines" || label === "Lines to fix";
  return (
    <dl className="tally">
      {figures
        .filter(([label, count]) => count > 0 || isAlways(label))
        .map(([label, count, kind]) => (
          <div key={label} className={kind}>
            <dt>{label}</dt>
            <dd>{count.toLocaleString("en")}</dd>
          </div>
        ))}
      <div>
        <dt>{list.affordable.length < list.good.length ? "All of them" : "You pay"}</dt>
        <dd>
          <Money pesewas={list.totalPesewas} />
        </dd>
      </div>
    </dl>
  );
}

/** Stores the answers about the whole list and the changed rows, without the removed ones. */
async function store(
  { db, by, form }: Context,
  list: BulkList,
  { figures, otherNetworks, allowDuplicate }: Change,
  removed: number[] = [],
): Promise<void> {
  const { draft, rows } = list;
  const fixes = fixesIn(form, list, figures);
  for (const index of removed) fixes.set(index, "");
  const lines = fixLines(draft.lines, rows, fixes);
  const { length: lineCount } = await readLines(lines, by.userId);
  const answers = { figures, otherNetworks, allowsRepeats: allowDuplicate === "yes" };
  const { id: draftId, version } = draft;
  await drafts.answer(db, { by, draftId, version, answers, lines, lineCount });
}

/** The rows that the form changes, by index: their text, or a bundle that was chosen for them. */
function fixesIn(
  form: URLSearchParams,
  { draft, rows, offers }: BulkList,
  figures: Change["figures"],
): Map<number, string> {
  // A form with a million fields is read once, and a page has no more rows than this.
  const sent = new Map(form);
  const indexes = [...sent.keys()].flatMap((name) => /^(?:fix|bundle)\.(\d{1,5})$/.exec(name)?.[1] ?? []);
  const fixes = new Map<number, string>();
  for (const index of [...new Set(indexes)].slice(0, TO_FIX_SHOWN)) {
    const row = rows[Number(index)];
    if (!row) continue;
    const text = sent.get(`fix.${index}`) ?? row.text;
    const offerId = readId(sent.get(`bundle.${index}`));
    const offer = offers.find(({ id }) => id === offerId);
    const now = offer ? withBundle(text, offer, figures ?? draft.figures) : text;
    if (now !== row.text) fixes.set(row.index, now);
  }
  return fixes;
}

/** The row of "drop 3". */
function dropped({ rows }: BulkList, { form }: Context): number[] {
  const index = Number(form.get(ACTION)!.split(" ")[1]);
  return rows[index] ? [index] : [];
}

async function keep({ db, by }: Context, draftId: number): Promise<Leave> {
  await drafts.keep(db, { by, draftId });
  return redirect(checkPath(draftId), "Saved for later. Nothing has been placed or paid.");
}

/** Places the list, unless its page holds corrections that the shown total does not: these are stored first. */
async function placeAsShown(context: Context, fields: Change): Promise<Leave> {
  const draft = await draftOf(context);
  if (draft.bulkOrderId !== null) return toPlaced(context, draft.bulkOrderId);
  if (fields.version !== draft.version) throw new AppError("bulk.list_changed");
  const list = await quoteList(context, draft);
  if (!hasCorrections(list, fields, context.form)) return place(context, list);
  await store(context, list, fields);
  return redirect(checkPath(draft.id), "Your corrections are in. Check the total, then place the list.");
}

function hasCorrections(list: BulkList, fields: Change, form: URLSearchParams): boolean {
  const { figures, otherNetworks, allowsRepeats } = list.draft;
  return (
    (fields.figures ?? figures) !== figures ||
    (fields.otherNetworks ?? otherNetworks) !== otherNetworks ||
    (fields.allowDuplicate === "yes") !== allowsRepeats ||
    fixesIn(form, list, fields.figures).size > 0
  );
}

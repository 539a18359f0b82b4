// Parts that schemas share, beside those of commands (shared/inputs.ts): ids in addresses, spans, pages of a list.
import { z } from "zod";
import { limits, STATUSES } from "../../shared/domain.ts";
import { Id } from "../../shared/inputs.ts";

/** An id in a body, which may have been kept as text. It is described as the number that it is. */
export const sentId = <S extends z.ZodType>(id: S) =>
  z.preprocess((sent) => (typeof sent === "string" && /^[1-9]\d{0,14}$/.test(sent) ? Number(sent) : sent), id);

export const SentId = sentId(Id);

export const PathId = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, "must be an id, such as 4711")
  .transform(Number)
  .refine(Number.isSafeInteger, "must be an id, such as 4711")
  .describe("Its id");

export const OrderStatus = z.enum(STATUSES);

export const flagText = z
  .enum(["true", "false", "1", "0", "on"])
  .transform((value) => value !== "false" && value !== "0");

/** A day (2026-11-21) or a time (2026-11-21T10:00:00Z). */
const aDate = "must be a date such as 2026-11-21";

const Moment = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], aDate)
  .refine((value) => value >= "2000" && value < "2100", { error: aDate, abort: true });

/** The start of the range. */
export const From = Moment.transform((value) => new Date(value)).describe("The first moment, or the first day");

/** The end of the range, exclusive; a day is included whole. */
export const To = Moment.transform((value) => {
  const date = new Date(value);
  return value.length === 10 ? new Date(date.getTime() + 86_400_000) : date;
}).describe("The moment after the last, or the last day, which is included whole");

export const IdParams = z.object({ id: PathId });

export const Page = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(limits.pageSizeMax)
    .default(limits.pageSize)
    .describe("How many, newest first"),
  cursor: PathId.optional().describe("The id to continue after, from the Link header"),
});

export const money = z.number().describe("GH₵, at most two decimals");

export const moment = z.iso.datetime();

/** A pause of sale. */
export const Paused = z.object({
  message: z.string().describe("The shop's message"),
  until: moment.nullable().describe("When it can be bought again; null: unknown"),
});

export const Removed = z.object({ id: Id, removed: z.literal(true) });

export const Done = z.object({ ok: z.literal(true) });

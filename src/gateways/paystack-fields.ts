// Fields that several of Paystack's answers share.
import { z } from "zod";

export const whole = z.coerce.number().refine(Number.isSafeInteger);
export const Id = z.union([z.number(), z.string()]).transform(String);

/** Whether a list goes on after this page of `rows` rows, of a hundred at most. */
export function hasMoreAfter(meta: unknown, rows: number): boolean {
  const paging = z.object({ page: z.coerce.number(), pageCount: z.coerce.number() }).safeParse(meta);
  return paging.success ? paging.data.page < paging.data.pageCount : rows === 100;
}

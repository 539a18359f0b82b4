// The id of an order in the address of its page.
import { AppError } from "../../../shared/errors/app-error.ts";
import { readId } from "../../page.tsx";

/** Throws order.not_found. */
export function orderIdOf(params: Record<string, string>): number {
  const id = readId(params.id);
  if (!id) throw new AppError("order.not_found");
  return id;
}

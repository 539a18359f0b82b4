// SMS delivery reports from Africa's Talking: id, status, phoneNumber, networkCode and, after a failure, failureReason.
import type { Db } from "../../db/connect.ts";
import { type DeliveryReport, receive } from "../../src/core/messaging/delivery-reports.ts";
import { withoutDirectionMarks } from "../../src/shared/text.ts";
import type { CallbackForm } from "../africastalking.ts";

const ID_CHARS_MAX = 200;
const FIELD_CHARS_MAX = 100;

/** Records a report. One that names no message is ignored: a resend would name none either. */
export async function takeReport(db: Db, form: CallbackForm | null): Promise<void> {
  const report = form && readReport(form);
  if (report) await receive(db, report);
}

function readReport(form: CallbackForm): DeliveryReport | null {
  const [providerId, status] = [form.get("id") ?? "", form.get("status") ?? ""];
  // "None" is the provider's id of a message that it did not accept.
  if (providerId === "" || providerId === "None" || status === "") return null;
  if (providerId.length > ID_CHARS_MAX || status.length > FIELD_CHARS_MAX) return null;
  const more: Record<string, string> = {};
  for (const name of ["networkCode", "retryCount"]) {
    const value = form.get(name);
    if (value) more[name] = value.slice(0, FIELD_CHARS_MAX);
  }
  const reason = withoutDirectionMarks(form.get("failureReason") ?? "").slice(0, FIELD_CHARS_MAX) || null;
  return { providerId, status, reason, more };
}

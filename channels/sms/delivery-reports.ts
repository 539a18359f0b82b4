// SMS delivery reports. Africa's Talking posts id, status, phoneNumber, networkCode and, after a failure,
// failureReason; Arkesel calls our address with sms_id and status in its query.
import type { Db } from "../../db/connect.ts";
import { type DeliveryReport, receive } from "../../src/core/messaging/delivery-reports.ts";
import { countUnreadable } from "../../src/core/messaging/unreadable.ts";
import { withoutDirectionMarks } from "../../src/shared/text.ts";
import type { CallbackForm } from "../africastalking.ts";

const ID_CHARS_MAX = 200;
const FIELD_CHARS_MAX = 100;

/** Records a report. One that names no message is ignored: a resend would name none either. */
export async function takeReport(db: Db, form: CallbackForm | null): Promise<void> {
  const report = form && readReport(form);
  if (report) await receive(db, report);
  else if (form?.get("id") !== "None") countUnreadable(db, "africastalking");
}

/** Records a report of Arkesel; one that cannot be read is only counted. */
export async function takeArkeselReport(db: Db, query: URLSearchParams): Promise<void> {
  const [providerId, status] = [query.get("sms_id") ?? "", query.get("status") ?? ""];
  if (ID.test(providerId) && STATUS.test(status))
    await receive(db, { gateway: "arkesel", providerId, status, reason: null, more: {} });
  else countUnreadable(db, "arkesel");
}

/** Arkesel's ids are UUIDs and its statuses words in capitals. */
const ID = /^[\w-]{1,100}$/;
const STATUS = /^[A-Z_]{1,40}$/;

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
  return { gateway: "africastalking", providerId, status, reason, more };
}

// Opt-outs that Africa's Talking reports: somebody stopped the SMS of our sender name through the network. The form has
// senderId and phoneNumber. The number still gets what it asks for itself.
import type { Db } from "../../db/connect.ts";
import * as optOuts from "../../src/core/messaging/opt-outs.ts";
import { countUnreadable } from "../../src/core/messaging/unreadable.ts";
import type { CallbackForm } from "../africastalking.ts";

/** Records an opt-out. A repeat changes nothing, and one without a Ghanaian number is only counted. */
export async function takeOptOut(db: Db, form: CallbackForm | null): Promise<void> {
  const phone = /^\+(233[25]\d{8})$/.exec(form?.get("phoneNumber") ?? "");
  if (phone) await optOuts.stop(db, phone[1]!, "gateway");
  else countUnreadable(db, "africastalking");
}

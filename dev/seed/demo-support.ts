// The demonstration shop's support requests, and one dispute.

import type { Db } from "../../db/connect.ts";
import * as disputes from "../../src/core/orders/disputes.ts";
import * as orderQueries from "../../src/core/orders/queries.ts";
import * as keptAnswers from "../../src/core/support/kept-answers.ts";
import * as support from "../../src/core/support/requests.ts";
import type { ByUser } from "../../src/shared/domain.ts";

/** Files them now; the admin has answered one, and decided none. */
export async function askSupport(db: Db, people: { admin: ByUser; ama: ByUser; esi: ByUser }): Promise<void> {
  const { admin, ama, esi } = people;
  const { answer: request } = await support.file(db, {
    by: ama,
    subject: "A statement for my bank",
    message: "My bank asks for the statement of last month.\nCan it have the name of my shop on it?",
  });
  const message = "Good morning Ama, open Wallet, then Statement. The name of the shop cannot be on it yet.";
  await support.reply(db, { by: admin, key: null, requestId: request.id, message });
  for (const answer of KEPT_ANSWERS) await keptAnswers.keep(db, { by: admin, ...answer });
  await support.file(db, {
    by: esi,
    subject: "Printed price list",
    message: "Do you have a price list that I can print and hang up?",
  });
  const delivered = await orderQueries.list(db, { userId: ama.userId!, status: "DELIVERED" }, { limit: 1 });
  for (const { id: orderId } of delivered) {
    const seen = "My customer dialled *124# and the balance is what it was before.";
    if (await disputes.offer(db, await orderQueries.get(db, ama, orderId)))
      await disputes.open(db, { by: ama, key: null, orderId, message: seen });
  }
}

const KEPT_ANSWERS = [
  {
    name: "Asked the network",
    message: "Thank you for telling us. We have asked the network and write again today. Your money is safe meanwhile.",
  },
  {
    name: "Check the balance",
    message: "Please look at the balance on the phone or in the network’s app: the data may be there without an SMS.",
  },
];

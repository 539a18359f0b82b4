// The demonstration shop's requests about data: an agent's copy, and a customer who had a name erased.

import type { Db } from "../../db/connect.ts";
import * as requests from "../../src/core/privacy/requests.ts";
import { parseMsisdn } from "../../src/shared/phones/msisdn.ts";
import { demoNumber } from "./draws.ts";

export async function noteDataRequests(db: Db, agentId: number): Promise<void> {
  const number = requests.ofNumber(parseMsisdn(demoNumber("MTN", 911))!);
  await requests.note(db, "account copied", requests.ofAccount(agentId));
  await requests.note(db, "number shown", number);
  await requests.note(db, "number erased", number, "1 entry of agents");
}

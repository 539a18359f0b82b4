// The shop as a separate process for measuring USSD sessions, with an extra route: a plain read by primary key, over
// the same HTTP and the same pool, as the baseline. Its arguments are the database's address.
import { connect } from "../../db/connect.ts";
import { gatewaySecretsOf } from "../../src/core/messaging/callbacks.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { TEST_JWT_SECRET, testApp } from "../support/world.ts";

const db = connect(process.argv[2]!);
const app = testApp(db, {
  log: createLog("warn"),
  baseUrl: "https://shop.example",
  gatewaySecrets: gatewaySecretsOf({}, TEST_JWT_SECRET),
});
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: (request) => {
    const [, userId] = /\/bench-read\/(\d+)$/.exec(request.url) ?? [];
    return userId ? read(Number(userId)) : app.fetch(request);
  },
});
process.send!({ port: server.port });
process.on("disconnect", () => process.exit(0));

async function read(userId: number): Promise<Response> {
  const [wallet] = await db.$client`select balance_pesewas from wallets where user_id = ${userId}`;
  return new Response(`${wallet!.balance_pesewas}`);
}

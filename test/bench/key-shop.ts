// The shop's application on two ports of one process, with the log of requests by API keys and without it. It sends
// the ports, and flushes the log when it is asked to, and at its end.
import { connect } from "../../db/connect.ts";
import { testApp } from "../support/world.ts";

const db = connect(process.argv[2]!);
const [on, off] = [true, false].map((keepsRequestLog) => {
  const app = testApp(db, { baseUrl: null, keepsRequestLog });
  return { app, server: Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: app.fetch }) };
});
process.send!({ with: on!.server.port, without: off!.server.port });
process.on("message", async (message) => {
  await on!.app.flush();
  if (message === "flush") return process.send!("flushed");
  await Promise.all([on!.server.stop(true), off!.server.stop(true)]);
  await on!.app.flush();
  process.exit(0);
});
process.on("disconnect", () => process.exit(1));

// The shop's application on a port, with or without the log of requests by API keys: two of these on one database
// differ in nothing else. Its argument says what to do; it sends its port, and flushes the log when it is asked to end.
import { connect } from "../../db/connect.ts";
import { testApp } from "../support/world.ts";

const { url, keepsLog } = JSON.parse(process.argv[2]!) as { url: string; keepsLog: boolean };
const db = connect(url);
const app = testApp(db, { baseUrl: null, keepsRequestLog: keepsLog });
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: app.fetch });
process.send!({ port: server.port });
process.on("message", async () => {
  await server.stop(true);
  await app.flush();
  process.exit(0);
});
process.on("disconnect", () => process.exit(1));

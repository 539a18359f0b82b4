// Another process of the shop, in which an admin adds a network: `bun test/support/add-network.ts <database> <code>`.
import { connect, disconnect } from "../../db/connect.ts";
import * as changes from "../../src/core/catalog/operators/operator-changes.ts";

const [url, code = ""] = process.argv.slice(2);
const name = code.charAt(0) + code.slice(1).toLowerCase();
const db = connect(url!, { max: 2 });
await changes.add(db, {
  by: { userId: 1, roles: ["ADMIN"], channel: "admin" },
  ...{
    code,
    name,
    shortName: name,
    letters: name.charAt(0),
    color: "#3fae2a",
    path: `/${name.toLowerCase()}`,
  },
  ...{ ussdLabel: name, ussdPosition: 5, aliases: [`${name} Data`], prefixes: ["28"], momo: null },
});
await disconnect(db);

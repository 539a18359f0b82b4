// The demonstration shop as a process of its own on a free port, for commands that look at its pages.
import { connect, disconnect } from "../../db/connect.ts";
import { seedDemo } from "../../dev/seed/demo.ts";
import { DEMO_PEOPLE } from "../../dev/seed/demo-people.ts";
import { pinKey } from "../../src/core/identity/phones/pins.ts";
import { SESSION_COOKIE } from "../../src/web/cookies.ts";
import { freshDatabase } from "./database.ts";
import { startShop } from "./shop.ts";
import { TEST_CARDS, TEST_JWT_SECRET } from "./world.ts";

export type DemoShop = {
  url: string;
  /** Logs in and returns the value of the session's cookie. */
  logIn: (username: string) => Promise<string>;
  close: () => Promise<void>;
};

/** Fills a new database, which takes half a minute, and starts the shop on it. */
export async function openDemoShop(environment: Record<string, string> = {}): Promise<DemoShop> {
  const database = await freshDatabase();
  const db = connect(database.url, { max: 4 });
  await seedDemo(db, { cards: TEST_CARDS, pinKeys: { key: pinKey(TEST_JWT_SECRET) } });
  await disconnect(db);
  const shop = await startShop(database.url, environment);
  return {
    url: shop.url,
    logIn: (username) => logIn(shop.url, username),
    close: async () => {
      await shop.stop();
      await database.drop();
    },
  };
}

async function logIn(url: string, username: string): Promise<string> {
  const { email, password } = DEMO_PEOPLE.find((person) => person.username === username)!;
  const response = await fetch(`${url}/login`, {
    method: "POST",
    body: new URLSearchParams({ email, password }),
    headers: { origin: url },
    redirect: "manual",
  });
  const cookies = response.headers.getSetCookie().map((line) => /^([^=]+)=([^;]*)/.exec(line)!);
  const session = cookies.find(([, name]) => name === SESSION_COOKIE)?.[2];
  if (!session) throw new Error(`${email} could not log in: status ${response.status}`);
  return session;
}

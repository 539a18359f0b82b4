// My Orders as a server component: the shop's own session, query and components, called by Next.js in place of the shop.
import { createHash } from "node:crypto";
import { jwtVerify } from "jose";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { connect } from "../../shop/db/connect.ts";
import menu from "../../shop/menu.json";
import * as sessions from "../../shop/src/core/identity/logins/sessions.ts";
import { orderListPages } from "../../shop/src/web/pages/orders/orders.tsx";
import { Shell } from "../../shop/src/web/ui/frame/layout.tsx";

export const dynamic = "force-dynamic";
export const metadata = { title: "My Orders · DataFie" };

// What the shop's modules take from Bun, for older versions of Node.js: its digests have the same methods.
globalThis.Bun ??= { CryptoHasher: createHasher };
Map.groupBy ??= groupBy;

const db = connect(process.env.DATABASE_URL);
const secret = new TextEncoder().encode(process.env.JWT_SECRET);

export default async function Orders({ searchParams }) {
  const session = await sessionOf((await cookies()).get("__Host-session")?.value);
  if (!session) redirect("/login");
  const { id: userId, username, email, roles } = session.user;
  const viewer = { by: { userId, roles, channel: "web" }, username, email, sessionId: session.id };
  const url = new URL(`http://localhost/orders?${new URLSearchParams(await searchParams)}`);
  const [page] = orderListPages;
  const { body } = await page.show({ db, url, viewer, by: viewer.by });
  return (
    <Shell viewer={viewer} path={url.pathname} notice={null} menu={menu}>
      {body}
    </Shell>
  );
}

async function sessionOf(token) {
  if (!token) return null;
  const { payload } = await jwtVerify(token, secret, { algorithms: ["HS256"] });
  return sessions.find(db, payload.jti);
}

function createHasher(algorithm) {
  return createHash(algorithm);
}

function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

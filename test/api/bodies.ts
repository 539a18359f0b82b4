// A valid body for each route with a body, for tests that send it or spoil it: the route's own example, with ids that
// belong to nobody.
import { routes } from "../../src/api/index.ts";

type Body = Record<string, unknown>;

/** Values of these fields name something, which nobody has. */
const NOBODYS: Body = {
  orderId: 999_999,
  transactionId: 999_999,
  ids: [999_999],
  reference: "tp-nobody-knows",
};

/** What else these tests need: names that nobody has yet, the server of the test, every field at once. */
const INSTEAD: Record<string, Body> = {
  "POST /api/v1/auth/signup": { username: "newcomer", email: "newcomer@example.com" },
  "POST /api/v1/auth/login": { password: "not the password" },
  "POST /api/v1/paystack/init": { callbackUrl: "http://localhost/dashboard" },
  "POST /api/v1/wallet/claims": { transactionId: "40125566778" },
  "POST /api/v1/webhooks": { url: "http://hook.example:8080/in" },
  "PATCH /api/v1/webhooks/:id": { url: "http://hook.example:8080/out", description: "Renamed" },
  "PATCH /api/v1/admin/orders/:id/status": { reason: "why", paidInCash: false },
  "POST /api/v1/products": { name: "Another", size: "2GB", price: 5 },
  "PATCH /api/v1/products/:id": { name: "Renamed", size: "3GB", price: 5, pausedMessage: "Back at noon" },
  "PATCH /api/v1/admin/operators/:operator": { pausedUntil: undefined },
  "PUT /api/v1/admin/switches/:name": { until: undefined },
  // The price that it has: other tests buy at it.
  "PUT /api/v1/admin/prices": {
    prices: [{ productId: 1, tierId: 1, price: 3.9 }],
    from: null,
    confirm: true,
  },
  // These tests have no vendors, and other tests buy it: it costs less than its price.
  "PUT /api/v1/admin/costs": { costs: [{ productId: 1, vendor: "desk", cost: 3.5 }] },
  "PUT /api/v1/admin/users/:id/prices": { from: null, confirm: true },
  "POST /api/v1/admin/users": { username: "other", email: "other@example.com" },
  "PATCH /api/v1/admin/users/:id": { username: "renamed", email: "renamed@example.com" },
  "POST /api/v1/admin/support/:id/assign": { toUserId: null },
  // Its name is taken by what another test keeps.
  "PATCH /api/v1/admin/kept-answers/:id": { name: "Asked the network", message: "We write again today" },
  "POST /api/v1/admin/payments/:id/decision": { decision: "refunded", reason: "Paid twice" },
};

/** Bodies by method and path. `productId` is an MTN bundle at GH₵ 3.90. */
export function goodBodies(productId: number): Record<string, Body> {
  const withBody = routes.filter((route) => route.body);
  return Object.fromEntries(
    withBody.map(({ method, path, example }) => {
      const name = `${method} ${path}`;
      return [name, { ...adapted(example as Body, productId), ...INSTEAD[name] }];
    }),
  );
}

function adapted(example: Body, productId: number): Body {
  const fields = Object.entries(example).map(([name, value]) => {
    if (name === "productId") return [name, productId];
    if (name === "orders") return [name, (value as Body[]).map((line) => adapted(line, productId))];
    return [name, NOBODYS[name] ?? value];
  });
  return Object.fromEntries(fields);
}

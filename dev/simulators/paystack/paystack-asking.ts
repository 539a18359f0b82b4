// A client of the Paystack simulator, and a server that receives its webhooks, for the simulator's own tests.
import { createHmac } from "node:crypto";
import type { PaystackSimulator } from "./paystack.ts";

export type Row = {
  id: number;
  reference: string;
  status: string;
  message: string | null;
  code: string;
  metadata: unknown;
  paid_at: string | null;
  paidAt: string | null;
  authorization_url: string;
};
export type Answer = {
  status: number;
  /** The raw body. */
  text: string;
  body: { status: boolean; message: string; code?: string; data: Row; meta?: object };
  /** The data of a list answer. */
  rows: Row[];
};
export type Received = { body: string; signature: string | null };

export type PaystackClient = ReturnType<typeof createClient>;

/** A client with the simulator's own key. */
export function createClient(paystack: PaystackSimulator) {
  const send = (method: string, path: string, body?: object) =>
    fetch(paystack.url + path, {
      method,
      headers: { authorization: `Bearer ${paystack.secretKey}`, "content-type": "application/json" },
      body: body && JSON.stringify(body),
    });
  const get = (path: string) => read(send("GET", path));
  const post = (path: string, body: object) => read(send("POST", path, body));
  const initialize = (fields: object) =>
    post("/transaction/initialize", {
      email: "u1@pay.example.gh",
      amount: 2000,
      currency: "GHS",
      ...fields,
    });
  return {
    send,
    get,
    post,
    initialize,
    charge: (fields: ChargeFields) => post("/charge", chargeBody(fields)),
    verify: (reference: string) => get(`/transaction/verify/${reference}`),
    paid: async (reference: string) => {
      await initialize({ reference });
      await paystack.pay(reference);
    },
  };
}

export type ChargeFields = { reference?: string; phone?: string; provider?: string };

/** The body of a mobile money charge of GH₵ 20.00. */
export function chargeBody({ reference, phone = "0551234903", provider = "mtn" }: ChargeFields) {
  return {
    email: "u1@pay.example.gh",
    amount: 2000,
    currency: "GHS",
    reference,
    mobile_money: { phone, provider },
  };
}

/** A server for webhooks. It answers with the queued statuses, and otherwise 200. */
export function startShop() {
  const received: Received[] = [];
  const answers: number[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const signature = request.headers.get("x-paystack-signature");
      received.push({ body: await request.text(), signature });
      return new Response(null, { status: answers.shift() ?? 200 });
    },
  });
  const url = `http://127.0.0.1:${server.port}/webhooks/paystack`;
  return { url, received, answers, stop: () => server.stop(true) };
}

/** Checks a signature the documented way, independently of the simulator's code. */
export function isSignedWith(key: string): (received: Received) => boolean {
  return ({ body, signature }) => createHmac("sha512", key).update(body).digest("hex") === signature?.toLowerCase();
}

/** Waits without a limit; the test's own timeout applies. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(5);
}

async function read(responding: Promise<Response>): Promise<Answer> {
  const response = await responding;
  const text = await response.text();
  const body = JSON.parse(text) as Answer["body"];
  const rows = Array.isArray(body.data) ? (body.data as Row[]) : [];
  return { status: response.status, text, body, rows };
}

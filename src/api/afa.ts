// API routes for AFA registrations: agents register people and list them; admins process them and reveal card numbers.

import * as desk from "../core/afa/desk.ts";
import * as afa from "../core/afa/registrations.ts";
import * as products from "../core/catalog/products.ts";
import * as schemas from "../http/schemas/afa.ts";
import { IdParams } from "../http/schemas/common.ts";
import type { ErrorCode } from "../shared/errors/app-error.ts";
import { payingErrors } from "./orders.ts";
import { page, type Route, route } from "./route.ts";

const personExample = {
  fullName: "Akosua Mensah",
  phone: "0541234567",
  ghCardId: "GHA-123456789-0",
  location: "Kumasi, Adum",
};
const registrationExample = {
  ...personExample,
  id: 4711,
  userId: 12,
  ghCardId: "GHA-••••••789-0",
  amount: 5,
  state: "submitted",
  status: "PENDING",
  note: null,
  refundedAt: null,
  createdAt: "2026-11-21T09:30:00.000Z",
};
const adminExample = { ...registrationExample, username: "ama" };
const personErrors = [
  "afa.people_refused",
  "afa.card_invalid",
  "afa.card_registered",
  "afa.number_registered",
  "afa.number_not_mtn",
  "afa.person_repeated",
  "msisdn.invalid",
] as const satisfies ErrorCode[];

export const afaRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/afa/product",
    role: "user",
    scope: "read",
    summary: "The price of an AFA registration, and whether it is paused",
    answer: {
      status: 200,
      schema: schemas.AfaProduct.schema,
      example: { price: 5, paused: null, pausedUntil: null },
    },
    errors: ["product.not_found"],
    handle: async ({ db, by }) => ({ body: schemas.AfaProduct.present(await products.afa(db, by.userId)) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/afa",
    role: "user",
    scope: "buy",
    summary: "Register people for MTN AFA and pay from the wallet, all or none",
    takesKey: true,
    body: schemas.NewAfa,
    example: { people: [personExample], price: 5 },
    answer: {
      status: 201,
      schema: schemas.AfaPlaced.schema,
      example: { count: 1, amount: 5, balance: 115, registrations: [registrationExample] },
    },
    errors: [
      ...personErrors,
      "product.not_found",
      "product.paused",
      "order.price_changed",
      ...payingErrors,
      "request.rate_limited",
    ],
    handle: async ({ db, cards, by, key, body }) => {
      const input = { by, key, people: body.people, expectedPesewas: body.price };
      const { answer, replayed } = await afa.register(db, cards, input);
      return { body: schemas.AfaPlaced.present(answer), replayed };
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/afa",
    role: "user",
    scope: "read",
    summary: "The people you registered, newest first; card numbers are masked",
    query: schemas.AfaQuery,
    answer: { status: 200, schema: schemas.AfaRegistration.schema.array(), example: [registrationExample] },
    errors: [],
    handle: async ({ db, by, request, query: { limit, cursor, ...filter } }) =>
      page(
        request,
        await afa.list(db, { ...filter, userId: by.userId }, { limit, cursor }),
        limit,
        schemas.AfaRegistration.present,
      ),
  }),
];

export const adminAfa: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/afa",
    right: "afa.work",
    summary: "Everybody's AFA registrations, newest first; card numbers are masked",
    query: schemas.AfaQuery,
    answer: { status: 200, schema: schemas.AdminAfaRegistration.schema.array(), example: [adminExample] },
    errors: [],
    handle: async ({ db, request, query: { limit, cursor, ...filter } }) =>
      page(request, await afa.list(db, filter, { limit, cursor }), limit, schemas.AdminAfaRegistration.present),
  }),
  route({
    method: "PATCH",
    path: "/api/v1/admin/afa/:id/status",
    subject: "registration",
    right: "afa.work",
    mayAsk: true,
    summary:
      "Change a registration's status; FAILED takes a reason, refunds the agent and frees the card and the number",
    takesKey: true,
    params: IdParams,
    body: schemas.AfaMove,
    example: { status: "FAILED", reason: "The card has expired" },
    answer: {
      status: 200,
      schema: schemas.AdminAfaRegistration.schema,
      example: { ...adminExample, state: "refused", status: "FAILED", note: "The card has expired" },
    },
    errors: [
      "afa.not_found",
      "afa.reason_missing",
      "order.move_not_allowed",
      "order.case_open",
      "auth.own_account",
      "service.closed",
    ],
    handle: async ({ db, by, key, params, body: { status: to, reason } }) => {
      const { answer, replayed } = await desk.moveOne(db, { by, key, id: params.id, to, reason });
      return { body: schemas.AdminAfaRegistration.present(answer), replayed };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/afa/:id/reveal",
    subject: "registration",
    right: "cards.reveal",
    summary: "Reveal a full card number; every reveal is recorded in the audit log",
    params: IdParams,
    answer: {
      status: 200,
      schema: schemas.AfaCard,
      example: { id: 4711, ghCardId: personExample.ghCardId },
    },
    errors: ["afa.not_found", "request.rate_limited"],
    handle: async ({ db, cards, by, params }) => {
      const { id, cardNumber } = await desk.reveal(db, cards, { by, id: params.id });
      return { body: { id, ghCardId: cardNumber } };
    },
  }),
];

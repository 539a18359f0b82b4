// Agents' webhook endpoints, and the deliveries to them.

import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, text, unique } from "drizzle-orm/pg-core";
import { HOOK_DELIVERY_STATES, HOOK_PAUSES, type HookDeliveryState, type HookPause } from "../../src/shared/domain.ts";
import {
  HOOK_CHOICES,
  HOOK_EVENTS,
  HOOK_TOPICS,
  type HookChoice,
  type HookEvent,
} from "../../src/shared/hook-topics.ts";
import { id, identity, instant, oneOf } from "./columns.ts";
import { users } from "./identity.ts";

/** An endpoint that gets messages about its owner's orders and wallet, and about bundles. */
export const hooks = pgTable(
  "hooks",
  {
    id: identity(),
    userId: id()
      .notNull()
      .references(() => users.id),
    url: text().notNull(),
    description: text().notNull().default(""),
    /** The events that are sent to it. */
    events: text().array().$type<HookChoice[]>().notNull().default(sql`array['order.status_changed']`),
    /** Why it is paused; null while it is on. */
    pausedFor: text().$type<HookPause>(),
    /** The secret that signs messages, encrypted for its owner. */
    sealedSecret: text().notNull(),
    /** The previous secret, which signs as well until then. */
    previousSealedSecret: text(),
    previousUntil: instant(),
    /** The first failure since the last success. */
    failingSince: instant(),
    /** How often it has failed since then, and when it is called next at the earliest. */
    failures: integer().notNull().default(0),
    heldUntil: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    unique("hooks_url_once").on(t.userId, t.url),
    check("hooks_events_known", sql`cardinality(${t.events}) > 0 and ${t.events} <@ array[${oneOf(HOOK_CHOICES)}]`),
    check("hooks_pause_known", sql`${t.pausedFor} in (${oneOf(HOOK_PAUSES)})`),
    check("hooks_previous_has_end", sql`(${t.previousSealedSecret} is null) = (${t.previousUntil} is null)`),
  ],
);

const ORDER_TOPICS = HOOK_TOPICS.filter((topic) => topic.startsWith("order."));

/** A message for one endpoint, written in the commit of the change it reports; the worker sends it. */
export const hookDeliveries = pgTable(
  "hook_deliveries",
  {
    id: identity(),
    hookId: id()
      .notNull()
      .references(() => hooks.id, { onDelete: "cascade" }),
    event: text().$type<HookEvent>().notNull(),
    /** Of an event about an order; null for a test of one. */
    orderId: id(),
    /** An example that the owner asked for. A ping is a test as well, and is not marked. */
    isTest: boolean().notNull().default(false),
    /** The exact body that is signed and sent on every attempt. */
    body: text().notNull(),
    state: text().$type<HookDeliveryState>().notNull().default("waiting"),
    /** How often it was sent, counted before the call so that a late answer to an earlier attempt is recognised. */
    attempts: integer().notNull().default(0),
    /** Attempts since it was last queued, which determine the next interval. */
    tries: integer().notNull().default(0),
    /** When it is sent next; while it is being sent, when its lease ends. */
    dueAt: instant().notNull().defaultNow(),
    /** The last answer's status, or why there was none. */
    lastStatus: integer(),
    lastError: text(),
    createdAt: instant().notNull().defaultNow(),
    endedAt: instant(),
  },
  (t) => [
    index("hook_deliveries_hook").on(t.hookId, t.id),
    index("hook_deliveries_due").on(t.hookId, t.dueAt, t.id).where(sql`${t.state} in ('waiting', 'sending')`),
    index("hook_deliveries_age").on(t.createdAt),
    check("hook_deliveries_event_known", sql`${t.event} in (${oneOf(HOOK_EVENTS)})`),
    check("hook_deliveries_state_known", sql`${t.state} in (${oneOf(HOOK_DELIVERY_STATES)})`),
    check(
      "hook_deliveries_order_of_change",
      sql`(${t.orderId} is not null) = (${t.event} in (${oneOf(ORDER_TOPICS)}) and not ${t.isTest})`,
    ),
    check("hook_deliveries_over_has_end", sql`(${t.endedAt} is not null) = (${t.state} in ('delivered', 'failed'))`),
  ],
);

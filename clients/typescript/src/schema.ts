// Generated from the shop's OpenAPI description by `bun run client`. Do not edit.

/** The calls that take an idempotency key. */
export const KEYED: ReadonlySet<string> = new Set([
  "post /wallet/spend",
  "post /orders",
  "post /orders/bulk",
  "post /orders/{id}/cancel",
  "post /orders/{id}/not-received",
  "post /webhooks",
  "post /webhooks/{id}/secret",
  "post /webhooks/{id}/test",
  "post /webhooks/deliveries/{id}/resend",
]);

export interface paths {
    "/api/v1/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is on sale, by operator and price */
        get: operations["getProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The operators; which of them are paused, why and until when */
        get: operations["getOperators"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The balance, how much of it is held or available, and what is owed */
        get: operations["getWalletBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The wallet's transactions, newest first */
        get: operations["getWalletTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every transaction between two dates, with the balances before and after; format=csv for a spreadsheet */
        get: operations["getWalletStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/spend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pay an existing order from the wallet, once */
        post: operations["postWalletSpend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The limits of your account and what is left of each; null: no such limit */
        get: operations["getWalletLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your own orders, newest first */
        get: operations["getOrders"];
        put?: never;
        /** Create an order; with `pay: "wallet"` it is paid from the wallet at once */
        post: operations["postOrders"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Place many orders from the wallet, all or none */
        post: operations["postOrdersBulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/bulk/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Check a bulk order line by line without placing it */
        post: operations["postOrdersBulkPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One of your orders (for staff, any order), with its timeline */
        get: operations["getOrdersId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel an order that has not been sent yet; what was paid is returned to the wallet */
        post: operations["postOrdersIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{id}/not-received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report a delivered order as not received; without a decision by `dueAt` it is refunded */
        post: operations["postOrdersIdNotReceived"];
        /** Withdraw the report: the order has arrived after all */
        delete: operations["deleteOrdersIdNotReceived"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your webhooks, oldest first */
        get: operations["getWebhooks"];
        put?: never;
        /** Add a webhook for changes of your orders' status; it starts once it has answered a test. The secret is shown once */
        post: operations["postWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One of your webhooks */
        get: operations["getWebhooksId"];
        put?: never;
        post?: never;
        /** Remove a webhook with all its deliveries */
        delete: operations["deleteWebhooksId"];
        options?: never;
        head?: never;
        /** Change a webhook's address or description, or turn it on or off; after a new address or turning it on, it starts once it has answered a test */
        patch: operations["patchWebhooksId"];
        trace?: never;
    };
    "/api/v1/webhooks/{id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a new secret, shown once; the old one signs alongside it for 24 hours */
        post: operations["postWebhooksIdSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send one ping to a webhook; its deliveries show the result. A 2xx turns on a webhook that was never proven */
        post: operations["postWebhooksIdTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A webhook's messages of the last 14 days, sent and waiting, newest first */
        get: operations["getWebhooksIdDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/deliveries/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a message again, under the same webhook-id */
        post: operations["postWebhooksDeliveriesIdResend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "order.status_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The status of one of your orders has changed
         * @description Signed as in Standard Webhooks: webhook-id, webhook-timestamp, webhook-signature.
         */
        post: operations["orderStatusChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    ping: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * You asked for a test message
         * @description Signed as in Standard Webhooks: webhook-id, webhook-timestamp, webhook-signature.
         */
        post: operations["ping"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Balance: {
            /** @description GH₵, at most two decimals */
            balance: number;
            /** @description The part that cannot be spent while a chargeback is open; it may exceed the balance */
            held: number;
            /** @description What the account owes; money that comes in pays it first */
            owed: number;
            /** @description What can be spent */
            available: number;
        };
        BulkOrder: {
            /** @description The lines of the order */
            orders: components["schemas"]["OrderLine"][];
            /**
             * @description true: the same bundle for the same number within ten minutes is intended
             * @default false
             */
            allowDuplicate?: boolean;
        };
        BulkPlaced: {
            count: number;
            /** @description The bulk order that it belongs to */
            bulkOrderId: number;
            /** @description GH₵, at most two decimals */
            amount: number;
            /** @description GH₵, at most two decimals */
            balance: number;
            /** @description The lines of the order */
            orders: components["schemas"]["Order"][];
        };
        BulkPreview: {
            /** @description The lines of the order */
            orders: {
                /** @description The bundle's id, from GET /products */
                productId: number;
                /**
                 * @description The network's code, from GET /operators
                 * @example MTN
                 * @example AIRTELTIGO
                 * @example TELECEL
                 */
                operator?: string;
                /** @description The recipient's number, as people write it: 0541234567 or +233 54 123 4567 */
                msisdn: string;
                /**
                 * @description How many of the bundle
                 * @default 1
                 */
                quantity?: number;
                /** @description Price times quantity in GH₵, as you expect it; refused if it differs */
                amount?: number;
            }[];
            /**
             * @description true: the same bundle for the same number within ten minutes is intended
             * @default false
             */
            allowDuplicate?: boolean;
        };
        BulkPreviewed: {
            lines: {
                line: number;
                /** @description The recipient's number, as people write it: 0541234567 or +233 54 123 4567 */
                msisdn: string | null;
                /** @description From the prefix; the number may have been ported */
                operatorGuess: string | null;
                /** @description The bundle's id, from GET /products */
                productId: number;
                /** @description The network's code, from GET /operators */
                operator: string | null;
                /** @description How many of the bundle */
                quantity: number;
                amount: number | null;
                code: string | null;
                message: string | null;
                sameAsLine: number | null;
                /** @description product.paused: the reason and the end */
                paused: components["schemas"]["Paused"] | null;
            }[];
            goodCount: number;
            /** @description The sum of the good lines */
            total: number;
            /** @description GH₵, at most two decimals */
            balance: number;
            /** @description null: the balance is too low */
            balanceAfter: number | null;
            /** @description How many of the good lines, from the first, the wallet can pay */
            affordableCount: number;
            /** @description How many of those your limits let through */
            placeableCount: number;
            /** @description The limit that would refuse all of the good lines */
            limit: {
                code: string;
                message: string;
                /** @description GH₵ today (order.daily_limit), or orders in this hour (order.hourly_limit) */
                left: number;
                /** Format: date-time */
                renewsAt: string;
            } | null;
        };
        Done: {
            /** @constant */
            ok: true;
        };
        Failure: {
            /** @enum {string} */
            code: "request.malformed" | "request.key_invalid" | "request.invalid" | "request.content_type" | "request.too_large" | "request.not_found" | "request.key_reused" | "request.foreign_origin" | "month.not_over" | "month.earlier_open" | "receipt.unpaid" | "receipt.no_legal_name" | "auth.required" | "auth.session_ended" | "auth.bad_credentials" | "auth.banned" | "auth.password_outgrown" | "auth.forbidden" | "auth.own_account" | "auth.confirm_needed" | "auth.second_factor_required" | "auth.second_step_ended" | "auth.second_factor_missing" | "factor.wrong" | "factor.exists" | "factor.none" | "factor.own" | "approval.needed" | "approval.nobody" | "approval.open_already" | "approval.not_found" | "approval.decided" | "approval.expired" | "approval.outdated" | "approval.own" | "approval.not_own" | "approval.concerns_you" | "approval.too_new" | "user.not_found" | "user.username_taken" | "user.username_refused" | "user.own_account" | "user.email_taken" | "user.current_password_wrong" | "user.password_common" | "user.password_short" | "user.admin_password_short" | "user.one_role" | "user.last_admin" | "user.own_admin" | "user.has_balance" | "user.owes" | "user.has_open_orders" | "user.closed" | "code.wrong" | "account.claimed" | "account.unclaimed" | "code.no_channel" | "phone.taken" | "pin.invalid" | "pin.trivial" | "pin.no_phone" | "product.not_found" | "product.paused" | "pause.message_missing" | "pause.end_invalid" | "product.exists" | "product.fixed" | "product.size_invalid" | "product.family_wrong" | "product.ussd_number_invalid" | "product.ussd_number_taken" | "product.price_needs_confirmation" | "cost.vendor_unknown" | "cost.twice" | "cost.changed_meanwhile" | "cost.reason_missing" | "cost.raise_changed" | "tier.not_found" | "tier.exists" | "tier.too_many" | "tier.standard_stays" | "tier.has_accounts" | "price.needs_confirmation" | "price.changed_meanwhile" | "price.standard_needed" | "price.from_invalid" | "price.repeated" | "price.change_not_found" | "price.change_begun" | "price.change_planned" | "price.undone_already" | "price.nothing_to_undo" | "privacy.notice_invalid" | "privacy.notice_changed" | "operator.not_found" | "operator.exists" | "operator.name_taken" | "operator.path_taken" | "operator.color_unreadable" | "operator.prefix_taken" | "operator.ussd_number_taken" | "operator.retired" | "operator.last" | "operator.has_afa" | "operator.merge_into_itself" | "operator.merge_same_bundle" | "msisdn.invalid" | "order.quantity_invalid" | "order.price_changed" | "order.operator_mismatch" | "order.duplicate" | "order.daily_limit" | "order.not_found" | "order.unpaid" | "order.below_cost" | "order.already_paid" | "order.not_payable" | "order.not_cancellable" | "order.move_not_allowed" | "order.case_open" | "order.not_refunded" | "order.refund_changed" | "order.refund_too_old" | "order.refund_final" | "order.refund_spent" | "order.evidence_missing" | "order.handed_over" | "desk.nothing_waiting" | "desk.batch_not_found" | "desk.batch_changed" | "desk.batch_touched" | "desk.nobody_to_take_it" | "desk.result_not_found" | "desk.result_applied" | "attention.note_missing" | "vendor.not_found" | "order.held" | "signal.not_found" | "signal.closed" | "signal.not_held" | "signal.note_missing" | "signal.rule_not_found" | "signal.rule_changed" | "signal.preview_too_long" | "bulk.lines_refused" | "bulk.line_unclear" | "bulk.number_rounded" | "bulk.figure_unclear" | "bulk.size_missing" | "bulk.size_not_sold" | "bulk.bundle_unclear" | "bulk.network_missing" | "bulk.network_unconfirmed" | "bulk.list_changed" | "bulk.reader_busy" | "bulk.not_found" | "draft.not_found" | "draft.too_many" | "wallet.insufficient_balance" | "wallet.statement_too_long" | "payment.below_minimum" | "payment.not_found" | "payment.not_payable" | "payment.in_progress" | "payment.not_in_review" | "payment.choice_missing" | "payment.email_missing" | "payment.refused" | "payment.gateway_down" | "payment.unverified" | "claim.not_found" | "claim.below_minimum" | "claim.transaction_id_invalid" | "claim.filed_already" | "claim.decided" | "claim.credited_already" | "claim.amount_differs" | "claim.not_in_statement" | "claim.moved" | "claim.reversed" | "claim.reversal_not_found" | "claim.reversal_decided" | "statement.not_found" | "statement.empty" | "statement.too_long" | "statement.line_invalid" | "cash.not_found" | "cash.to_whom" | "cash.nothing" | "cash.moved" | "cash.reason_missing" | "cash.closed_today" | "cash.decided" | "cash.safe_short" | "cash.slip_known" | "payout.not_found" | "payout.known" | "payout.too_much" | "payout.moved" | "wallet.in_use" | "wallet.nothing_to_pay_out" | "wallet.moved" | "wallet.payout_known" | "afa.people_refused" | "afa.card_invalid" | "afa.card_registered" | "afa.number_registered" | "afa.number_not_mtn" | "afa.person_repeated" | "afa.not_found" | "afa.reason_missing" | "support.not_found" | "support.is_case" | "message.not_found" | "message.not_again" | "case.not_found" | "case.filed_already" | "case.not_delivered" | "case.too_late" | "case.decided" | "case.proof_missing" | "request.timeout" | "service.unavailable" | "service.busy" | "service.closed" | "service.failed" | "text.not_found" | "text.invalid" | "text.changed" | "view.not_found" | "view.empty" | "view.exists" | "view.too_many" | "webhook.not_found" | "webhook.delivery_not_found" | "webhook.url_refused" | "webhook.exists" | "webhook.too_many" | "webhook.paused" | "request.in_progress" | "request.rate_limited" | "account.frozen" | "freeze.none" | "freeze.end_invalid" | "wait.none" | "order.hourly_limit" | "payment.daily_limit" | "payment.balance_limit" | "order.unpaid_too_many";
            message: string;
            details?: components["schemas"]["FailureDetails"];
            /** @description Whether the same request may succeed later, unchanged and with the same key */
            retryable: boolean;
            requestId: string;
        };
        FailureDetails: {
            /** @description What is wrong with each field, by its path */
            fields?: {
                [key: string]: string;
            };
            /** @description The refused lines of a bulk order */
            lines?: {
                /** @description Counted from 1 */
                line: number;
                /** @enum {string} */
                code: "request.malformed" | "request.key_invalid" | "request.invalid" | "request.content_type" | "request.too_large" | "request.not_found" | "request.key_reused" | "request.foreign_origin" | "month.not_over" | "month.earlier_open" | "receipt.unpaid" | "receipt.no_legal_name" | "auth.required" | "auth.session_ended" | "auth.bad_credentials" | "auth.banned" | "auth.password_outgrown" | "auth.forbidden" | "auth.own_account" | "auth.confirm_needed" | "auth.second_factor_required" | "auth.second_step_ended" | "auth.second_factor_missing" | "factor.wrong" | "factor.exists" | "factor.none" | "factor.own" | "approval.needed" | "approval.nobody" | "approval.open_already" | "approval.not_found" | "approval.decided" | "approval.expired" | "approval.outdated" | "approval.own" | "approval.not_own" | "approval.concerns_you" | "approval.too_new" | "user.not_found" | "user.username_taken" | "user.username_refused" | "user.own_account" | "user.email_taken" | "user.current_password_wrong" | "user.password_common" | "user.password_short" | "user.admin_password_short" | "user.one_role" | "user.last_admin" | "user.own_admin" | "user.has_balance" | "user.owes" | "user.has_open_orders" | "user.closed" | "code.wrong" | "account.claimed" | "account.unclaimed" | "code.no_channel" | "phone.taken" | "pin.invalid" | "pin.trivial" | "pin.no_phone" | "product.not_found" | "product.paused" | "pause.message_missing" | "pause.end_invalid" | "product.exists" | "product.fixed" | "product.size_invalid" | "product.family_wrong" | "product.ussd_number_invalid" | "product.ussd_number_taken" | "product.price_needs_confirmation" | "cost.vendor_unknown" | "cost.twice" | "cost.changed_meanwhile" | "cost.reason_missing" | "cost.raise_changed" | "tier.not_found" | "tier.exists" | "tier.too_many" | "tier.standard_stays" | "tier.has_accounts" | "price.needs_confirmation" | "price.changed_meanwhile" | "price.standard_needed" | "price.from_invalid" | "price.repeated" | "price.change_not_found" | "price.change_begun" | "price.change_planned" | "price.undone_already" | "price.nothing_to_undo" | "privacy.notice_invalid" | "privacy.notice_changed" | "operator.not_found" | "operator.exists" | "operator.name_taken" | "operator.path_taken" | "operator.color_unreadable" | "operator.prefix_taken" | "operator.ussd_number_taken" | "operator.retired" | "operator.last" | "operator.has_afa" | "operator.merge_into_itself" | "operator.merge_same_bundle" | "msisdn.invalid" | "order.quantity_invalid" | "order.price_changed" | "order.operator_mismatch" | "order.duplicate" | "order.daily_limit" | "order.not_found" | "order.unpaid" | "order.below_cost" | "order.already_paid" | "order.not_payable" | "order.not_cancellable" | "order.move_not_allowed" | "order.case_open" | "order.not_refunded" | "order.refund_changed" | "order.refund_too_old" | "order.refund_final" | "order.refund_spent" | "order.evidence_missing" | "order.handed_over" | "desk.nothing_waiting" | "desk.batch_not_found" | "desk.batch_changed" | "desk.batch_touched" | "desk.nobody_to_take_it" | "desk.result_not_found" | "desk.result_applied" | "attention.note_missing" | "vendor.not_found" | "order.held" | "signal.not_found" | "signal.closed" | "signal.not_held" | "signal.note_missing" | "signal.rule_not_found" | "signal.rule_changed" | "signal.preview_too_long" | "bulk.lines_refused" | "bulk.line_unclear" | "bulk.number_rounded" | "bulk.figure_unclear" | "bulk.size_missing" | "bulk.size_not_sold" | "bulk.bundle_unclear" | "bulk.network_missing" | "bulk.network_unconfirmed" | "bulk.list_changed" | "bulk.reader_busy" | "bulk.not_found" | "draft.not_found" | "draft.too_many" | "wallet.insufficient_balance" | "wallet.statement_too_long" | "payment.below_minimum" | "payment.not_found" | "payment.not_payable" | "payment.in_progress" | "payment.not_in_review" | "payment.choice_missing" | "payment.email_missing" | "payment.refused" | "payment.gateway_down" | "payment.unverified" | "claim.not_found" | "claim.below_minimum" | "claim.transaction_id_invalid" | "claim.filed_already" | "claim.decided" | "claim.credited_already" | "claim.amount_differs" | "claim.not_in_statement" | "claim.moved" | "claim.reversed" | "claim.reversal_not_found" | "claim.reversal_decided" | "statement.not_found" | "statement.empty" | "statement.too_long" | "statement.line_invalid" | "cash.not_found" | "cash.to_whom" | "cash.nothing" | "cash.moved" | "cash.reason_missing" | "cash.closed_today" | "cash.decided" | "cash.safe_short" | "cash.slip_known" | "payout.not_found" | "payout.known" | "payout.too_much" | "payout.moved" | "wallet.in_use" | "wallet.nothing_to_pay_out" | "wallet.moved" | "wallet.payout_known" | "afa.people_refused" | "afa.card_invalid" | "afa.card_registered" | "afa.number_registered" | "afa.number_not_mtn" | "afa.person_repeated" | "afa.not_found" | "afa.reason_missing" | "support.not_found" | "support.is_case" | "message.not_found" | "message.not_again" | "case.not_found" | "case.filed_already" | "case.not_delivered" | "case.too_late" | "case.decided" | "case.proof_missing" | "request.timeout" | "service.unavailable" | "service.busy" | "service.closed" | "service.failed" | "text.not_found" | "text.invalid" | "text.changed" | "view.not_found" | "view.empty" | "view.exists" | "view.too_many" | "webhook.not_found" | "webhook.delivery_not_found" | "webhook.url_refused" | "webhook.exists" | "webhook.too_many" | "webhook.paused" | "request.in_progress" | "request.rate_limited" | "account.frozen" | "freeze.none" | "freeze.end_invalid" | "wait.none" | "order.hourly_limit" | "payment.daily_limit" | "payment.balance_limit" | "order.unpaid_too_many";
                message: string;
                /** @description product.paused: the reason and the end */
                paused?: components["schemas"]["Paused"];
            }[];
            retryAfterSeconds?: number;
            /** @description approval.open_already: the request that is open */
            approvalId?: number;
            /** @description approval.outdated: what whoever asked saw */
            seen?: {
                [key: string]: unknown;
            };
            /** @description approval.outdated: what it is now */
            found?: {
                [key: string]: unknown;
            };
            /** @description wallet.insufficient_balance: what it costs */
            required?: number;
            /** @description wallet.insufficient_balance: the wallet's balance */
            balance?: number;
            /** @description wallet.insufficient_balance: the part held for a chargeback */
            held?: number;
            /** @description wallet.insufficient_balance: what can be spent */
            available?: number;
            /** @description wallet.insufficient_balance: how much to top up */
            missing?: number;
            /** @description wallet.insufficient_balance: how many lines of a bulk order, from the first, you can pay */
            affordableCount?: number;
            /** @description order.price_changed: the current price of one */
            currentPrice?: number;
            /** @description order.price_changed: the current amount of the order */
            currentAmount?: number;
            /** @description order.duplicate: the earlier order */
            orderId?: number;
            /**
             * Format: date-time
             * @description order.duplicate: when it was placed
             */
            orderedAt?: string;
            /** @description product.price_needs_confirmation: its price now, or that of others of its size */
            oldPrice?: number;
            /** @description product.price_needs_confirmation: the price you sent */
            newPrice?: number;
            /** @description product.paused: the shop's message */
            message?: string;
            /** @description product.paused: when it can be bought again; null: unknown */
            until?: string | null;
        };
        Hook: {
            id: number;
            url: string;
            description: string;
            enabled: boolean;
            /** @description owner: you turned it off; failing: nothing arrived for days; gone: it answered 410; unproven: it has not answered a test yet */
            pausedFor: ("owner" | "failing" | "gone" | "unproven") | null;
            /** @description The first failure since the last message that arrived */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description When it was created
             */
            createdAt: string;
        };
        HookChange: {
            /** @description https, on the public internet, on port 443 */
            url?: string;
            /** @description For yourself */
            description?: string;
            /** @description false: nothing is sent, and waiting messages fail. true: a test is sent, and a 2xx answer turns it on */
            enabled?: boolean;
        };
        HookDelivery: {
            id: number;
            /** @description The header webhook-id, the same each time it is sent */
            messageId: string;
            /** @description The webhook's id */
            webhookId: number;
            /** @enum {string} */
            type: "order.status_changed" | "ping";
            /** @description The order's id */
            orderId: number | null;
            /** @enum {string} */
            status: "waiting" | "sending" | "delivered" | "failed";
            /** @description How many times it was sent */
            attempts: number;
            /** @description The status of the last answer; null if there was none */
            responseStatus: number | null;
            /** @description Why the last attempt failed */
            error: string | null;
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When it was created
             */
            createdAt: string;
            endedAt: string | null;
        };
        HookWithSecret: {
            id: number;
            url: string;
            description: string;
            enabled: boolean;
            /** @description owner: you turned it off; failing: nothing arrived for days; gone: it answered 410; unproven: it has not answered a test yet */
            pausedFor: ("owner" | "failing" | "gone" | "unproven") | null;
            /** @description The first failure since the last message that arrived */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description When it was created
             */
            createdAt: string;
            /** @description Shown only once: whsec_ and 32 bytes as base64; null when a request is repeated */
            secret: string | null;
        };
        NewHook: {
            /** @description https, on the public internet, on port 443 */
            url: string;
            /**
             * @description For yourself
             * @default
             */
            description?: string;
        };
        NewOrder: {
            /** @description The bundle's id, from GET /products */
            productId: number;
            /**
             * @description If given, the product must belong to it
             * @example MTN
             * @example AIRTELTIGO
             * @example TELECEL
             */
            operator?: string;
            /** @description The recipient's number, as people write it: 0541234567 or +233 54 123 4567 */
            msisdn: string;
            /**
             * @description How many of the bundle
             * @default 1
             */
            quantity?: number;
            /** @description Price times quantity in GH₵, as you expect it; refused if it differs */
            amount?: number;
            /**
             * @description Pays from the wallet at once; without it the order stays unpaid
             * @constant
             */
            pay?: "wallet";
            /**
             * @description true: the same bundle for the same number within ten minutes is intended
             * @default false
             */
            allowDuplicate?: boolean;
        };
        NotReceived: {
            /**
             * @description What you or your customer saw
             * @default
             */
            message?: string;
        };
        OperatorState: {
            /**
             * @description The network's code, from GET /operators
             * @example MTN
             * @example AIRTELTIGO
             * @example TELECEL
             */
            operator: string;
            name: string;
            paused: boolean;
            message: string | null;
            since: string | null;
            /** @description When it sells again by itself; null: unknown, or not paused */
            until: string | null;
        };
        Order: {
            id: number;
            /** @description The account's id */
            userId: number;
            /**
             * @description The network's code, from GET /operators
             * @example MTN
             * @example AIRTELTIGO
             * @example TELECEL
             */
            operator: string;
            /** @description The bundle's id, from GET /products */
            productId: number;
            /** @description Its name: MTN 1GB */
            product: string;
            /** @description The amount of data: 1GB, 500MB */
            size: string;
            /** @description The recipient's number, 0541234567 */
            msisdn: string;
            /** @description How many of the bundle */
            quantity: number;
            /** @description GH₵, at most two decimals */
            amount: number;
            status: components["schemas"]["OrderStatus"];
            /** @description Whether it has been paid */
            paid: boolean;
            /** @description When it was paid */
            paidAt: string | null;
            paymentMethod: ("wallet" | "paystack" | "cash") | null;
            /** @description When its money went back to the wallet; null: it did not */
            refundedAt: string | null;
            /** @description The bulk order that it belongs to */
            bulkOrderId: number | null;
            note: string | null;
            /**
             * Format: date-time
             * @description When it was created
             */
            createdAt: string;
        };
        OrderEvent: {
            /** Format: date-time */
            at: string;
            event: string;
            /** @description The kind of delivery event */
            code: ("queued" | "sent" | "checking" | "working" | "held" | "waiting" | "resending" | "refused" | "delivered" | "delivered_late" | "taken_back") | null;
            from: components["schemas"]["OrderStatus"] | null;
            to: components["schemas"]["OrderStatus"] | null;
            note: string | null;
            /** @description Only staff see it */
            internal: boolean;
        };
        OrderLine: {
            /** @description The bundle's id, from GET /products */
            productId: number;
            /**
             * @description If given, the product must belong to it
             * @example MTN
             * @example AIRTELTIGO
             * @example TELECEL
             */
            operator?: string;
            /** @description The recipient's number, as people write it: 0541234567 or +233 54 123 4567 */
            msisdn: string;
            /**
             * @description How many of the bundle
             * @default 1
             */
            quantity?: number;
            /** @description Price times quantity in GH₵, as you expect it; refused if it differs */
            amount?: number;
        };
        OrderMessage: {
            /** @constant */
            type: "order.status_changed";
            /** @description When it happened, with microseconds; comparing the texts compares the times */
            timestamp: string;
            /** @description The order right after the change */
            data: {
                id: number;
                /** @description The account's id */
                userId: number;
                /**
                 * @description The network's code, from GET /operators
                 * @example MTN
                 * @example AIRTELTIGO
                 * @example TELECEL
                 */
                operator: string;
                /** @description The bundle's id, from GET /products */
                productId: number;
                /** @description Its name: MTN 1GB */
                product: string;
                /** @description The amount of data: 1GB, 500MB */
                size: string;
                /** @description The recipient's number, 0541234567 */
                msisdn: string;
                /** @description How many of the bundle */
                quantity: number;
                /** @description GH₵, at most two decimals */
                amount: number;
                status: components["schemas"]["OrderStatus"];
                /** @description Whether it has been paid */
                paid: boolean;
                /** @description When it was paid */
                paidAt: string | null;
                paymentMethod: ("wallet" | "paystack" | "cash") | null;
                /** @description When its money went back to the wallet; null: it did not */
                refundedAt: string | null;
                /** @description The bulk order that it belongs to */
                bulkOrderId: number | null;
                note: string | null;
                /**
                 * Format: date-time
                 * @description When it was created
                 */
                createdAt: string;
                amountPesewas: number;
                previousStatus: components["schemas"]["OrderStatus"];
            };
        };
        /** @enum {string} */
        OrderStatus: "PENDING" | "PAID" | "PROCESSING" | "DELIVERED" | "COMPLETED" | "FAILED";
        OrderWithTimeline: {
            id: number;
            /** @description The account's id */
            userId: number;
            /**
             * @description The network's code, from GET /operators
             * @example MTN
             * @example AIRTELTIGO
             * @example TELECEL
             */
            operator: string;
            /** @description The bundle's id, from GET /products */
            productId: number;
            /** @description Its name: MTN 1GB */
            product: string;
            /** @description The amount of data: 1GB, 500MB */
            size: string;
            /** @description The recipient's number, 0541234567 */
            msisdn: string;
            /** @description How many of the bundle */
            quantity: number;
            /** @description GH₵, at most two decimals */
            amount: number;
            status: components["schemas"]["OrderStatus"];
            /** @description Whether it has been paid */
            paid: boolean;
            /** @description When it was paid */
            paidAt: string | null;
            paymentMethod: ("wallet" | "paystack" | "cash") | null;
            /** @description When its money went back to the wallet; null: it did not */
            refundedAt: string | null;
            /** @description The bulk order that it belongs to */
            bulkOrderId: number | null;
            note: string | null;
            /**
             * Format: date-time
             * @description When it was created
             */
            createdAt: string;
            /** @description What a paid, undelivered order is waiting for, and until when */
            outlook: components["schemas"]["Outlook"] | null;
            timeline: components["schemas"]["OrderEvent"][];
        };
        Outlook: {
            /** @enum {string} */
            state: "promised" | "number_held" | "with_network" | "being_sent" | "checking";
            until: string | null;
            message: string;
        };
        Paused: {
            /** @description The shop's message */
            message: string;
            /** @description When it can be bought again; null: unknown */
            until: string | null;
        };
        PingMessage: {
            /** @constant */
            type: "ping";
            /** @description When you requested it */
            timestamp: string;
            data: {
                /** @description The webhook's id */
                webhookId: number;
            };
        };
        PlacedOrder: {
            id: number;
            /** @description The account's id */
            userId: number;
            /**
             * @description The network's code, from GET /operators
             * @example MTN
             * @example AIRTELTIGO
             * @example TELECEL
             */
            operator: string;
            /** @description The bundle's id, from GET /products */
            productId: number;
            /** @description Its name: MTN 1GB */
            product: string;
            /** @description The amount of data: 1GB, 500MB */
            size: string;
            /** @description The recipient's number, 0541234567 */
            msisdn: string;
            /** @description How many of the bundle */
            quantity: number;
            /** @description GH₵, at most two decimals */
            amount: number;
            status: components["schemas"]["OrderStatus"];
            /** @description Whether it has been paid */
            paid: boolean;
            /** @description When it was paid */
            paidAt: string | null;
            paymentMethod: ("wallet" | "paystack" | "cash") | null;
            /** @description When its money went back to the wallet; null: it did not */
            refundedAt: string | null;
            /** @description The bulk order that it belongs to */
            bulkOrderId: number | null;
            note: string | null;
            /**
             * Format: date-time
             * @description When it was created
             */
            createdAt: string;
            /** @description The wallet's balance afterwards, if the order was paid */
            balance?: number;
        };
        Product: {
            id: number;
            /**
             * @description The network's code, from GET /operators
             * @example MTN
             * @example AIRTELTIGO
             * @example TELECEL
             */
            operator: string;
            /** @description The kind of bundle; null for AFA registrations */
            family: string | null;
            name: string;
            /** @description The amount of data: 1GB, 500MB */
            size: string;
            /** @description GH₵, at most two decimals */
            price: number;
            /** @description Why it cannot be bought now; null: it can */
            paused: string | null;
            /** @description When it can be bought again; null: unknown, or not paused */
            pausedUntil: string | null;
        };
        Spend: {
            /** @description The order's id */
            orderId: number;
            /** @description The order's amount, as you expect it; refused if it differs */
            amount?: number;
            /** @description For yourself; it is in the wallet's history */
            note?: string;
        };
        Spent: {
            /** @description The order's id */
            orderId: number;
            /** @description GH₵, at most two decimals */
            amount: number;
            /** @description GH₵, at most two decimals */
            balance: number;
            status: components["schemas"]["OrderStatus"];
            order: components["schemas"]["Order"];
        };
        Statement: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @description GH₵, at most two decimals */
            openingBalance: number;
            /** @description GH₵, at most two decimals */
            closingBalance: number;
            transactions: components["schemas"]["WalletTransaction"][];
        };
        SupportRequest: {
            id: number;
            /** @enum {string} */
            kind: "request" | "not_received";
            /** @enum {string} */
            status: "open" | "answered" | "closed";
            /** @description The order's id */
            orderId: number | null;
            claimId: number | null;
            subject: string | null;
            message: string;
            /** @description Without a decision by then, the order is refunded automatically */
            dueAt: string | null;
            outcome: ("delivered" | "refunded" | "withdrawn") | null;
            /** @description The proof of delivery */
            proof: string | null;
            /**
             * Format: date-time
             * @description When it was created
             */
            createdAt: string;
        };
        WalletTransaction: {
            id: number;
            /** @enum {string} */
            type: "TOPUP" | "SPEND" | "REFUND" | "ADJUST" | "REVERSAL" | "PAYOUT";
            /** @description Always positive; `change` has the sign */
            amount: number;
            /** @description GH₵, at most two decimals */
            change: number;
            /** @description GH₵, at most two decimals */
            balanceAfter: number;
            /** @constant */
            status: "COMPLETED";
            description: string;
            /** @description The order's id */
            orderId: number | null;
            paymentReference: string | null;
            /**
             * Format: date-time
             * @description When it was created
             */
            createdAt: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Identifies this request in our log; quote it when you contact support */
        "x-request-id": string;
        /** @description </api/v1/…?cursor=…>; rel="next": the next page, if there may be more (RFC 8288) */
        Link: string;
        /** @description true: this repeats the first answer to the same key; nothing was done again */
        "Idempotency-Replayed": "true";
        /** @description Seconds to wait before you try again */
        "Retry-After": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getProducts: {
        parameters: {
            query?: {
                /** @description The network's code, from GET /operators */
                operator?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 1,
                     *         "operator": "MTN",
                     *         "family": "MTN",
                     *         "name": "MTN 1GB",
                     *         "size": "1GB",
                     *         "price": 3.9,
                     *         "paused": null,
                     *         "pausedUntil": null
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Product"][];
                };
            };
        };
    };
    getOperators: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "operator": "MTN",
                     *         "name": "MTN",
                     *         "paused": false,
                     *         "message": null,
                     *         "since": null,
                     *         "until": null
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["OperatorState"][];
                };
            };
        };
    };
    getWalletBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "balance": 120,
                     *       "held": 0,
                     *       "owed": 0,
                     *       "available": 120
                     *     }
                     */
                    "application/json": components["schemas"]["Balance"];
                };
            };
        };
    };
    getWalletTransactions: {
        parameters: {
            query?: {
                /** @description How many, newest first */
                limit?: number;
                /** @description The id to continue after, from the Link header */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 90,
                     *         "type": "SPEND",
                     *         "amount": 3.9,
                     *         "change": -3.9,
                     *         "balanceAfter": 116.1,
                     *         "status": "COMPLETED",
                     *         "description": "MTN 1GB for 0541234567",
                     *         "orderId": 4711,
                     *         "paymentReference": null,
                     *         "createdAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["WalletTransaction"][];
                };
            };
        };
    };
    getWalletStatement: {
        parameters: {
            query: {
                /** @description The first moment, or the first day */
                from: string;
                /** @description The moment after the last, or the last day, which is included whole */
                to: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "from": "2026-11-01T00:00:00.000Z",
                     *       "to": "2026-12-01T00:00:00.000Z",
                     *       "openingBalance": 120,
                     *       "closingBalance": 116.1,
                     *       "transactions": [
                     *         {
                     *           "id": 90,
                     *           "type": "SPEND",
                     *           "amount": 3.9,
                     *           "change": -3.9,
                     *           "balanceAfter": 116.1,
                     *           "status": "COMPLETED",
                     *           "description": "MTN 1GB for 0541234567",
                     *           "orderId": 4711,
                     *           "paymentReference": null,
                     *           "createdAt": "2026-11-21T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Statement"];
                };
            };
        };
    };
    postWalletSpend: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "orderId": 4711,
                 *       "amount": 3.9,
                 *       "note": "MTN 1"
                 *     }
                 */
                "application/json": components["schemas"]["Spend"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "orderId": 4711,
                     *       "amount": 3.9,
                     *       "balance": 116.1,
                     *       "status": "PENDING",
                     *       "order": {
                     *         "id": 4711,
                     *         "userId": 12,
                     *         "operator": "MTN",
                     *         "productId": 1,
                     *         "product": "MTN 1GB",
                     *         "size": "1GB",
                     *         "msisdn": "0541234567",
                     *         "quantity": 1,
                     *         "amount": 3.9,
                     *         "status": "PENDING",
                     *         "paid": true,
                     *         "paidAt": "2026-11-21T09:30:00.000Z",
                     *         "paymentMethod": "wallet",
                     *         "refundedAt": null,
                     *         "bulkOrderId": null,
                     *         "note": null,
                     *         "createdAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Spent"];
                };
            };
        };
    };
    getWalletLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "perDay": 500,
                     *       "leftToday": 480,
                     *       "ordersPerHour": 60,
                     *       "ordersLeftThisHour": 59,
                     *       "topUpsPerDay": null,
                     *       "topUpsLeftToday": null,
                     *       "balanceMax": 2000,
                     *       "roomForTopUps": 1880,
                     *       "isOwn": false,
                     *       "until": null,
                     *       "frozen": null,
                     *       "byPhoneFrom": null
                     *     }
                     */
                    "application/json": {
                        perDay: number | null;
                        leftToday: number | null;
                        ordersPerHour: number | null;
                        ordersLeftThisHour: number | null;
                        /** @description While the account is young */
                        topUpsPerDay: number | null;
                        topUpsLeftToday: number | null;
                        balanceMax: number | null;
                        /** @description Less what is being paid now */
                        roomForTopUps: number | null;
                        /** @description Whether the account has limits of its own instead of its tier's */
                        isOwn: boolean;
                        /** @description When limits of its own end */
                        until: string | null;
                        /** @description Nothing can be spent while the account is frozen */
                        frozen: {
                            message: string;
                            until: string | null;
                        } | null;
                        /** @description Nothing can be spent by USSD and SMS before this, after a changed phone or a PIN reset by code */
                        byPhoneFrom: string | null;
                    };
                };
            };
        };
    };
    getOrders: {
        parameters: {
            query?: {
                /** @description How many, newest first */
                limit?: number;
                /** @description The id to continue after, from the Link header */
                cursor?: string;
                /** @description Part of a phone number, or a bundle, an id, an operator, a status or a reference */
                search?: string;
                /** @description One of PENDING, PAID, PROCESSING, DELIVERED, COMPLETED, FAILED */
                status?: string;
                /** @description The network's code, from GET /operators */
                operator?: string;
                /** @description Only orders that are not finished */
                open?: "0" | "1" | "true" | "false" | "on";
                /** @description The first moment, or the first day */
                from?: string;
                /** @description The moment after the last, or the last day, which is included whole */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 4711,
                     *         "userId": 12,
                     *         "operator": "MTN",
                     *         "productId": 1,
                     *         "product": "MTN 1GB",
                     *         "size": "1GB",
                     *         "msisdn": "0541234567",
                     *         "quantity": 1,
                     *         "amount": 3.9,
                     *         "status": "PENDING",
                     *         "paid": true,
                     *         "paidAt": "2026-11-21T09:30:00.000Z",
                     *         "paymentMethod": "wallet",
                     *         "refundedAt": null,
                     *         "bulkOrderId": null,
                     *         "note": null,
                     *         "createdAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Order"][];
                };
            };
        };
    };
    postOrders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "productId": 1,
                 *       "operator": "MTN",
                 *       "msisdn": "0541234567",
                 *       "quantity": 1,
                 *       "amount": 3.9,
                 *       "pay": "wallet"
                 *     }
                 */
                "application/json": components["schemas"]["NewOrder"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 4711,
                     *       "userId": 12,
                     *       "operator": "MTN",
                     *       "productId": 1,
                     *       "product": "MTN 1GB",
                     *       "size": "1GB",
                     *       "msisdn": "0541234567",
                     *       "quantity": 1,
                     *       "amount": 3.9,
                     *       "status": "PENDING",
                     *       "paid": true,
                     *       "paidAt": "2026-11-21T09:30:00.000Z",
                     *       "paymentMethod": "wallet",
                     *       "refundedAt": null,
                     *       "bulkOrderId": null,
                     *       "note": null,
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "balance": 116.1
                     *     }
                     */
                    "application/json": components["schemas"]["PlacedOrder"];
                };
            };
        };
    };
    postOrdersBulk: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "orders": [
                 *         {
                 *           "productId": 1,
                 *           "operator": "MTN",
                 *           "msisdn": "0541234567",
                 *           "quantity": 1,
                 *           "amount": 3.9
                 *         },
                 *         {
                 *           "productId": 1,
                 *           "operator": "MTN",
                 *           "msisdn": "0241234567",
                 *           "quantity": 1,
                 *           "amount": 3.9
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BulkOrder"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 1,
                     *       "bulkOrderId": 7,
                     *       "amount": 3.9,
                     *       "balance": 116.1,
                     *       "orders": [
                     *         {
                     *           "id": 4711,
                     *           "userId": 12,
                     *           "operator": "MTN",
                     *           "productId": 1,
                     *           "product": "MTN 1GB",
                     *           "size": "1GB",
                     *           "msisdn": "0541234567",
                     *           "quantity": 1,
                     *           "amount": 3.9,
                     *           "status": "PENDING",
                     *           "paid": true,
                     *           "paidAt": "2026-11-21T09:30:00.000Z",
                     *           "paymentMethod": "wallet",
                     *           "refundedAt": null,
                     *           "bulkOrderId": null,
                     *           "note": null,
                     *           "createdAt": "2026-11-21T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BulkPlaced"];
                };
            };
        };
    };
    postOrdersBulkPreview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "orders": [
                 *         {
                 *           "productId": 1,
                 *           "operator": "MTN",
                 *           "msisdn": "0541234567",
                 *           "quantity": 1,
                 *           "amount": 3.9
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BulkPreview"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "lines": [
                     *         {
                     *           "line": 1,
                     *           "msisdn": "0541234567",
                     *           "operatorGuess": "MTN",
                     *           "productId": 1,
                     *           "operator": "MTN",
                     *           "quantity": 1,
                     *           "amount": 3.9,
                     *           "code": null,
                     *           "message": null,
                     *           "sameAsLine": null,
                     *           "paused": null
                     *         }
                     *       ],
                     *       "goodCount": 1,
                     *       "total": 3.9,
                     *       "balance": 120,
                     *       "balanceAfter": 116.1,
                     *       "affordableCount": 1,
                     *       "placeableCount": 1,
                     *       "limit": null
                     *     }
                     */
                    "application/json": components["schemas"]["BulkPreviewed"];
                };
            };
        };
    };
    getOrdersId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 4711,
                     *       "userId": 12,
                     *       "operator": "MTN",
                     *       "productId": 1,
                     *       "product": "MTN 1GB",
                     *       "size": "1GB",
                     *       "msisdn": "0541234567",
                     *       "quantity": 1,
                     *       "amount": 3.9,
                     *       "status": "PENDING",
                     *       "paid": true,
                     *       "paidAt": "2026-11-21T09:30:00.000Z",
                     *       "paymentMethod": "wallet",
                     *       "refundedAt": null,
                     *       "bulkOrderId": null,
                     *       "note": null,
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "outlook": {
                     *         "state": "promised",
                     *         "until": "2026-11-21T10:30:00.000Z",
                     *         "message": "If it has not arrived by 10:30, we refund you."
                     *       },
                     *       "timeline": []
                     *     }
                     */
                    "application/json": components["schemas"]["OrderWithTimeline"];
                };
            };
        };
    };
    postOrdersIdCancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 4711,
                     *       "userId": 12,
                     *       "operator": "MTN",
                     *       "productId": 1,
                     *       "product": "MTN 1GB",
                     *       "size": "1GB",
                     *       "msisdn": "0541234567",
                     *       "quantity": 1,
                     *       "amount": 3.9,
                     *       "status": "FAILED",
                     *       "paid": true,
                     *       "paidAt": "2026-11-21T09:30:00.000Z",
                     *       "paymentMethod": "wallet",
                     *       "refundedAt": "2026-11-21T09:30:20.000Z",
                     *       "bulkOrderId": null,
                     *       "note": null,
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "balance": 120
                     *     }
                     */
                    "application/json": components["schemas"]["PlacedOrder"];
                };
            };
        };
    };
    postOrdersIdNotReceived: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "message": "The balance did not change"
                 *     }
                 */
                "application/json": components["schemas"]["NotReceived"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 51,
                     *       "kind": "not_received",
                     *       "status": "open",
                     *       "orderId": 4711,
                     *       "claimId": null,
                     *       "subject": null,
                     *       "message": "The balance did not change",
                     *       "dueAt": "2026-11-22T09:30:00.000Z",
                     *       "outcome": null,
                     *       "proof": null,
                     *       "createdAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SupportRequest"];
                };
            };
        };
    };
    deleteOrdersIdNotReceived: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    getWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 3,
                     *         "url": "https://reseller.example/datafie",
                     *         "description": "The shop's own server",
                     *         "enabled": true,
                     *         "pausedFor": null,
                     *         "failingSince": null,
                     *         "createdAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Hook"][];
                };
            };
        };
    };
    postWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://reseller.example/datafie",
                 *       "description": "The shop's own server"
                 *     }
                 */
                "application/json": components["schemas"]["NewHook"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 3,
                     *       "url": "https://reseller.example/datafie",
                     *       "description": "The shop's own server",
                     *       "enabled": false,
                     *       "pausedFor": "unproven",
                     *       "failingSince": null,
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
                     *     }
                     */
                    "application/json": components["schemas"]["HookWithSecret"];
                };
            };
        };
    };
    getWebhooksId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 3,
                     *       "url": "https://reseller.example/datafie",
                     *       "description": "The shop's own server",
                     *       "enabled": true,
                     *       "pausedFor": null,
                     *       "failingSince": null,
                     *       "createdAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Hook"];
                };
            };
        };
    };
    deleteWebhooksId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    patchWebhooksId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["HookChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 3,
                     *       "url": "https://reseller.example/datafie",
                     *       "description": "The shop's own server",
                     *       "enabled": true,
                     *       "pausedFor": null,
                     *       "failingSince": null,
                     *       "createdAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Hook"];
                };
            };
        };
    };
    postWebhooksIdSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 3,
                     *       "url": "https://reseller.example/datafie",
                     *       "description": "The shop's own server",
                     *       "enabled": true,
                     *       "pausedFor": null,
                     *       "failingSince": null,
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
                     *     }
                     */
                    "application/json": components["schemas"]["HookWithSecret"];
                };
            };
        };
    };
    postWebhooksIdTest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 812,
                     *       "messageId": "msg_812",
                     *       "webhookId": 3,
                     *       "type": "ping",
                     *       "orderId": null,
                     *       "status": "waiting",
                     *       "attempts": 0,
                     *       "responseStatus": null,
                     *       "error": null,
                     *       "nextAttemptAt": "2026-11-21T09:30:05.500Z",
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "endedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["HookDelivery"];
                };
            };
        };
    };
    getWebhooksIdDeliveries: {
        parameters: {
            query?: {
                /** @description How many, newest first */
                limit?: number;
                /** @description The id to continue after, from the Link header */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Its id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 812,
                     *         "messageId": "msg_812",
                     *         "webhookId": 3,
                     *         "type": "order.status_changed",
                     *         "orderId": 4711,
                     *         "status": "waiting",
                     *         "attempts": 1,
                     *         "responseStatus": 503,
                     *         "error": null,
                     *         "nextAttemptAt": "2026-11-21T09:30:05.500Z",
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "endedAt": null
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["HookDelivery"][];
                };
            };
        };
    };
    postWebhooksDeliveriesIdResend: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 812,
                     *       "messageId": "msg_812",
                     *       "webhookId": 3,
                     *       "type": "order.status_changed",
                     *       "orderId": 4711,
                     *       "status": "waiting",
                     *       "attempts": 1,
                     *       "responseStatus": 503,
                     *       "error": null,
                     *       "nextAttemptAt": "2026-11-21T09:30:05.500Z",
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "endedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["HookDelivery"];
                };
            };
        };
    };
    orderStatusChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "order.status_changed",
                 *       "timestamp": "2026-11-21T09:30:00.123456Z",
                 *       "data": {
                 *         "id": 4711,
                 *         "userId": 12,
                 *         "operator": "MTN",
                 *         "productId": 1,
                 *         "product": "MTN 1GB",
                 *         "size": "1GB",
                 *         "msisdn": "0541234567",
                 *         "quantity": 1,
                 *         "amount": 3.9,
                 *         "status": "PROCESSING",
                 *         "paid": true,
                 *         "paidAt": "2026-11-21T09:30:00.000Z",
                 *         "paymentMethod": "wallet",
                 *         "refundedAt": null,
                 *         "bulkOrderId": null,
                 *         "note": null,
                 *         "createdAt": "2026-11-21T09:30:00.000Z",
                 *         "amountPesewas": 390,
                 *         "previousStatus": "PENDING"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OrderMessage"];
            };
        };
        responses: {
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description We send it again later; 410 turns the webhook off */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    ping: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "ping",
                 *       "timestamp": "2026-11-21T09:30:00.123456Z",
                 *       "data": {
                 *         "webhookId": 3
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PingMessage"];
            };
        };
        responses: {
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description We send it again later; 410 turns the webhook off */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}

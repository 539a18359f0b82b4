// Generated from the shop's OpenAPI description by `bun run client`. Do not edit.

/** The calls that take an idempotency key. */
export const KEYED: ReadonlySet<string> = new Set([
  "post /wallet/spend",
  "post /orders",
  "post /orders/bulk",
  "post /orders/{id}/cancel",
  "post /orders/{id}/not-received",
  "post /afa",
  "post /webhooks",
  "post /webhooks/{id}/secret",
  "post /webhooks/{id}/test",
  "post /webhooks/{id}/replay",
  "post /webhooks/deliveries/{id}/resend",
  "post /sandbox/top-up",
]);

export interface paths {
    "/api/v1/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account that the token belongs to */
        get: operations["getAuthMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
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
    "/api/v1/dashboard/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your totals, data by operator, latest orders and the last seven days */
        get: operations["getDashboardOverview"];
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
    "/api/v1/bulk-orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your own bulk orders, newest first; GET /api/v1/orders?bulkOrderId= has the orders of one */
        get: operations["getBulkOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bulk-orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One of your bulk orders (for staff, any), with how far its orders are */
        get: operations["getBulkOrdersId"];
        put?: never;
        post?: never;
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
        /** Withdraw the report: the order has arrived */
        delete: operations["deleteOrdersIdNotReceived"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/afa/product": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The price of an AFA registration, and whether it is paused */
        get: operations["getAfaProduct"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/afa": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The people you registered, newest first; card numbers are masked */
        get: operations["getAfa"];
        put?: never;
        /** Register people for MTN AFA and pay from the wallet, all or none */
        post: operations["postAfa"];
        delete?: never;
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
        /** Add a webhook for the events you choose, changes of your orders' status if you choose none; it starts once it has answered a test. The secret is shown once */
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
        /** Change a webhook's address, description or events, or turn it on or off; after a new address or turning it on, it starts once it has answered a test */
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
        /** Send one test to a webhook, the example of an event or a ping; its deliveries show the result. A 2xx to a ping turns on a webhook that was never proven */
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
    "/api/v1/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send every message of a span again, under the same webhook-id and in the same order: at most 10,000 of the last 14 days */
        post: operations["postWebhooksIdReplay"];
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
    "/api/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The requests of your programs in the last 14 days, each within five seconds; a program sees only those of its own key. A filter looks through 10,000 requests at a time: follow the Link even when a page is short */
        get: operations["getRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One of these requests, with what was sent and answered */
        get: operations["getRequestsId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/top-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add test money to the wallet; only in the sandbox */
        post: operations["postSandboxTopUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let time pass for your open orders, their delivery and your webhooks; only in the sandbox */
        post: operations["postSandboxClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start afresh: no orders, an empty log and the first test money; keys and webhooks stay. Only in the sandbox */
        post: operations["postSandboxReset"];
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
    "order.refunded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An order failed, and its money is back in your wallet
         * @description Signed as in Standard Webhooks: webhook-id, webhook-timestamp, webhook-signature.
         */
        post: operations["orderRefunded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.case_decided": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An order that you reported as not received has been decided
         * @description Signed as in Standard Webhooks: webhook-id, webhook-timestamp, webhook-signature.
         */
        post: operations["orderCaseDecided"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "wallet.topped_up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Money has come into your wallet
         * @description Signed as in Standard Webhooks: webhook-id, webhook-timestamp, webhook-signature.
         */
        post: operations["walletToppedUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "wallet.balance_low": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A purchase took your wallet below your own low-balance amount
         * @description Signed as in Standard Webhooks: webhook-id, webhook-timestamp, webhook-signature.
         */
        post: operations["walletBalanceLow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "product.price_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What you pay for a bundle has changed
         * @description Signed as in Standard Webhooks: webhook-id, webhook-timestamp, webhook-signature.
         */
        post: operations["productPriceChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "product.paused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A bundle or a whole network is paused, or on sale again
         * @description Signed as in Standard Webhooks: webhook-id, webhook-timestamp, webhook-signature.
         */
        post: operations["productPaused"];
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
        AfaPerson: {
            /** @description As on the Ghana Card */
            fullName: string;
            /** @description The MTN number to register */
            phone: string;
            /** @description The number of the Ghana Card: GHA-123456789-0 */
            ghCardId: string;
            /** @description The town */
            location: string;
            /**
             * @description Confirms that a number with another network's prefix was ported to MTN
             * @default false
             */
            ported?: boolean;
        };
        AfaPlaced: {
            count: number;
            /** @description GH₵, at most two decimals */
            amount: number;
            /** @description The wallet's balance afterwards */
            balance: number;
            registrations: components["schemas"]["AfaRegistration"][];
        };
        AfaProduct: {
            /** @description For one person */
            price: number;
            /** @description Why registration is paused; null: it is not */
            paused: string | null;
            /** @description The end of the pause; null: unknown, or not paused */
            pausedUntil: string | null;
        };
        AfaRegistration: {
            /** @description Also the order's id */
            id: number;
            /** @description The account's id */
            userId: number;
            fullName: string;
            phone: string;
            /** @description Masked: GHA-••••••789-0 */
            ghCardId: string;
            location: string;
            /** @description GH₵, at most two decimals */
            amount: number;
            /** @enum {string} */
            state: "submitted" | "sent" | "registered" | "refused";
            status: components["schemas"]["OrderStatus"];
            /** @description Why it was refused */
            note: string | null;
            /** @description When its money went back to the wallet; null: it did not */
            refundedAt: string | null;
            /**
             * Format: date-time
             * @description When it was created
             */
            createdAt: string;
        };
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
        BalanceLowMessage: {
            /** @constant */
            type: "wallet.balance_low";
            /** @description When it happened, with microseconds; comparing the texts compares the times */
            timestamp: string;
            /**
             * @description Only in an example that you asked for
             * @constant
             */
            test?: true;
            data: {
                /** @description Your own limit, which you set under Profile, Notices */
                limit: number;
                /** @description The same in pesewas */
                limitPesewas: number;
                /** @description GH₵, at most two decimals */
                balance: number;
                /** @description The same in pesewas */
                balancePesewas: number;
                /** @description What can be spent: the balance less what is held */
                available: number;
                /** @description The same in pesewas */
                availablePesewas: number;
            };
        };
        BulkOrder: {
            /** @description The lines of the order */
            orders: components["schemas"]["OrderLine"][];
            /**
             * @description true: the same bundle for the same number within ten minutes is intended
             * @default false
             */
            allowDuplicate?: boolean;
            /** @description Your own name for it, up to 64 printable characters without spaces */
            reference?: string;
            /** @description Your own data: at most 10 keys of up to 40 characters, with texts of up to 200. You get it back with the order. */
            metadata?: {
                [key: string]: string;
            };
            /** @description true: refused as order.reference_used if an earlier order of your account has the reference, also one that failed; for a bulk order, if an earlier one has its own or an order that of a line. It needs a reference, in a bulk order at least one. */
            uniqueReference?: boolean;
        };
        BulkOrderPlaced: {
            id: number;
            /** @description The account's id */
            userId: number;
            /** @description How many orders it has */
            count: number;
            /** @description What they cost together */
            amount: number;
            /** @description Your own reference */
            reference: string | null;
            /** @description Your own data */
            metadata: {
                [key: string]: string;
            } | null;
            /**
             * Format: date-time
             * @description When it was created
             */
            createdAt: string;
        };
        BulkOrderProgress: {
            id: number;
            /** @description The account's id */
            userId: number;
            /** @description How many orders it has */
            count: number;
            /** @description What they cost together */
            amount: number;
            /** @description Your own reference */
            reference: string | null;
            /** @description Your own data */
            metadata: {
                [key: string]: string;
            } | null;
            /**
             * Format: date-time
             * @description When it was created
             */
            createdAt: string;
            /** @description How many of its orders have each status */
            statuses: {
                PENDING: number;
                PAID: number;
                PROCESSING: number;
                DELIVERED: number;
                COMPLETED: number;
                FAILED: number;
            };
            /** @description Its orders whose money is back */
            refunded: {
                count: number;
                /** @description GH₵, at most two decimals */
                amount: number;
            };
            /** @description The share of its orders that need nothing more: delivered, completed or failed */
            progress: number;
            /** @description Whether all of them do */
            finished: boolean;
        };
        BulkPlaced: {
            count: number;
            /** @description The bulk order that it belongs to */
            bulkOrderId: number;
            /** @description Your own reference */
            reference: string | null;
            /** @description Your own data */
            metadata: {
                [key: string]: string;
            } | null;
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
                /** @description As in an order */
                amount?: number;
                /** @description As in an order */
                reference?: string;
            }[];
            /**
             * @description true: the same bundle for the same number within ten minutes is intended
             * @default false
             */
            allowDuplicate?: boolean;
            /** @description true: refused as order.reference_used if an earlier order of your account has the reference, also one that failed; for a bulk order, if an earlier one has its own or an order that of a line. It needs a reference, in a bulk order at least one. */
            uniqueReference?: boolean;
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
                /** @description order.duplicate, order.reference_used: the earlier order */
                orderId: number | null;
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
        DisputeMessage: {
            /** @constant */
            type: "order.case_decided";
            /** @description When it happened, with microseconds; comparing the texts compares the times */
            timestamp: string;
            /**
             * @description Only in an example that you asked for
             * @constant
             */
            test?: true;
            /** @description The order right after the decision */
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
                /** @description Why a FAILED order failed; null for others */
                failure: components["schemas"]["OrderFailure"] | null;
                /** @description The bulk order that it belongs to */
                bulkOrderId: number | null;
                /** @description Your own reference */
                reference: string | null;
                /** @description Your own data */
                metadata: {
                    [key: string]: string;
                } | null;
                note: string | null;
                /**
                 * Format: date-time
                 * @description When it was created
                 */
                createdAt: string;
                amountPesewas: number;
                case: {
                    /** @description Of the support request */
                    id: number;
                    /** @enum {string} */
                    outcome: "delivered" | "refunded";
                    /** @description The decision in words */
                    message: string;
                };
            };
        };
        Done: {
            /** @constant */
            ok: true;
        };
        Failure: {
            /** @enum {string} */
            code: "request.malformed" | "request.key_invalid" | "request.invalid" | "request.content_type" | "request.too_large" | "request.address_long" | "request.method" | "request.not_found" | "request.key_reused" | "request.foreign_origin" | "month.not_over" | "month.earlier_open" | "receipt.unpaid" | "receipt.refunded" | "receipt.no_legal_name" | "auth.required" | "auth.session_ended" | "auth.bad_credentials" | "auth.banned" | "auth.password_outgrown" | "auth.forbidden" | "auth.own_account" | "auth.confirm_needed" | "auth.second_factor_required" | "auth.second_step_ended" | "auth.second_factor_missing" | "factor.wrong" | "factor.exists" | "factor.none" | "factor.own" | "approval.needed" | "approval.nobody" | "approval.open_already" | "approval.not_found" | "approval.decided" | "approval.expired" | "approval.outdated" | "approval.own" | "approval.not_own" | "approval.concerns_you" | "approval.too_new" | "user.not_found" | "user.username_taken" | "user.username_refused" | "user.own_account" | "user.email_taken" | "user.current_password_wrong" | "user.password_common" | "user.password_short" | "user.admin_password_short" | "user.one_role" | "user.last_admin" | "user.own_admin" | "user.has_balance" | "user.owes" | "user.has_open_orders" | "user.closed" | "code.wrong" | "account.claimed" | "account.unclaimed" | "code.no_channel" | "phone.taken" | "pin.invalid" | "pin.wrong" | "pin.trivial" | "pin.no_phone" | "product.not_found" | "product.paused" | "pause.message_missing" | "pause.end_invalid" | "product.exists" | "product.fixed" | "product.size_invalid" | "product.family_wrong" | "product.ussd_number_invalid" | "product.ussd_number_taken" | "product.price_needs_confirmation" | "cost.vendor_unknown" | "cost.twice" | "cost.changed_meanwhile" | "cost.reason_missing" | "cost.raise_changed" | "tier.not_found" | "tier.exists" | "tier.too_many" | "tier.standard_stays" | "tier.has_accounts" | "price.needs_confirmation" | "price.changed_meanwhile" | "price.standard_needed" | "price.from_invalid" | "price.repeated" | "price.change_not_found" | "price.change_begun" | "price.change_planned" | "price.undone_already" | "price.nothing_to_undo" | "privacy.notice_invalid" | "privacy.notice_changed" | "operator.not_found" | "operator.exists" | "operator.name_taken" | "operator.path_taken" | "operator.color_unreadable" | "operator.prefix_taken" | "operator.ussd_number_taken" | "operator.retired" | "operator.last" | "operator.has_afa" | "operator.merge_into_itself" | "operator.merge_same_bundle" | "msisdn.invalid" | "order.quantity_invalid" | "order.price_changed" | "order.operator_mismatch" | "order.duplicate" | "order.reference_used" | "order.daily_limit" | "order.not_found" | "order.unpaid" | "order.below_cost" | "order.already_paid" | "order.not_payable" | "order.not_cancellable" | "order.move_not_allowed" | "order.case_open" | "order.not_refunded" | "order.refund_changed" | "order.refund_too_old" | "order.refund_final" | "order.refund_spent" | "order.evidence_missing" | "order.handed_over" | "desk.nothing_waiting" | "desk.batch_not_found" | "desk.batch_changed" | "desk.batch_touched" | "desk.nobody_to_take_it" | "desk.result_not_found" | "desk.result_applied" | "attention.note_missing" | "vendor.not_found" | "order.held" | "signal.not_found" | "signal.closed" | "signal.not_held" | "signal.note_missing" | "signal.rule_not_found" | "signal.rule_changed" | "signal.preview_too_long" | "bulk.lines_refused" | "bulk.line_unclear" | "bulk.remark_unclear" | "bulk.cell_without_value" | "bulk.number_rounded" | "bulk.figure_unclear" | "bulk.size_missing" | "bulk.size_not_sold" | "bulk.bundle_unclear" | "bulk.network_missing" | "bulk.network_unconfirmed" | "bulk.list_changed" | "bulk.reader_busy" | "bulk.not_found" | "draft.not_found" | "draft.too_many" | "wallet.insufficient_balance" | "wallet.statement_too_long" | "payment.below_minimum" | "payment.not_found" | "payment.not_payable" | "payment.in_progress" | "payment.not_in_review" | "payment.choice_missing" | "payment.email_missing" | "payment.refused" | "payment.gateway_down" | "payment.unverified" | "claim.not_found" | "claim.below_minimum" | "claim.transaction_id_invalid" | "claim.filed_already" | "claim.decided" | "claim.credited_already" | "claim.amount_differs" | "claim.not_in_statement" | "claim.moved" | "claim.reversed" | "claim.reversal_not_found" | "claim.reversal_decided" | "statement.not_found" | "statement.empty" | "statement.too_long" | "statement.line_invalid" | "cash.not_found" | "cash.to_whom" | "cash.nothing" | "cash.moved" | "cash.reason_missing" | "cash.closed_today" | "cash.decided" | "cash.safe_short" | "cash.bank_not_found" | "cash.bank_own" | "cash.bank_seen" | "cash.slip_known" | "payout.not_found" | "payout.known" | "payout.too_much" | "payout.moved" | "wallet.in_use" | "wallet.nothing_to_pay_out" | "wallet.moved" | "wallet.payout_known" | "afa.people_refused" | "afa.card_invalid" | "afa.card_registered" | "afa.number_registered" | "afa.number_not_mtn" | "afa.person_repeated" | "afa.not_found" | "afa.reason_missing" | "support.not_found" | "support.is_case" | "message.not_found" | "message.not_again" | "case.not_found" | "case.filed_already" | "case.not_delivered" | "case.too_late" | "case.decided" | "case.proof_missing" | "request.unknown_field" | "sandbox.only" | "sandbox.too_much_money" | "request.timeout" | "service.unavailable" | "service.busy" | "service.closed" | "service.failed" | "text.not_found" | "text.invalid" | "text.changed" | "view.not_found" | "view.empty" | "view.exists" | "view.too_many" | "webhook.not_found" | "webhook.delivery_not_found" | "webhook.url_refused" | "webhook.exists" | "webhook.too_many" | "webhook.replay_too_many" | "webhook.paused" | "key.malformed" | "key.unknown" | "key.wrong_mode" | "key.revoked" | "key.replaced" | "key.expired" | "key.address_refused" | "key.scope_missing" | "key.people_only" | "key.daily_limit" | "key.not_found" | "key.ended" | "key.too_many" | "key.end_past" | "key.factor_missing" | "key.no_sandbox" | "log.request_not_found" | "request.in_progress" | "request.rate_limited" | "account.frozen" | "account.waits" | "freeze.none" | "freeze.end_invalid" | "wait.none" | "order.hourly_limit" | "payment.daily_limit" | "payment.balance_limit" | "order.unpaid_too_many";
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
                code: "request.malformed" | "request.key_invalid" | "request.invalid" | "request.content_type" | "request.too_large" | "request.address_long" | "request.method" | "request.not_found" | "request.key_reused" | "request.foreign_origin" | "month.not_over" | "month.earlier_open" | "receipt.unpaid" | "receipt.refunded" | "receipt.no_legal_name" | "auth.required" | "auth.session_ended" | "auth.bad_credentials" | "auth.banned" | "auth.password_outgrown" | "auth.forbidden" | "auth.own_account" | "auth.confirm_needed" | "auth.second_factor_required" | "auth.second_step_ended" | "auth.second_factor_missing" | "factor.wrong" | "factor.exists" | "factor.none" | "factor.own" | "approval.needed" | "approval.nobody" | "approval.open_already" | "approval.not_found" | "approval.decided" | "approval.expired" | "approval.outdated" | "approval.own" | "approval.not_own" | "approval.concerns_you" | "approval.too_new" | "user.not_found" | "user.username_taken" | "user.username_refused" | "user.own_account" | "user.email_taken" | "user.current_password_wrong" | "user.password_common" | "user.password_short" | "user.admin_password_short" | "user.one_role" | "user.last_admin" | "user.own_admin" | "user.has_balance" | "user.owes" | "user.has_open_orders" | "user.closed" | "code.wrong" | "account.claimed" | "account.unclaimed" | "code.no_channel" | "phone.taken" | "pin.invalid" | "pin.wrong" | "pin.trivial" | "pin.no_phone" | "product.not_found" | "product.paused" | "pause.message_missing" | "pause.end_invalid" | "product.exists" | "product.fixed" | "product.size_invalid" | "product.family_wrong" | "product.ussd_number_invalid" | "product.ussd_number_taken" | "product.price_needs_confirmation" | "cost.vendor_unknown" | "cost.twice" | "cost.changed_meanwhile" | "cost.reason_missing" | "cost.raise_changed" | "tier.not_found" | "tier.exists" | "tier.too_many" | "tier.standard_stays" | "tier.has_accounts" | "price.needs_confirmation" | "price.changed_meanwhile" | "price.standard_needed" | "price.from_invalid" | "price.repeated" | "price.change_not_found" | "price.change_begun" | "price.change_planned" | "price.undone_already" | "price.nothing_to_undo" | "privacy.notice_invalid" | "privacy.notice_changed" | "operator.not_found" | "operator.exists" | "operator.name_taken" | "operator.path_taken" | "operator.color_unreadable" | "operator.prefix_taken" | "operator.ussd_number_taken" | "operator.retired" | "operator.last" | "operator.has_afa" | "operator.merge_into_itself" | "operator.merge_same_bundle" | "msisdn.invalid" | "order.quantity_invalid" | "order.price_changed" | "order.operator_mismatch" | "order.duplicate" | "order.reference_used" | "order.daily_limit" | "order.not_found" | "order.unpaid" | "order.below_cost" | "order.already_paid" | "order.not_payable" | "order.not_cancellable" | "order.move_not_allowed" | "order.case_open" | "order.not_refunded" | "order.refund_changed" | "order.refund_too_old" | "order.refund_final" | "order.refund_spent" | "order.evidence_missing" | "order.handed_over" | "desk.nothing_waiting" | "desk.batch_not_found" | "desk.batch_changed" | "desk.batch_touched" | "desk.nobody_to_take_it" | "desk.result_not_found" | "desk.result_applied" | "attention.note_missing" | "vendor.not_found" | "order.held" | "signal.not_found" | "signal.closed" | "signal.not_held" | "signal.note_missing" | "signal.rule_not_found" | "signal.rule_changed" | "signal.preview_too_long" | "bulk.lines_refused" | "bulk.line_unclear" | "bulk.remark_unclear" | "bulk.cell_without_value" | "bulk.number_rounded" | "bulk.figure_unclear" | "bulk.size_missing" | "bulk.size_not_sold" | "bulk.bundle_unclear" | "bulk.network_missing" | "bulk.network_unconfirmed" | "bulk.list_changed" | "bulk.reader_busy" | "bulk.not_found" | "draft.not_found" | "draft.too_many" | "wallet.insufficient_balance" | "wallet.statement_too_long" | "payment.below_minimum" | "payment.not_found" | "payment.not_payable" | "payment.in_progress" | "payment.not_in_review" | "payment.choice_missing" | "payment.email_missing" | "payment.refused" | "payment.gateway_down" | "payment.unverified" | "claim.not_found" | "claim.below_minimum" | "claim.transaction_id_invalid" | "claim.filed_already" | "claim.decided" | "claim.credited_already" | "claim.amount_differs" | "claim.not_in_statement" | "claim.moved" | "claim.reversed" | "claim.reversal_not_found" | "claim.reversal_decided" | "statement.not_found" | "statement.empty" | "statement.too_long" | "statement.line_invalid" | "cash.not_found" | "cash.to_whom" | "cash.nothing" | "cash.moved" | "cash.reason_missing" | "cash.closed_today" | "cash.decided" | "cash.safe_short" | "cash.bank_not_found" | "cash.bank_own" | "cash.bank_seen" | "cash.slip_known" | "payout.not_found" | "payout.known" | "payout.too_much" | "payout.moved" | "wallet.in_use" | "wallet.nothing_to_pay_out" | "wallet.moved" | "wallet.payout_known" | "afa.people_refused" | "afa.card_invalid" | "afa.card_registered" | "afa.number_registered" | "afa.number_not_mtn" | "afa.person_repeated" | "afa.not_found" | "afa.reason_missing" | "support.not_found" | "support.is_case" | "message.not_found" | "message.not_again" | "case.not_found" | "case.filed_already" | "case.not_delivered" | "case.too_late" | "case.decided" | "case.proof_missing" | "request.unknown_field" | "sandbox.only" | "sandbox.too_much_money" | "request.timeout" | "service.unavailable" | "service.busy" | "service.closed" | "service.failed" | "text.not_found" | "text.invalid" | "text.changed" | "view.not_found" | "view.empty" | "view.exists" | "view.too_many" | "webhook.not_found" | "webhook.delivery_not_found" | "webhook.url_refused" | "webhook.exists" | "webhook.too_many" | "webhook.replay_too_many" | "webhook.paused" | "key.malformed" | "key.unknown" | "key.wrong_mode" | "key.revoked" | "key.replaced" | "key.expired" | "key.address_refused" | "key.scope_missing" | "key.people_only" | "key.daily_limit" | "key.not_found" | "key.ended" | "key.too_many" | "key.end_past" | "key.factor_missing" | "key.no_sandbox" | "log.request_not_found" | "request.in_progress" | "request.rate_limited" | "account.frozen" | "account.waits" | "freeze.none" | "freeze.end_invalid" | "wait.none" | "order.hourly_limit" | "payment.daily_limit" | "payment.balance_limit" | "order.unpaid_too_many";
                message: string;
                /** @description product.paused: the reason and the end */
                paused?: components["schemas"]["Paused"];
                /** @description order.price_changed: the current price of one */
                currentPrice?: number;
                /** @description order.price_changed: the current amount of the line */
                currentAmount?: number;
                /** @description order.duplicate, order.reference_used: the earlier order */
                orderId?: number;
                /**
                 * Format: date-time
                 * @description order.duplicate, order.reference_used: when it was placed
                 */
                orderedAt?: string;
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
            /** @description order.duplicate, order.reference_used: the earlier order */
            orderId?: number;
            /** @description order.reference_used: the earlier bulk order */
            bulkOrderId?: number;
            /**
             * Format: date-time
             * @description order.duplicate, order.reference_used: when it was placed
             */
            orderedAt?: string;
            /** @description order.reference_used: the reference */
            reference?: string;
            /** @description product.price_needs_confirmation: its price now, or that of others of its size */
            oldPrice?: number;
            /** @description product.price_needs_confirmation: the price you sent */
            newPrice?: number;
            /** @description product.paused, service.closed: the shop's message */
            message?: string;
            /** @description key.daily_limit, order.daily_limit, order.hourly_limit, request.rate_limited: how much it is, in GH₵ or orders, or the name of the limit */
            limit?: number | string;
            /** @description key.daily_limit, order.daily_limit, order.hourly_limit: what is left of it, in GH₵ or orders */
            left?: number;
            /**
             * Format: date-time
             * @description key.daily_limit, order.daily_limit, order.hourly_limit: when it begins anew
             */
            renewsAt?: string;
            /** @description key.scope_missing: the scope that the call needs */
            scope?: string;
            /** @description key.address_refused: the address that the request came from */
            address?: string;
            /** @description request.unknown_field: the path of the unknown field */
            field?: string;
            /** @description request.unknown_field: the field that was probably meant; null: none is like it */
            nearest?: string | null;
            /** @description product.paused, service.closed: when that ends; null: unknown */
            until?: string | null;
        };
        Hook: {
            id: number;
            url: string;
            description: string;
            events: ("order.status_changed" | "order.refunded" | "order.case_decided" | "wallet.topped_up" | "wallet.balance_low" | "product.price_changed" | "product.paused" | "all")[];
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
            /** @description The events that are sent to it; all: every one, later ones included */
            events?: ("order.status_changed" | "order.refunded" | "order.case_decided" | "wallet.topped_up" | "wallet.balance_low" | "product.price_changed" | "product.paused" | "all")[];
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
            type: "order.status_changed" | "order.refunded" | "order.case_decided" | "wallet.topped_up" | "wallet.balance_low" | "product.price_changed" | "product.paused" | "ping";
            /** @description An example that you asked for */
            test: boolean;
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
        HookReplay: {
            /** @description Messages about what happened from then on; they are kept for 14 days */
            since: string;
            /** @description And before then; left out: until now. A day is included whole */
            until?: string;
            /** @description Only these; left out: all */
            events?: ("order.status_changed" | "order.refunded" | "order.case_decided" | "wallet.topped_up" | "wallet.balance_low" | "product.price_changed" | "product.paused")[];
        };
        HookReplayed: {
            /** @description How many messages are sent again; those still on their way are not among them */
            count: number;
        };
        HookTest: {
            /**
             * @description Whose example is sent, marked with `test: true`
             * @default ping
             * @enum {string}
             */
            type?: "order.status_changed" | "order.refunded" | "order.case_decided" | "wallet.topped_up" | "wallet.balance_low" | "product.price_changed" | "product.paused" | "ping";
        };
        HookWithSecret: {
            id: number;
            url: string;
            description: string;
            events: ("order.status_changed" | "order.refunded" | "order.case_decided" | "wallet.topped_up" | "wallet.balance_low" | "product.price_changed" | "product.paused" | "all")[];
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
        LoggedRequest: {
            id: number;
            /**
             * Format: date-time
             * @description When it arrived
             */
            at: string;
            /** @description The API key that it was made with, also if that was refused */
            keyId: number;
            method: string;
            /** @description The route that served it; unknown: there is nothing at this address */
            route: string;
            /** @description The address with its query, without secrets */
            path: string;
            status: number;
            /** @description The error code of a refusal */
            code: string | null;
            /** @description How long the answer took */
            ms: number;
            /** @description The answer's x-request-id */
            requestId: string;
            /** @description The order's id */
            orderId: number | null;
            /** @description The bulk order that it belongs to */
            bulkOrderId: number | null;
            idempotencyKey: string | null;
            /** @description true: the answer of an earlier request with the same idempotency key */
            replayed: boolean;
            /** @description Where it came from */
            address: string;
        };
        NewAfa: {
            /** @description The people to register */
            people: components["schemas"]["AfaPerson"][];
            /** @description The price per person in GH₵ that you expect; refused if it differs */
            price?: number;
        };
        NewHook: {
            /** @description https, on the public internet, on port 443 */
            url: string;
            /**
             * @description For yourself
             * @default
             */
            description?: string;
            /**
             * @description The events that are sent to it; all: every one, later ones included
             * @default [
             *       "order.status_changed"
             *     ]
             */
            events?: ("order.status_changed" | "order.refunded" | "order.case_decided" | "wallet.topped_up" | "wallet.balance_low" | "product.price_changed" | "product.paused" | "all")[];
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
            /** @description As people write it: spaces, dashes and a mark behind it are left out. The answer has it as it was read */
            msisdn: string;
            /**
             * @description How many of the bundle
             * @default 1
             */
            quantity?: number;
            /** @description Price times quantity in GH₵, as you expect it; refused if it differs */
            amount?: number;
            /** @description Your own name for it, up to 64 printable characters without spaces */
            reference?: string;
            /** @description Your own data: at most 10 keys of up to 40 characters, with texts of up to 200. You get it back with the order. */
            metadata?: {
                [key: string]: string;
            };
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
            /** @description true: refused as order.reference_used if an earlier order of your account has the reference, also one that failed; for a bulk order, if an earlier one has its own or an order that of a line. It needs a reference, in a bulk order at least one. */
            uniqueReference?: boolean;
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
            /** @description Why a FAILED order failed; null for others */
            failure: components["schemas"]["OrderFailure"] | null;
            /** @description The bulk order that it belongs to */
            bulkOrderId: number | null;
            /** @description Your own reference */
            reference: string | null;
            /** @description Your own data */
            metadata: {
                [key: string]: string;
            } | null;
            note: string | null;
            /**
             * Format: date-time
             * @description When it was created
             */
            createdAt: string;
        };
        OrderFailure: {
            /**
             * @description cancelled: You cancelled this order. not_paid: This order was not paid within 24 hours. not_delivered_in_time: The bundle was not delivered in time, so we refunded it. Order it again. network_refused: The network could not deliver the bundle. Try again later. out_of_stock: The network has none of this bundle at the moment. Try again later, or choose another bundle. not_deliverable: This bundle cannot be delivered to this number. Check the number, or choose another bundle. delivery_reversed: The network took the delivery back, so we refunded it. Order it again. not_received: It was reported as not received, and we refunded it. Order it again if it is still wanted. registration_refused: MTN did not register this person for AFA. refunded_by_shop: Our team ended this order and refunded it. ended_by_shop: Our team ended this order before it was paid, so nothing was refunded. other: This order failed. Its timeline says why.
             * @enum {string}
             */
            code: "cancelled" | "not_paid" | "not_delivered_in_time" | "network_refused" | "out_of_stock" | "not_deliverable" | "delivery_reversed" | "not_received" | "registration_refused" | "refunded_by_shop" | "ended_by_shop" | "other";
            message: string;
            /** @description Whether ordering the same again can succeed */
            retryable: boolean;
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
            /** @description As people write it: spaces, dashes and a mark behind it are left out. The answer has it as it was read */
            msisdn: string;
            /**
             * @description How many of the bundle
             * @default 1
             */
            quantity?: number;
            /** @description Price times quantity in GH₵, as you expect it; refused if it differs */
            amount?: number;
            /** @description Your own name for it, up to 64 printable characters without spaces */
            reference?: string;
            /** @description Your own data: at most 10 keys of up to 40 characters, with texts of up to 200. You get it back with the order. */
            metadata?: {
                [key: string]: string;
            };
        };
        OrderMessage: {
            /** @constant */
            type: "order.status_changed";
            /** @description When it happened, with microseconds; comparing the texts compares the times */
            timestamp: string;
            /**
             * @description Only in an example that you asked for
             * @constant
             */
            test?: true;
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
                /** @description Why a FAILED order failed; null for others */
                failure: components["schemas"]["OrderFailure"] | null;
                /** @description The bulk order that it belongs to */
                bulkOrderId: number | null;
                /** @description Your own reference */
                reference: string | null;
                /** @description Your own data */
                metadata: {
                    [key: string]: string;
                } | null;
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
            /** @description Why a FAILED order failed; null for others */
            failure: components["schemas"]["OrderFailure"] | null;
            /** @description The bulk order that it belongs to */
            bulkOrderId: number | null;
            /** @description Your own reference */
            reference: string | null;
            /** @description Your own data */
            metadata: {
                [key: string]: string;
            } | null;
            note: string | null;
            /**
             * Format: date-time
             * @description When it was created
             */
            createdAt: string;
            /** @description What a paid, undelivered order is waiting for, and until when */
            outlook: components["schemas"]["Outlook"] | null;
            timeline: {
                /** Format: date-time */
                at: string;
                event: string;
                /** @description The kind of delivery event */
                code: ("queued" | "sent" | "checking" | "working" | "held" | "waiting" | "resending" | "refused" | "delivered" | "delivered_late" | "taken_back") | null;
                from: components["schemas"]["OrderStatus"] | null;
                to: components["schemas"]["OrderStatus"] | null;
                note: string | null;
                /**
                 * @description For staff: only they see it
                 * @constant
                 */
                internal?: true;
            }[];
        };
        Outlook: {
            /** @enum {string} */
            state: "promised" | "number_held" | "with_network" | "being_sent" | "checking";
            until: string | null;
            message: string;
        };
        Overview: {
            totals: {
                /** @description GH₵, at most two decimals */
                totalSales: number;
                ordersCount: number;
            };
            /** @description GB of data bought */
            usageByOperator: {
                [key: string]: number;
            };
            dataUsage: {
                totalGb: number;
                thisMonthGb: number;
                lastMonthGb: number;
            };
            recentOrders: components["schemas"]["Order"][];
            lastSevenDays: {
                /** Format: date */
                day: string;
                /** @description GH₵, at most two decimals */
                sales: number;
                /** @description The lines of the order */
                orders: number;
            }[];
        };
        PauseMessage: {
            /** @constant */
            type: "product.paused";
            /** @description When it happened, with microseconds; comparing the texts compares the times */
            timestamp: string;
            /**
             * @description Only in an example that you asked for
             * @constant
             */
            test?: true;
            data: {
                /**
                 * @description The network's code, from GET /operators
                 * @example MTN
                 * @example AIRTELTIGO
                 * @example TELECEL
                 */
                operator: string;
                /** @description Null: the operator with all its bundles */
                productId: number | null;
                name: string | null;
                /** @description The amount of data: 1GB, 500MB */
                size: string | null;
                /** @description false: the sale goes on */
                paused: boolean;
                /** @description Why it cannot be bought */
                message: string | null;
                /** @description When the sale goes on by itself; null: unknown, or not paused */
                until: string | null;
            };
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
            /** @description Why a FAILED order failed; null for others */
            failure: components["schemas"]["OrderFailure"] | null;
            /** @description The bulk order that it belongs to */
            bulkOrderId: number | null;
            /** @description Your own reference */
            reference: string | null;
            /** @description Your own data */
            metadata: {
                [key: string]: string;
            } | null;
            note: string | null;
            /**
             * Format: date-time
             * @description When it was created
             */
            createdAt: string;
            /** @description The wallet's balance afterwards, if the order was paid */
            balance?: number;
        };
        PriceMessage: {
            /** @constant */
            type: "product.price_changed";
            /** @description When it happened, with microseconds; comparing the texts compares the times */
            timestamp: string;
            /**
             * @description Only in an example that you asked for
             * @constant
             */
            test?: true;
            data: {
                /** @description At most 100; more come in further messages with the same timestamp */
                products: {
                    /** @description The bundle's id, from GET /products */
                    productId: number;
                    /**
                     * @description The network's code, from GET /operators
                     * @example MTN
                     * @example AIRTELTIGO
                     * @example TELECEL
                     */
                    operator: string;
                    name: string;
                    /** @description The amount of data: 1GB, 500MB */
                    size: string;
                    /** @description GH₵, at most two decimals */
                    oldPrice: number;
                    /** @description The same in pesewas */
                    oldPricePesewas: number;
                    /** @description What you pay from now on */
                    price: number;
                    /** @description The same in pesewas */
                    pricePesewas: number;
                }[];
            };
        };
        Problem: {
            /** @enum {string} */
            code: "request.malformed" | "request.key_invalid" | "request.invalid" | "request.content_type" | "request.too_large" | "request.address_long" | "request.method" | "request.not_found" | "request.key_reused" | "request.foreign_origin" | "month.not_over" | "month.earlier_open" | "receipt.unpaid" | "receipt.refunded" | "receipt.no_legal_name" | "auth.required" | "auth.session_ended" | "auth.bad_credentials" | "auth.banned" | "auth.password_outgrown" | "auth.forbidden" | "auth.own_account" | "auth.confirm_needed" | "auth.second_factor_required" | "auth.second_step_ended" | "auth.second_factor_missing" | "factor.wrong" | "factor.exists" | "factor.none" | "factor.own" | "approval.needed" | "approval.nobody" | "approval.open_already" | "approval.not_found" | "approval.decided" | "approval.expired" | "approval.outdated" | "approval.own" | "approval.not_own" | "approval.concerns_you" | "approval.too_new" | "user.not_found" | "user.username_taken" | "user.username_refused" | "user.own_account" | "user.email_taken" | "user.current_password_wrong" | "user.password_common" | "user.password_short" | "user.admin_password_short" | "user.one_role" | "user.last_admin" | "user.own_admin" | "user.has_balance" | "user.owes" | "user.has_open_orders" | "user.closed" | "code.wrong" | "account.claimed" | "account.unclaimed" | "code.no_channel" | "phone.taken" | "pin.invalid" | "pin.wrong" | "pin.trivial" | "pin.no_phone" | "product.not_found" | "product.paused" | "pause.message_missing" | "pause.end_invalid" | "product.exists" | "product.fixed" | "product.size_invalid" | "product.family_wrong" | "product.ussd_number_invalid" | "product.ussd_number_taken" | "product.price_needs_confirmation" | "cost.vendor_unknown" | "cost.twice" | "cost.changed_meanwhile" | "cost.reason_missing" | "cost.raise_changed" | "tier.not_found" | "tier.exists" | "tier.too_many" | "tier.standard_stays" | "tier.has_accounts" | "price.needs_confirmation" | "price.changed_meanwhile" | "price.standard_needed" | "price.from_invalid" | "price.repeated" | "price.change_not_found" | "price.change_begun" | "price.change_planned" | "price.undone_already" | "price.nothing_to_undo" | "privacy.notice_invalid" | "privacy.notice_changed" | "operator.not_found" | "operator.exists" | "operator.name_taken" | "operator.path_taken" | "operator.color_unreadable" | "operator.prefix_taken" | "operator.ussd_number_taken" | "operator.retired" | "operator.last" | "operator.has_afa" | "operator.merge_into_itself" | "operator.merge_same_bundle" | "msisdn.invalid" | "order.quantity_invalid" | "order.price_changed" | "order.operator_mismatch" | "order.duplicate" | "order.reference_used" | "order.daily_limit" | "order.not_found" | "order.unpaid" | "order.below_cost" | "order.already_paid" | "order.not_payable" | "order.not_cancellable" | "order.move_not_allowed" | "order.case_open" | "order.not_refunded" | "order.refund_changed" | "order.refund_too_old" | "order.refund_final" | "order.refund_spent" | "order.evidence_missing" | "order.handed_over" | "desk.nothing_waiting" | "desk.batch_not_found" | "desk.batch_changed" | "desk.batch_touched" | "desk.nobody_to_take_it" | "desk.result_not_found" | "desk.result_applied" | "attention.note_missing" | "vendor.not_found" | "order.held" | "signal.not_found" | "signal.closed" | "signal.not_held" | "signal.note_missing" | "signal.rule_not_found" | "signal.rule_changed" | "signal.preview_too_long" | "bulk.lines_refused" | "bulk.line_unclear" | "bulk.remark_unclear" | "bulk.cell_without_value" | "bulk.number_rounded" | "bulk.figure_unclear" | "bulk.size_missing" | "bulk.size_not_sold" | "bulk.bundle_unclear" | "bulk.network_missing" | "bulk.network_unconfirmed" | "bulk.list_changed" | "bulk.reader_busy" | "bulk.not_found" | "draft.not_found" | "draft.too_many" | "wallet.insufficient_balance" | "wallet.statement_too_long" | "payment.below_minimum" | "payment.not_found" | "payment.not_payable" | "payment.in_progress" | "payment.not_in_review" | "payment.choice_missing" | "payment.email_missing" | "payment.refused" | "payment.gateway_down" | "payment.unverified" | "claim.not_found" | "claim.below_minimum" | "claim.transaction_id_invalid" | "claim.filed_already" | "claim.decided" | "claim.credited_already" | "claim.amount_differs" | "claim.not_in_statement" | "claim.moved" | "claim.reversed" | "claim.reversal_not_found" | "claim.reversal_decided" | "statement.not_found" | "statement.empty" | "statement.too_long" | "statement.line_invalid" | "cash.not_found" | "cash.to_whom" | "cash.nothing" | "cash.moved" | "cash.reason_missing" | "cash.closed_today" | "cash.decided" | "cash.safe_short" | "cash.bank_not_found" | "cash.bank_own" | "cash.bank_seen" | "cash.slip_known" | "payout.not_found" | "payout.known" | "payout.too_much" | "payout.moved" | "wallet.in_use" | "wallet.nothing_to_pay_out" | "wallet.moved" | "wallet.payout_known" | "afa.people_refused" | "afa.card_invalid" | "afa.card_registered" | "afa.number_registered" | "afa.number_not_mtn" | "afa.person_repeated" | "afa.not_found" | "afa.reason_missing" | "support.not_found" | "support.is_case" | "message.not_found" | "message.not_again" | "case.not_found" | "case.filed_already" | "case.not_delivered" | "case.too_late" | "case.decided" | "case.proof_missing" | "request.unknown_field" | "sandbox.only" | "sandbox.too_much_money" | "request.timeout" | "service.unavailable" | "service.busy" | "service.closed" | "service.failed" | "text.not_found" | "text.invalid" | "text.changed" | "view.not_found" | "view.empty" | "view.exists" | "view.too_many" | "webhook.not_found" | "webhook.delivery_not_found" | "webhook.url_refused" | "webhook.exists" | "webhook.too_many" | "webhook.replay_too_many" | "webhook.paused" | "key.malformed" | "key.unknown" | "key.wrong_mode" | "key.revoked" | "key.replaced" | "key.expired" | "key.address_refused" | "key.scope_missing" | "key.people_only" | "key.daily_limit" | "key.not_found" | "key.ended" | "key.too_many" | "key.end_past" | "key.factor_missing" | "key.no_sandbox" | "log.request_not_found" | "request.in_progress" | "request.rate_limited" | "account.frozen" | "account.waits" | "freeze.none" | "freeze.end_invalid" | "wait.none" | "order.hourly_limit" | "payment.daily_limit" | "payment.balance_limit" | "order.unpaid_too_many";
            message: string;
            details?: components["schemas"]["FailureDetails"];
            /** @description Whether the same request may succeed later, unchanged and with the same key */
            retryable: boolean;
            requestId: string;
            /** @description The address of the guide's part about this code */
            type: string;
            /** @description The code in words, the same each time */
            title: string;
            status: number;
            /** @description What was refused this time, as in message */
            detail: string;
            /** @description Names this one refusal: the path, and the request's id */
            instance: string;
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
        RefundMessage: {
            /** @constant */
            type: "order.refunded";
            /** @description When it happened, with microseconds; comparing the texts compares the times */
            timestamp: string;
            /**
             * @description Only in an example that you asked for
             * @constant
             */
            test?: true;
            /** @description The order right after the refund */
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
                /** @description Why a FAILED order failed; null for others */
                failure: components["schemas"]["OrderFailure"] | null;
                /** @description The bulk order that it belongs to */
                bulkOrderId: number | null;
                /** @description Your own reference */
                reference: string | null;
                /** @description Your own data */
                metadata: {
                    [key: string]: string;
                } | null;
                note: string | null;
                /**
                 * Format: date-time
                 * @description When it was created
                 */
                createdAt: string;
                amountPesewas: number;
                /** @description What came back to the wallet */
                refunded: number;
                /** @description The same in pesewas */
                refundedPesewas: number;
            };
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
            /** @description When it is to be decided; without a decision the order is refunded, up to the shop's limits */
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
        TopUpMessage: {
            /** @constant */
            type: "wallet.topped_up";
            /** @description When it happened, with microseconds; comparing the texts compares the times */
            timestamp: string;
            /**
             * @description Only in an example that you asked for
             * @constant
             */
            test?: true;
            data: {
                /** @enum {string} */
                source: "paystack" | "mobile_money" | "correction";
                /** @description Of the payment, the mobile money claim or the correction */
                id: number;
                /** @description The payment's reference or the mobile money transaction; null for a correction */
                reference: string | null;
                /** @description The order that the payment was started for, and now pays if it can */
                orderId: number | null;
                /** @description GH₵, at most two decimals */
                amount: number;
                /** @description The same in pesewas */
                amountPesewas: number;
                /** @description Right after it, less what it paid of a debt */
                balance: number;
                /** @description The same in pesewas */
                balancePesewas: number;
            };
        };
        User: {
            id: number;
            username: string;
            /** @description Null for an account registered by USSD and not yet claimed */
            email: string | null;
            roles: ("USER" | "ADMIN" | "MANAGER" | "DESK" | "SUPPORT" | "ACCOUNTS")[];
            /** @enum {string} */
            status: "ACTIVE" | "BANNED" | "CLOSED";
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
        WholeLoggedRequest: {
            id: number;
            /**
             * Format: date-time
             * @description When it arrived
             */
            at: string;
            /** @description The API key that it was made with, also if that was refused */
            keyId: number;
            method: string;
            /** @description The route that served it; unknown: there is nothing at this address */
            route: string;
            /** @description The address with its query, without secrets */
            path: string;
            status: number;
            /** @description The error code of a refusal */
            code: string | null;
            /** @description How long the answer took */
            ms: number;
            /** @description The answer's x-request-id */
            requestId: string;
            /** @description The order's id */
            orderId: number | null;
            /** @description The bulk order that it belongs to */
            bulkOrderId: number | null;
            idempotencyKey: string | null;
            /** @description true: the answer of an earlier request with the same idempotency key */
            replayed: boolean;
            /** @description Where it came from */
            address: string;
            /** @description JSON, whose secrets are replaced by [removed]; longer than 4 kB, it is cut and ends with “…”. null: none, or it could not be read */
            requestBody: string | null;
            /** @description JSON, whose secrets are replaced by [removed]; longer than 4 kB, it is cut and ends with “…”. null: a file */
            answerBody: string | null;
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
        /** @description "requests";q=200;w=4: up to 200 requests at once, and as many in 4 seconds (draft-ietf-httpapi-ratelimit-headers) */
        "RateLimit-Policy": string;
        /** @description "requests";r=150;t=1: 150 of these remain, and in a second there are more */
        RateLimit: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getAuthMe: {
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 12,
                     *       "username": "ama",
                     *       "email": "ama@example.com",
                     *       "roles": [
                     *         "USER"
                     *       ],
                     *       "status": "ACTIVE",
                     *       "createdAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
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
    getDashboardOverview: {
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "totals": {
                     *         "totalSales": 3.9,
                     *         "ordersCount": 1
                     *       },
                     *       "usageByOperator": {
                     *         "MTN": 1,
                     *         "AIRTELTIGO": 0,
                     *         "TELECEL": 0
                     *       },
                     *       "dataUsage": {
                     *         "totalGb": 1,
                     *         "thisMonthGb": 1,
                     *         "lastMonthGb": 0
                     *       },
                     *       "recentOrders": [
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
                     *           "failure": null,
                     *           "bulkOrderId": null,
                     *           "reference": "INV-2026-0042",
                     *           "metadata": {
                     *             "customer": "81",
                     *             "till": "Osu"
                     *           },
                     *           "note": null,
                     *           "createdAt": "2026-11-21T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "lastSevenDays": [
                     *         {
                     *           "day": "2026-11-21",
                     *           "sales": 3.9,
                     *           "orders": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Overview"];
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
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
                     *         "failure": null,
                     *         "bulkOrderId": null,
                     *         "reference": "INV-2026-0042",
                     *         "metadata": {
                     *           "customer": "81",
                     *           "till": "Osu"
                     *         },
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
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
                        /** @description While the account is young; payments for orders count as well */
                        topUpsPerDay: number | null;
                        topUpsLeftToday: number | null;
                        balanceMax: number | null;
                        /** @description Less what is being paid now, and orders that can still be cancelled */
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
                /** @description Only the orders of this bulk order */
                bulkOrderId?: string;
                /** @description Only orders with exactly this reference of yours */
                reference?: string;
                /** @description Only orders for exactly this number, such as 0541234567 */
                msisdn?: string;
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
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
                     *         "failure": null,
                     *         "bulkOrderId": null,
                     *         "reference": "INV-2026-0042",
                     *         "metadata": {
                     *           "customer": "81",
                     *           "till": "Osu"
                     *         },
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
                 *       "reference": "INV-2026-0042",
                 *       "metadata": {
                 *         "customer": "81",
                 *         "till": "Osu"
                 *       },
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
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
                     *       "failure": null,
                     *       "bulkOrderId": null,
                     *       "reference": "INV-2026-0042",
                     *       "metadata": {
                     *         "customer": "81",
                     *         "till": "Osu"
                     *       },
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
                 *           "amount": 3.9,
                 *           "reference": "INV-2026-0042"
                 *         },
                 *         {
                 *           "productId": 1,
                 *           "operator": "MTN",
                 *           "msisdn": "0241234567",
                 *           "quantity": 1,
                 *           "amount": 3.9,
                 *           "reference": "INV-2026-0043"
                 *         }
                 *       ],
                 *       "reference": "PAYROLL-2026-11"
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 1,
                     *       "bulkOrderId": 7,
                     *       "reference": "PAYROLL-2026-11",
                     *       "metadata": null,
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
                     *           "failure": null,
                     *           "bulkOrderId": 7,
                     *           "reference": "INV-2026-0042",
                     *           "metadata": null,
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
                 *           "amount": 3.9,
                 *           "reference": "INV-2026-0042"
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
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
                     *           "orderId": null,
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
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
                     *       "failure": null,
                     *       "bulkOrderId": null,
                     *       "reference": "INV-2026-0042",
                     *       "metadata": {
                     *         "customer": "81",
                     *         "till": "Osu"
                     *       },
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
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
                     *       "failure": {
                     *         "code": "cancelled",
                     *         "message": "You cancelled this order.",
                     *         "retryable": true
                     *       },
                     *       "bulkOrderId": null,
                     *       "reference": "INV-2026-0042",
                     *       "metadata": {
                     *         "customer": "81",
                     *         "till": "Osu"
                     *       },
                     *       "note": "You cancelled this order",
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "balance": 120
                     *     }
                     */
                    "application/json": components["schemas"]["PlacedOrder"];
                };
            };
        };
    };
    getBulkOrders: {
        parameters: {
            query?: {
                /** @description How many, newest first */
                limit?: number;
                /** @description The id to continue after, from the Link header */
                cursor?: string;
                /** @description Only bulk orders with exactly this reference of yours */
                reference?: string;
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 7,
                     *         "userId": 12,
                     *         "count": 200,
                     *         "amount": 780,
                     *         "reference": "PAYROLL-2026-11",
                     *         "metadata": null,
                     *         "createdAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["BulkOrderPlaced"][];
                };
            };
        };
    };
    getBulkOrdersId: {
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "userId": 12,
                     *       "count": 200,
                     *       "amount": 780,
                     *       "reference": "PAYROLL-2026-11",
                     *       "metadata": null,
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "statuses": {
                     *         "PENDING": 0,
                     *         "PAID": 0,
                     *         "PROCESSING": 50,
                     *         "DELIVERED": 100,
                     *         "COMPLETED": 48,
                     *         "FAILED": 2
                     *       },
                     *       "refunded": {
                     *         "count": 2,
                     *         "amount": 7.8
                     *       },
                     *       "progress": 0.75,
                     *       "finished": false
                     *     }
                     */
                    "application/json": components["schemas"]["BulkOrderProgress"];
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
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
    getAfaProduct: {
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "price": 5,
                     *       "paused": null,
                     *       "pausedUntil": null
                     *     }
                     */
                    "application/json": components["schemas"]["AfaProduct"];
                };
            };
        };
    };
    getAfa: {
        parameters: {
            query?: {
                /** @description How many, newest first */
                limit?: number;
                /** @description The id to continue after, from the Link header */
                cursor?: string;
                /** @description Only registrations in this state */
                state?: "submitted" | "sent" | "registered" | "refused";
                /** @description Part of a name or number, or an id */
                search?: string;
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "fullName": "Akosua Mensah",
                     *         "phone": "0541234567",
                     *         "ghCardId": "GHA-••••••789-0",
                     *         "location": "Kumasi, Adum",
                     *         "id": 4711,
                     *         "userId": 12,
                     *         "amount": 5,
                     *         "state": "submitted",
                     *         "status": "PENDING",
                     *         "note": null,
                     *         "refundedAt": null,
                     *         "createdAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["AfaRegistration"][];
                };
            };
        };
    };
    postAfa: {
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
                 *       "people": [
                 *         {
                 *           "fullName": "Akosua Mensah",
                 *           "phone": "0541234567",
                 *           "ghCardId": "GHA-123456789-0",
                 *           "location": "Kumasi, Adum"
                 *         }
                 *       ],
                 *       "price": 5
                 *     }
                 */
                "application/json": components["schemas"]["NewAfa"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 1,
                     *       "amount": 5,
                     *       "balance": 115,
                     *       "registrations": [
                     *         {
                     *           "fullName": "Akosua Mensah",
                     *           "phone": "0541234567",
                     *           "ghCardId": "GHA-••••••789-0",
                     *           "location": "Kumasi, Adum",
                     *           "id": 4711,
                     *           "userId": 12,
                     *           "amount": 5,
                     *           "state": "submitted",
                     *           "status": "PENDING",
                     *           "note": null,
                     *           "refundedAt": null,
                     *           "createdAt": "2026-11-21T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AfaPlaced"];
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 3,
                     *         "url": "https://reseller.example/datafie",
                     *         "description": "The shop's own server",
                     *         "events": [
                     *           "order.status_changed",
                     *           "wallet.balance_low"
                     *         ],
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
                 *       "description": "The shop's own server",
                 *       "events": [
                 *         "order.status_changed",
                 *         "wallet.balance_low"
                 *       ]
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 3,
                     *       "url": "https://reseller.example/datafie",
                     *       "description": "The shop's own server",
                     *       "events": [
                     *         "order.status_changed",
                     *         "wallet.balance_low"
                     *       ],
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 3,
                     *       "url": "https://reseller.example/datafie",
                     *       "description": "The shop's own server",
                     *       "events": [
                     *         "order.status_changed",
                     *         "wallet.balance_low"
                     *       ],
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 3,
                     *       "url": "https://reseller.example/datafie",
                     *       "description": "The shop's own server",
                     *       "events": [
                     *         "order.status_changed",
                     *         "wallet.balance_low"
                     *       ],
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 3,
                     *       "url": "https://reseller.example/datafie",
                     *       "description": "The shop's own server",
                     *       "events": [
                     *         "order.status_changed",
                     *         "wallet.balance_low"
                     *       ],
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
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "type": "wallet.topped_up"
                 *     }
                 */
                "application/json": components["schemas"]["HookTest"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 812,
                     *       "messageId": "msg_812",
                     *       "webhookId": 3,
                     *       "type": "wallet.topped_up",
                     *       "test": true,
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
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
                     *         "test": false,
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
    postWebhooksIdReplay: {
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
                 *       "since": "2026-11-21T08:00:00Z",
                 *       "until": "2026-11-21T09:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["HookReplay"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 240
                     *     }
                     */
                    "application/json": components["schemas"]["HookReplayed"];
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
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
                     *       "test": false,
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
    getRequests: {
        parameters: {
            query?: {
                /** @description How many, newest first */
                limit?: number;
                /** @description The id to continue after, from the Link header */
                cursor?: string;
                /** @description Those with this API key */
                keyId?: string;
                /** @description Only requests by this method */
                method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                /** @description A route as this document has it, with :id for {id}: /api/v1/orders/:id */
                route?: string;
                /** @description 404, or 4xx for all of a class */
                status?: string;
                /** @description The code of an error, such as order.duplicate */
                code?: string;
                /** @description A day or a time */
                from?: string;
                /** @description A day, which is included, or the time before which */
                to?: string;
                /** @description The x-request-id of an answer */
                requestId?: string;
                /** @description Those about this order */
                orderId?: string;
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 90000,
                     *         "at": "2026-11-21T09:30:00.123Z",
                     *         "keyId": 3,
                     *         "method": "POST",
                     *         "route": "/api/v1/orders",
                     *         "path": "/api/v1/orders",
                     *         "status": 201,
                     *         "code": null,
                     *         "ms": 14,
                     *         "requestId": "mi8s3k2v-0x4f",
                     *         "orderId": 4711,
                     *         "bulkOrderId": null,
                     *         "idempotencyKey": "sale-20261121-17",
                     *         "replayed": false,
                     *         "address": "41.66.1.2"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["LoggedRequest"][];
                };
            };
        };
    };
    getRequestsId: {
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 90000,
                     *       "at": "2026-11-21T09:30:00.123Z",
                     *       "keyId": 3,
                     *       "method": "POST",
                     *       "route": "/api/v1/orders",
                     *       "path": "/api/v1/orders",
                     *       "status": 201,
                     *       "code": null,
                     *       "ms": 14,
                     *       "requestId": "mi8s3k2v-0x4f",
                     *       "orderId": 4711,
                     *       "bulkOrderId": null,
                     *       "idempotencyKey": "sale-20261121-17",
                     *       "replayed": false,
                     *       "address": "41.66.1.2",
                     *       "requestBody": "{\"productId\":12,\"msisdn\":\"0541234567\",\"quantity\":1,\"pay\":\"wallet\"}",
                     *       "answerBody": "{\"id\":4711,\"status\":\"PENDING\"}"
                     *     }
                     */
                    "application/json": components["schemas"]["WholeLoggedRequest"];
                };
            };
        };
    };
    postSandboxTopUp: {
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
                 *       "amount": 500
                 *     }
                 */
                "application/json": {
                    /** @description Test money in GH₵ */
                    amount: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "balance": 1500
                     *     }
                     */
                    "application/json": {
                        /** @description GH₵, at most two decimals */
                        balance: number;
                    };
                };
            };
        };
    };
    postSandboxClock: {
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
                 *       "minutes": 30
                 *     }
                 */
                "application/json": {
                    /** @description How long shall pass; at most seven days at a time */
                    minutes: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "minutes": 30
                     *     }
                     */
                    "application/json": {
                        /** @description What has passed now */
                        minutes: number;
                    };
                };
            };
        };
    };
    postSandboxReset: {
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "userId": 31,
                     *       "balance": 1000
                     *     }
                     */
                    "application/json": {
                        /** @description The account's id */
                        userId: number;
                        /** @description GH₵, at most two decimals */
                        balance: number;
                    };
                };
            };
        };
    };
    orderStatusChanged: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the message, the same each time it is sent: do nothing for one that you know
                 * @example msg_812
                 */
                "webhook-id": string;
                /**
                 * @description When it is sent, in seconds since 1970; refuse one that is more than five minutes off
                 * @example 1795253400
                 */
                "webhook-timestamp": string;
                /**
                 * @description v1, and the HMAC-SHA-256 of `id.timestamp.body` under your secret, as base64; two of these, with a space between, for a day after a new secret
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "order.status_changed",
                 *       "timestamp": "2026-11-21T10:15:00.123456Z",
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
                 *         "failure": null,
                 *         "bulkOrderId": null,
                 *         "reference": "INV-2026-0042",
                 *         "metadata": {
                 *           "customer": "81",
                 *           "till": "Osu"
                 *         },
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
    orderRefunded: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the message, the same each time it is sent: do nothing for one that you know
                 * @example msg_812
                 */
                "webhook-id": string;
                /**
                 * @description When it is sent, in seconds since 1970; refuse one that is more than five minutes off
                 * @example 1795253400
                 */
                "webhook-timestamp": string;
                /**
                 * @description v1, and the HMAC-SHA-256 of `id.timestamp.body` under your secret, as base64; two of these, with a space between, for a day after a new secret
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "order.refunded",
                 *       "timestamp": "2026-11-21T10:15:00.123456Z",
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
                 *         "status": "FAILED",
                 *         "paid": true,
                 *         "paidAt": "2026-11-21T09:30:00.000Z",
                 *         "paymentMethod": "wallet",
                 *         "refundedAt": "2026-11-21T10:15:00.000Z",
                 *         "failure": {
                 *           "code": "network_refused",
                 *           "message": "The network could not deliver the bundle. Try again later.",
                 *           "retryable": true
                 *         },
                 *         "bulkOrderId": null,
                 *         "reference": "INV-2026-0042",
                 *         "metadata": {
                 *           "customer": "81",
                 *           "till": "Osu"
                 *         },
                 *         "note": null,
                 *         "createdAt": "2026-11-21T09:30:00.000Z",
                 *         "amountPesewas": 390,
                 *         "refunded": 3.9,
                 *         "refundedPesewas": 390
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RefundMessage"];
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
    orderCaseDecided: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the message, the same each time it is sent: do nothing for one that you know
                 * @example msg_812
                 */
                "webhook-id": string;
                /**
                 * @description When it is sent, in seconds since 1970; refuse one that is more than five minutes off
                 * @example 1795253400
                 */
                "webhook-timestamp": string;
                /**
                 * @description v1, and the HMAC-SHA-256 of `id.timestamp.body` under your secret, as base64; two of these, with a space between, for a day after a new secret
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "order.case_decided",
                 *       "timestamp": "2026-11-21T10:15:00.123456Z",
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
                 *         "status": "FAILED",
                 *         "paid": true,
                 *         "paidAt": "2026-11-21T09:30:00.000Z",
                 *         "paymentMethod": "wallet",
                 *         "refundedAt": "2026-11-21T10:15:00.000Z",
                 *         "failure": {
                 *           "code": "not_received",
                 *           "message": "It was reported as not received, and we refunded it. Order it again if it is still wanted.",
                 *           "retryable": true
                 *         },
                 *         "bulkOrderId": null,
                 *         "reference": "INV-2026-0042",
                 *         "metadata": {
                 *           "customer": "81",
                 *           "till": "Osu"
                 *         },
                 *         "note": null,
                 *         "createdAt": "2026-11-21T09:30:00.000Z",
                 *         "amountPesewas": 390,
                 *         "case": {
                 *           "id": 91,
                 *           "outcome": "refunded",
                 *           "message": "The money for this order is back in your wallet."
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DisputeMessage"];
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
    walletToppedUp: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the message, the same each time it is sent: do nothing for one that you know
                 * @example msg_812
                 */
                "webhook-id": string;
                /**
                 * @description When it is sent, in seconds since 1970; refuse one that is more than five minutes off
                 * @example 1795253400
                 */
                "webhook-timestamp": string;
                /**
                 * @description v1, and the HMAC-SHA-256 of `id.timestamp.body` under your secret, as base64; two of these, with a space between, for a day after a new secret
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "wallet.topped_up",
                 *       "timestamp": "2026-11-21T10:15:00.123456Z",
                 *       "data": {
                 *         "source": "paystack",
                 *         "id": 512,
                 *         "reference": "tp-7f3k2m9q",
                 *         "orderId": null,
                 *         "amount": 50,
                 *         "amountPesewas": 5000,
                 *         "balance": 66.1,
                 *         "balancePesewas": 6610
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TopUpMessage"];
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
    walletBalanceLow: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the message, the same each time it is sent: do nothing for one that you know
                 * @example msg_812
                 */
                "webhook-id": string;
                /**
                 * @description When it is sent, in seconds since 1970; refuse one that is more than five minutes off
                 * @example 1795253400
                 */
                "webhook-timestamp": string;
                /**
                 * @description v1, and the HMAC-SHA-256 of `id.timestamp.body` under your secret, as base64; two of these, with a space between, for a day after a new secret
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "wallet.balance_low",
                 *       "timestamp": "2026-11-21T10:15:00.123456Z",
                 *       "data": {
                 *         "limit": 20,
                 *         "limitPesewas": 2000,
                 *         "balance": 16.1,
                 *         "balancePesewas": 1610,
                 *         "available": 16.1,
                 *         "availablePesewas": 1610
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["BalanceLowMessage"];
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
    productPriceChanged: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the message, the same each time it is sent: do nothing for one that you know
                 * @example msg_812
                 */
                "webhook-id": string;
                /**
                 * @description When it is sent, in seconds since 1970; refuse one that is more than five minutes off
                 * @example 1795253400
                 */
                "webhook-timestamp": string;
                /**
                 * @description v1, and the HMAC-SHA-256 of `id.timestamp.body` under your secret, as base64; two of these, with a space between, for a day after a new secret
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "product.price_changed",
                 *       "timestamp": "2026-11-21T10:15:00.123456Z",
                 *       "data": {
                 *         "products": [
                 *           {
                 *             "productId": 1,
                 *             "operator": "MTN",
                 *             "name": "MTN 1GB",
                 *             "size": "1GB",
                 *             "oldPrice": 3.9,
                 *             "oldPricePesewas": 390,
                 *             "price": 4.1,
                 *             "pricePesewas": 410
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PriceMessage"];
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
    productPaused: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the message, the same each time it is sent: do nothing for one that you know
                 * @example msg_812
                 */
                "webhook-id": string;
                /**
                 * @description When it is sent, in seconds since 1970; refuse one that is more than five minutes off
                 * @example 1795253400
                 */
                "webhook-timestamp": string;
                /**
                 * @description v1, and the HMAC-SHA-256 of `id.timestamp.body` under your secret, as base64; two of these, with a space between, for a day after a new secret
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "product.paused",
                 *       "timestamp": "2026-11-21T10:15:00.123456Z",
                 *       "data": {
                 *         "operator": "MTN",
                 *         "productId": 1,
                 *         "name": "MTN 1GB",
                 *         "size": "1GB",
                 *         "paused": true,
                 *         "message": "MTN is slow today",
                 *         "until": "2026-11-21T14:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PauseMessage"];
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
            header: {
                /**
                 * @description The id of the message, the same each time it is sent: do nothing for one that you know
                 * @example msg_812
                 */
                "webhook-id": string;
                /**
                 * @description When it is sent, in seconds since 1970; refuse one that is more than five minutes off
                 * @example 1795253400
                 */
                "webhook-timestamp": string;
                /**
                 * @description v1, and the HMAC-SHA-256 of `id.timestamp.body` under your secret, as base64; two of these, with a space between, for a day after a new secret
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "ping",
                 *       "timestamp": "2026-11-21T10:15:00.123456Z",
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

// The two pages that people see during development: Paystack's payment page, and a phone with prompts to approve.
import { escapeHTML } from "bun";
import type { Call, Reply, Routes } from "../http.ts";
import { button, type PageOptions, pageOf } from "../page.ts";
import { amountOf } from "./paystack-present.ts";
import { type Book, RIGHT_OTP } from "./paystack-state.ts";
import type { Transaction } from "./paystack-types.ts";

/** Plain pages and forms, so that a person, a browser in a test and fetch can use them alike. */
export function pageRoutes(book: Book): Routes {
  return {
    "GET /checkout/:code": (call) => checkout(book, call),
    "POST /checkout/:code": (call) => choose(book, call),
    "GET /phone": () => page("Phone", phone(book), { refreshes: true }),
    "POST /phone/:reference": (call) => answer(book, call),
  };
}

/** The payer's return address. In practice it carries both names of the reference, and keeps an existing query. */
export function returnUrl(callbackUrl: string, reference: string): string {
  const [address, fragment] = callbackUrl.split("#", 2) as [string, string | undefined];
  const query = `trxref=${encodeURIComponent(reference)}&reference=${encodeURIComponent(reference)}`;
  const separator = !address.includes("?") ? "?" : /[?&]$/.test(address) ? "" : "&";
  return `${address}${separator}${query}${fragment === undefined ? "" : `#${fragment}`}`;
}

function checkout(book: Book, call: Call): Reply {
  const transaction = find(book, call);
  if (!transaction) return page("Not found", "<p>There is no such payment.</p>", { status: 404 });
  return isOpen(transaction) ? page("Pay", form(transaction)) : page("Closed", closed(transaction));
}

async function choose(book: Book, call: Call): Promise<Reply> {
  const transaction = find(book, call);
  if (!transaction) return page("Not found", "<p>There is no such payment.</p>", { status: 404 });
  const fields = new URLSearchParams(call.text);
  const outcome = fields.get("outcome");
  const channel = fields.get("channel") ?? transaction.channels[0]!;
  if (outcome === "return") return comeBack(transaction);
  if (outcome === "abandon") return cancel(transaction);
  // The link is valid for one payment (Paystack's PHP library, on authorization_url).
  if (!isOpen(transaction)) return page("Closed", closed(transaction));
  switch (outcome) {
    case "pay":
      await book.pay(transaction, channel);
      return comeBack(transaction);
    case "pay-and-close":
      await book.pay(transaction, channel);
      return page("Tab closed", "<p>Paid. The payer closed the tab and never went back to the shop.</p>");
    case "decline":
      book.decline(transaction);
      return page("Pay", form(transaction, "The card was declined. Try again."), { status: 200 });
    case "fail":
      book.fail(transaction, "Declined by the bank");
      return page("Closed", closed(transaction));
    default:
      return page("Pay", form(transaction, "Choose what the payer does."), { status: 400 });
  }
}

async function answer(book: Book, call: Call): Promise<Reply> {
  const transaction = book.transactions.get(call.params.reference!);
  const answer = new URLSearchParams(call.text).get("answer");
  if (transaction && isAsking(transaction)) {
    if (answer === "approve") await book.pay(transaction);
    if (answer === "refuse") book.refuse(transaction);
  }
  return redirect("/phone");
}

/** If neither the call nor the dashboard sets an address, the payer is not sent back (docs, Initialize Transaction). */
function comeBack(transaction: Transaction): Reply {
  if (transaction.callbackUrl) return redirect(returnUrl(transaction.callbackUrl, transaction.reference));
  return page("Done", closed(transaction));
}

function cancel(transaction: Transaction): Reply {
  if (transaction.cancelUrl) return redirect(transaction.cancelUrl);
  return page("Cancelled", "<p>The payer left without paying. You may close this page.</p>");
}

function redirect(location: string): Reply {
  return { status: 303, headers: { location }, body: "" };
}

function find(book: Book, call: Call): Transaction | undefined {
  return [...book.transactions.values()].find((t) => t.kind === "checkout" && t.accessCode === call.params.code);
}

function isOpen(transaction: Transaction): boolean {
  return transaction.paidAt === null && transaction.status !== "failed";
}

function isAsking(transaction: Transaction): boolean {
  return ["pay_offline", "pending", "send_otp"].includes(transaction.charge ?? "");
}

function form(transaction: Transaction, notice = ""): string {
  const channels = transaction.channels.map((channel, index) => {
    const attributes = `value="${escapeHTML(channel)}"${index === 0 ? " checked" : ""}`;
    const label = escapeHTML(channel.replaceAll("_", " "));
    return `<label><input type="radio" name="channel" ${attributes}> ${label}</label>`;
  });
  return `${summary(transaction)}
${notice && `<p class="notice" role="status">${escapeHTML(notice)}</p>`}
<form method="post">
<fieldset><legend>Pay with</legend>${channels.join("\n")}</fieldset>
${button("outcome", "pay", `Pay ${cedis(transaction)}`, "main")}
${button("outcome", "decline", "Decline (can try again)")}
${button("outcome", "fail", "Fail for good")}
${button("outcome", "pay-and-close", "Pay and close the tab")}
${button("outcome", "return", "Return without paying")}
${button("outcome", "abandon", "Abandon")}
</form>`;
}

function closed(transaction: Transaction): string {
  const status = transaction.paidAt ? "This payment is complete." : "This payment has failed.";
  const back = transaction.callbackUrl
    ? `<form method="post">${button("outcome", "return", "Return to the shop", "main")}</form>`
    : "<p>You may close this page.</p>";
  return `${summary(transaction)}<p class="notice" role="status">${status}</p>${back}`;
}

function phone(book: Book): string {
  const prompts = [...book.transactions.values()].filter(isAsking);
  if (prompts.length === 0) return NO_PROMPTS;
  return prompts
    .map(
      (transaction) => `<section>${summary(transaction)}
<p>${escapeHTML(transaction.provider!.toUpperCase())} ${escapeHTML(transaction.phone!)}</p>
${transaction.charge === "send_otp" ? `<p>The voucher is <strong>${RIGHT_OTP}</strong>: enter it in the shop.</p>` : ""}
<form method="post" action="/phone/${encodeURIComponent(transaction.reference)}">
${button("answer", "approve", `Approve ${cedis(transaction)}`, "main")}
${button("answer", "refuse", "Refuse")}
</form></section>`,
    )
    .join("\n");
}

const NO_PROMPTS = `<p>No payment is waiting for approval. This page updates by itself.</p>
<p class="small">The last two digits of a number decide what its owner does: 01 refuses, 02 does nothing for
180 seconds, 03 pays at once, 04 stays pending, 05 needs a voucher; all others approve after a moment.</p>`;

function summary(transaction: Transaction): string {
  return `<p class="amount">${cedis(transaction)}</p>
<p class="small">${escapeHTML(transaction.email)}<br>${escapeHTML(transaction.reference)}</p>`;
}

function page(title: string, content: string, options: PageOptions = {}): Reply {
  return pageOf("Paystack simulator", title, content, options);
}

function cedis(transaction: Transaction): string {
  const amount = amountOf(transaction);
  return `GH₵ ${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, "0")}`;
}

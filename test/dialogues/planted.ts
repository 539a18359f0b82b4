// Bugs to plant into a copy of the program, to show that a run of dialogues finds them.
import type { Bug } from "../torture/planted.ts";

export const BUGS: Bug[] = [
  {
    name: "a changed price is paid without being shown",
    file: "channels/ussd/buying.ts",
    right: "    expectedPesewas: bundle.pricePesewas * quantity,\n",
    wrong: "",
  },
  {
    name: "a PIN behind the dialled code pays",
    file: "channels/ussd/screens/screens-buying.ts",
    right: '      input: "the PIN",\n      onlySeen: true,\n',
    wrong: '      input: "the PIN",\n',
  },
  {
    name: "a wrong PIN pays",
    file: "channels/ussd/pin.ts",
    right: '  switch (verdict) {\n    case "right":\n',
    wrong: '  switch (verdict) {\n    case "wrong":\n    case "right":\n',
  },
  {
    name: "a wrong PIN requests a top-up",
    file: "channels/ussd/topping-up.ts",
    right: "  if (refused) return refused;\n",
    wrong: "",
  },
  {
    name: "a bundle goes to the caller instead of the number shown",
    file: "channels/ussd/buying.ts",
    right: "    msisdn: msisdn!,\n    quantity,\n",
    wrong: "    msisdn: dialog.msisdn,\n    quantity,\n",
  },
  {
    name: "a repeat soon after the answer counts as the next input",
    file: "channels/ussd/cursor.ts",
    right: "isOver || sinceLeftMs < readingMs",
    wrong: "isOver || sinceLeftMs < 0",
  },
  {
    name: "an older request counts as a new one",
    file: "channels/ussd/cursor.ts",
    right: 'if (typed.number < cursor.length || typed.kind === "dialled") return "stale";',
    wrong: 'if (typed.kind === "dialled") return "stale";',
  },
  {
    name: "what another phone typed is logged",
    file: "channels/ussd/hop.ts",
    right: "deps.log.warn({ session: turn.sessionId, isForeign }",
    wrong: "deps.log.warn({ session: turn.sessionId, isForeign, typed: turn.typed }",
  },
  {
    name: "a PIN is kept in the session",
    file: "channels/ussd/buying.ts",
    right: "  context.buying!.wasPesewas = null;\n",
    wrong: "  Object.assign(context.buying!, { wasPesewas: null, typed: answer });\n",
  },
  {
    name: "a screen is longer than a message",
    file: "src/core/messaging/languages/widths.ts",
    right: "const SCREEN_SEPTETS = 150;",
    wrong: "const SCREEN_SEPTETS = 250;",
  },
  {
    name: "the last order's number is offered to everybody",
    file: "channels/ussd/buying.ts",
    right: "  const [last] = await orderQueries.list(db, { userId, bundlesOnly",
    wrong: "  const [last] = await orderQueries.list(db, { bundlesOnly",
  },
  {
    name: "a wrong PIN by SMS counts as one by USSD",
    file: "channels/sms/inbound.ts",
    right: '{ alongside, channel: "sms" });',
    wrong: "{ alongside });",
  },
  {
    name: "a lock is as long as the first one",
    file: "src/core/identity/phones/pin-locks.ts",
    right: "locks} + 1]`;",
    wrong: "locks} * 0 + 1]`;",
  },
  {
    name: "STOP silences the notice of a lock",
    file: "src/core/identity/phones/pin-notices.ts",
    right: "    passesOptOut: true,\n    body: smsTexts.pinLocked",
    wrong: "    body: smsTexts.pinLocked",
  },
  {
    name: "STOP is answered and forgotten",
    file: "channels/sms/inbound.ts",
    right: '(await optOuts.stop(tx, msisdn, "sms")) && userId !== null',
    wrong: "userId !== null",
  },
];

// Tests of the parser of SMS commands: it accepts whatever people type, and never guesses.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { bundlesFor, readCommand } from "../../channels/sms/command.ts";
import type { ProductOnSale } from "../../src/core/catalog/products.ts";
import { longTest } from "../support/long.ts";

const BUY = { bundleName: "MTN", volumeMb: 5000, msisdn: "233541234567", pin: "4071", isConfirmed: false };
const buyIn = (text: string) => {
  const command = readCommand(text);
  return command.name === "BUY" ? command.buy : command.name;
};

test("case, spaces and punctuation do not matter", () => {
  for (const text of [
    "BUY MTN 5GB 0541234567 4071",
    "buy mtn 5gb 0541234567 4071",
    "  Buy   MTN\n5 GB  054 123 4567   4071. ",
    "buymtn5gb05412345674071",
    "BUY MTN 5 0541234567 4071",
    "BUY MTN 5G +233541234567 4071",
    "BUY MTN 5GB 233 54 123 4567 4071",
    "BUY MTN 5GB 054-123-4567 4071",
    "BUY MTN 5GB, 0541234567, 4071",
    "BUY MTN 5000MB 0541234567 4071",
    "ＢＵＹ ＭＴＮ ５ＧＢ ０５４１２３４５６７ ４０７１",
    "\u200eBUY MTN 5GB \u202a0541234567\u202c 4071",
    "BUY 5GB MTN 0541234567 4071",
    "buy 5 gb mtn, 0541234567, 4071",
    "BUY 5GB of MTN to 0541234567 4071",
    "BUY MTN 5GB to 0541234567 4071",
    "Buy MTN 5GB for +233 54 123 4567 PIN 4071",
    "BUY MTN 5GB 0541234567 and 4071",
    "BUY MTN 5GB 0541234567 and my PIN is 4071.",
    "BUY MTN 5GB 0541234567 and your PIN: 4071",
    "BUY MTN 5GB 0541234567, pin 4071",
  ])
    expect([text, buyIn(text)]).toEqual([text, BUY]);
});

test("what phones put around a message is left out", () => {
  const command = "BUY MTN 5GB 0541234567 4071";
  for (const text of [
    `“${command}”`,
    `"${command}"`,
    `‘${command}’ `,
    `«${command}»`,
    "BUY “MTN 5GB” 0541234567 ‘4071’",
    `Fwd: ${command}`,
    `FW: Fwd: ${command}`,
    `Re: ${command}`,
    `> ${command}`,
    `• ${command}`,
    `*${command}*`,
    "BUY\u00a0MTN\u00a05GB\u202f0541234567\u20094071",
    "BUY\u200b MTN 5GB\ufeff 0541234567 4071\u00ad",
    "BUY MTN 5GB 054–123–4567 4071",
    "BUY MTN 5GB 054\u2011123\u20114567 4071",
    `${command} 👍🏾`,
    `🙏${command}🇬🇭`,
    "BUY MTN 5️⃣GB 0541234567 4071",
    "BUY MTN 5GB (0541234567) 4071",
    `${command}\nSent from my iPhone`,
    `${command}\n\nSent from my Galaxy A14 5G`,
    `${command}\n--\nAma Mensah`,
    `${command}\r\nAma Ventures, data for all`,
    `${command}\nThank you 🙏`,
    `Fwd: “${command}”\n— Ama`,
  ])
    expect([text, buyIn(text)]).toEqual([text, BUY]);
  for (const [text, name] of [
    ["“BAL”", "BAL"],
    ["Fwd: STOP", "STOP"],
    ["HELP 🙏", "HELP"],
    ["status\nSent from my iPhone", "STATUS"],
  ])
    expect([text!, readCommand(text!).name]).toEqual([text!, name as never]);
});

test("what stands below an order and may mean something is no signature", () => {
  for (const below of [
    "Cancel",
    "no, wrong number",
    "don’t buy",
    "Please wait",
    "0241112222",
    "5GB",
    "Stop that",
    "BUY",
  ])
    expect([below, buyIn(`BUY MTN 5GB 0541234567 4071\n${below}`)]).toEqual([below, null]);
  // What is incomplete stays so.
  expect(buyIn("BUY MTN 5GB 0541234567\nAma Mensah")).toBeNull();
});

test("a forgotten BUY, and a number whose prefix names the network, are clear", () => {
  for (const text of ["MTN 5GB 0541234567 4071", "5GB mtn to 0541234567 pin 4071", "BUY 0541234567 5GB 4071"])
    expect([text, buyIn(text)]).toEqual([text, BUY]);
  expect(buyIn("BUY 054 123 4567 5 GB 4071 YES")).toEqual({ ...BUY, isConfirmed: true });
  expect(buyIn("BUY 0201234567 500MB 4071")).toMatchObject({ bundleName: "TELECEL", volumeMb: 500 });
  expect(buyIn("Order 5GB 0541234567 4071")).toBe("OTHER");
  // No network has 029; without a unit nothing tells the size from the PIN.
  for (const text of ["BUY 0291234567 5GB 4071", "BUY 0541234567 5 4071"])
    expect([text, buyIn(text)]).toEqual([text, null]);
});

test("sizes are in GB unless MB is given, and YES confirms a repeated purchase", () => {
  expect(buyIn("BUY TELECEL 500MB 0201234567 407193")).toEqual({
    bundleName: "TELECEL",
    volumeMb: 500,
    msisdn: "233201234567",
    pin: "407193",
    isConfirmed: false,
  });
  expect(buyIn("BUY MTN 1.5 0541234567 4071")).toMatchObject({ volumeMb: 1500 });
  for (const text of [
    "BUY MTN 5GB 0541234567 4071 YES",
    "buy mtn 5gb 0541234567 4071yes",
    "BUY MTN 5GB 0541234567 YES 4071",
    "BUY 5GB MTN for 0541234567 and PIN 4071 YES",
  ])
    expect([text, buyIn(text)]).toEqual([text, { ...BUY, isConfirmed: true }]);
  expect(buyIn("BUY AT Big Time 20GB 0261234567 4071")).toMatchObject({
    bundleName: "ATBIGTIME",
    volumeMb: 20_000,
  });
  expect(buyIn("BUY UP2U 5GB 0541234567 4071")).toMatchObject({ bundleName: "UP2U", volumeMb: 5000 });
});

test("a text that is ambiguous or unreadable is no purchase", () => {
  for (const text of [
    "BUY",
    "BUY MTN",
    "BUY MTN 5GB",
    "BUY MTN 5GB 0541234567",
    "BUY MTN 5GB 054 123 4567",
    "BUY MTN 5GB 4071",
    "BUY MTN 5GB 4071 0541234567",
    "BUY MTN 5GB 0541234567 407",
    "BUY MTN 5GB 0541234567 4071935",
    "BUY MTN 5GB 0541234567 12 4071",
    "BUY MTN 0541234567 4071",
    "BUY 5GB 0541234567 4071",
    "BUY MTN 0GB 0541234567 4071",
    "BUY MTN 5GB 054123456 4071",
    "BUY MTN 5GB 0541234567 4071 and more",
    "BUY MTN 5GB 0541234567 4071; BUY MTN 5GB 0541234568 4071",
    "BUY MTN 5GB 0541234567 0541234568 4071",
    "BUY MTN 5 6 0541234567 4071",
    // A number before the network may be a size or a quantity.
    "BUY 5 MTN 0541234567 4071",
    "BUY 5GB MTN 2GB 0541234567 4071",
    "BUY 5GB MTN to 0541234567 to 0541234568 4071",
    "BUY 5GB MTN 0541234567 for Ama 4071",
    "BUY 5GB to 0541234567 4071",
    "BUY MTN 5GB 0541234567 PIN 4071 and 4072",
  ])
    expect([text, buyIn(text)]).toEqual([text, null]);
});

test("the other commands are read, and everything else is unknown", () => {
  for (const [text, command] of [
    ["BAL", { name: "BAL" }],
    [" balance? ", { name: "BAL" }],
    ["help", { name: "HELP" }],
    ["STATUS 403", { name: "STATUS", orderId: 403 }],
    ["status #403.", { name: "STATUS", orderId: 403 }],
    ["Status of order 403", { name: "STATUS", orderId: 403 }],
    ["STATUS", { name: "STATUS", orderId: null }],
    ["status?", { name: "STATUS", orderId: null }],
    ["B A L", { name: "BAL" }],
    ["B AL", { name: "BAL" }],
    ["BALL", { name: "OTHER" }],
    ["STATUS -1", { name: "OTHER" }],
    ["STATUS 9999999999999999", { name: "OTHER" }],
    ["BAL please", { name: "OTHER" }],
    ["", { name: "OTHER" }],
    ["4071", { name: "OTHER" }],
    ["YES", { name: "OTHER" }],
  ] as const)
    expect([text, readCommand(text)]).toEqual([text, command]);
});

longTest("any text is parsed quickly, and a parsed purchase has only what was typed", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary", maxLength: 2000 }),
    fc
      .array(fc.constantFrom("BUY", "MTN", " ", "5", "GB", "0541234567", "4071", "YES", ",", "0", "+", "\n"), {
        maxLength: 400,
      })
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const command = readCommand(text);
      if (command.name !== "BUY" || !command.buy) return;
      const { msisdn, pin, volumeMb } = command.buy;
      const digits = text.normalize("NFKC").replace(/\D/g, "");
      expect(digits).toContain(msisdn.slice(3));
      expect(digits).toContain(pin);
      expect(volumeMb).toBeGreaterThan(0);
    }),
    { numRuns: 3000 },
  );
});

describe("the names for a bundle", () => {
  const product = (operator: string, name: string) => ({ operator, name }) as ProductOnSale;
  const onSale = [
    product("MTN", "MTN UP2U"),
    product("AIRTELTIGO", "AT iShare"),
    product("AIRTELTIGO", "AT Big Time"),
    product("TELECEL", "Telecel 5959"),
  ];
  const named = (name: string) => bundlesFor(name, onSale).map(({ name }) => name);

  test("are the operator's names, or the family's with or without it", () => {
    expect(named("MTN")).toEqual(["MTN UP2U"]);
    expect(named("AT")).toEqual(["AT iShare", "AT Big Time"]);
    expect(named("AIRTELTIGO")).toEqual(["AT iShare", "AT Big Time"]);
    expect([named("BIGTIME"), named("ATBIGTIME")]).toEqual([["AT Big Time"], ["AT Big Time"]]);
    expect([named("VODAFONE"), named("UP2U")]).toEqual([["Telecel 5959"], ["MTN UP2U"]]);
    expect([named("GLO"), named(""), named("A"), named("TIME")]).toEqual([[], [], [], []]);
  });
});

// Tests of the texts of USSD and SMS in every language: what comes with the program passes the checks that an admin's
// corrections pass, and nothing unreviewed is ever rendered.
import { describe, expect, test } from "bun:test";
import { measure, problemsOf, sampleOf } from "../../../src/core/messaging/languages/checks.ts";
import {
  AS_SHIPPED,
  ENGLISH,
  fill,
  inEnglish,
  isAboutMoney,
  isShippedReviewed,
  lineId,
  placeholdersIn,
  shippedLine,
  TEXT_KEYS,
  type TextKey,
  translatorOf,
} from "../../../src/core/messaging/languages/translate.ts";
import { WIDEST } from "../../../src/core/messaging/languages/widths.ts";
import { LANGUAGES, type Language } from "../../../src/shared/domain.ts";
import { gsm7Length } from "../../../src/shared/phones/sms-text.ts";

/** True when both types are the same. */
type Same<One, Other> = [One, Other] extends [Other, One] ? true : false;

/** The lines of a language with English where it has none. */
const textIn = (language: Language) => (key: TextKey) => shippedLine(language, key) ?? ENGLISH[key];

for (const language of LANGUAGES)
  test(`every line of ${language} keeps its placeholders, its letters and its room`, () => {
    const wrong = TEXT_KEYS.filter((key) => shippedLine(language, key) !== undefined).flatMap((key) =>
      problemsOf(key, shippedLine(language, key)!, textIn(language)).map((problem) => `${key}: ${problem}`),
    );
    expect(wrong).toEqual([]);
  });

test("a placeholder's widest value is declared, and no other", () => {
  const used = new Set(TEXT_KEYS.flatMap((key) => placeholdersIn(ENGLISH[key])));
  expect(Object.keys(WIDEST).sort()).toEqual([...used].sort());
  for (const value of Object.values(WIDEST)) expect(gsm7Length(value)).toBeGreaterThan(0);
});

test("a text is rendered with its values, and its type knows their names", () => {
  expect(inEnglish("ussd.operator")).toBe("Choose network");
  expect(inEnglish("ussd.quantity", { bundle: "MTN 1GB", max: 100 })).toBe("How many of MTN 1GB?\nType 1 to 100");
  // Checked by the compiler: exactly these names, and none for a text without placeholders.
  type Values = NonNullable<Parameters<typeof inEnglish<"ussd.quantity">>[1]>;
  const hasItsNames: Same<keyof Values, "bundle" | "max"> = true;
  const hasNone: Same<Parameters<typeof inEnglish<"ussd.operator">>["length"], 1> = true;
  expect([hasItsNames, hasNone]).toEqual([true, true]);
  // A value with braces is not filled in again.
  expect(inEnglish("ussd.recent", { bundle: "{number}" })).toBe("Who gets {number}?");
});

describe("a line of another language", () => {
  const correction = (key: TextKey, text: string, isReviewed: boolean) => ({
    languages: ["en", "tw"] as Language[],
    corrections: new Map([[lineId("tw", key), { text, isReviewed }]]),
  });

  test("is English while it is not reviewed, also where the language is on", () => {
    const on = { languages: LANGUAGES, corrections: new Map() };
    for (const wordings of [AS_SHIPPED, on])
      for (const key of TEXT_KEYS) {
        const values = WIDEST as never;
        expect(translatorOf(wordings, "tw")(key, values)).toBe(fill(ENGLISH[key], WIDEST));
      }
    const unreviewed = correction("ussd.operator", "Paw network", false);
    expect(translatorOf(unreviewed, "tw")("ussd.operator")).toBe("Choose network");
  });

  test("is shown once an admin has reviewed it, and only while the language is on", () => {
    const reviewed = correction("ussd.operator", "Paw network", true);
    expect(translatorOf(reviewed, "tw")("ussd.operator")).toBe("Paw network");
    expect(translatorOf(reviewed, "en")("ussd.operator")).toBe("Choose network");
    expect(translatorOf({ ...reviewed, languages: ["en"] }, "tw")("ussd.operator")).toBe("Choose network");
  });

  test("that names money or a PIN is never shown by the program's own word", () => {
    const about = TEXT_KEYS.filter(isAboutMoney);
    expect(about).toContain("ussd.pay");
    expect(about).toContain("ussd.old_pin");
    expect(about).toContain("ussd.option.pay_now");
    expect(about).toContain("part.funds");
    expect(about).not.toContain("ussd.operator");
    for (const key of TEXT_KEYS) {
      expect(isShippedReviewed("tw", key) && isAboutMoney(key)).toBe(false);
      const amounts = ["amount", "balance", "available", "held", "owed", "price"];
      if (placeholdersIn(ENGLISH[key]).some((name) => amounts.includes(name))) expect(about).toContain(key);
    }
  });
});

describe("the checks of a text", () => {
  const english = textIn("en");
  const problems = (key: TextKey, text: string) => problemsOf(key, text, english);

  test("find missing, unknown, repeated and torn placeholders", () => {
    expect(problems("ussd.quantity", "{bundle}: 1 to {max}")).toEqual([]);
    expect(problems("ussd.quantity", "{bundle}?")).toEqual(["{max} is missing."]);
    expect(problems("ussd.quantity", "{bundle} {max} {amount}")).toEqual([
      "{amount} has no place here, or stands here twice.",
    ]);
    expect(problems("ussd.quantity", "{bundle} {max} {max}")).toHaveLength(1);
    expect(problems("ussd.quantity", "{bundle} {max} {")).toEqual([
      "A brace is left over: placeholders look like {amount}.",
    ]);
  });

  test("refuse letters that leave as question marks, and take those with a nearest letter", () => {
    expect(problems("ussd.operator", "Paw nɛtwɔk")).toEqual([]);
    expect(sampleOf("Paw nɛtwɔk")).toBe("Paw netwok");
    expect(problems("ussd.operator", "Choose 📱 网")).toEqual(["Phones cannot show 📱 网."]);
    expect(problems("ussd.operator", "Which network?")).toEqual([]);
    // Screens are ASCII only, messages have all of GSM-7.
    expect(problems("ussd.operator", "Δ")).toEqual(["Phones cannot show Δ."]);
    expect(problems("sms.no_orders", "Δ")).toEqual([]);
    for (const key of ["ussd.option.back", "ussd.notice.retired", "sms.help", "part.paused"] as const)
      expect(problems(key, "One\nTwo")).toContain("Write it in one line.");
    expect(problems("ussd.operator", "One\nTwo\u0007")).toContain("Write it in one line.");
    expect(problems("ussd.operator", "One\nTwo")).toEqual([]);
  });

  test("refuse a line that no longer fits, with the septets over", () => {
    const { septets, allowed } = measure("ussd.pay", ENGLISH["ussd.pay"], english);
    const longer = `${ENGLISH["ussd.pay"]}${"!".repeat(allowed - septets)}`;
    expect(problems("ussd.pay", longer)).toEqual([]);
    expect(problems("ussd.pay", `${longer}!!!`)).toEqual(["It is 3 characters too long."]);
    // Brackets take two septets.
    expect(problems("ussd.pay", `${longer}[`)).toEqual(["It is 2 characters too long."]);
    expect(problems("sms.no_orders", "x".repeat(161))).toEqual(["It is 1 character too long."]);
    expect(problems("ussd.notice.retired", "x".repeat(70))).toEqual(["It is 6 characters too long."]);
    expect(problems("ussd.operator", "  ")).toEqual(["Write a text."]);
    expect(problems("ussd.operator", "x".repeat(100_000))).toEqual(["At most 320 characters."]);
  });

  test("leave an option the room of its screens", () => {
    const wide = TEXT_KEYS.filter(
      (key) => key.startsWith("ussd.option.") && measure(key, ENGLISH[key], english).allowed > 100,
    );
    expect(wide).toEqual([]);
  });

  test("measure a line beside the others of its screen, in whatever language they are", () => {
    const widened = (key: TextKey) => (key === "ussd.option.quantity" ? "x".repeat(20) : english(key));
    const allowed = (textOf: (key: TextKey) => string) => measure("ussd.pay", ENGLISH["ussd.pay"], textOf).allowed;
    expect(allowed(english) - allowed(widened)).toBe(20 - "Quantity".length);
    // An option on many screens has the room of the narrowest.
    expect(measure("ussd.option.cancel", "Cancel", widened).allowed).toBeLessThan(
      measure("ussd.option.cancel", "Cancel", english).allowed,
    );
  });
});

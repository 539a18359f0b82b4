// Schemas of requests with one-time codes, PINs and phones: password resets, logins in two steps, the profile's phone.
import { z } from "zod";
import { errorCode, isText } from "../../shared/inputs.ts";
import { parseCedis } from "../../shared/money.ts";
import { parseMsisdn } from "../../shared/phones/msisdn.ts";
import { isPin } from "../../shared/phones/pin.ts";
import { parseShopName, SHOP_NAME_CHARS, shopNameProblem } from "../../shared/shop-name.ts";
import { LogIn, PasswordChange, SignUp } from "./accounts.ts";

/** Validates the format only, not whether such an account exists. */
const Login = z
  .string("Enter your email or phone number")
  .trim()
  .max(254, "at most 254 characters")
  .refine(
    (login) => isText(login) && (parseMsisdn(login) !== null || z.email().safeParse(login).success),
    "Enter the email or the phone number of your account",
  );
const Code = z
  .string(errorCode("code.wrong"))
  .max(40, errorCode("code.wrong"))
  .transform((code) => code.replace(/[\s-]/g, ""))
  .refine((code) => /^\d{6}$/.test(code), errorCode("code.wrong"));

export const ForgottenPassword = z.object({
  login: Login.describe("The account's e-mail, or its confirmed phone number"),
});
export const PasswordReset = z.object({
  login: Login.describe("As it was given when the code was asked for"),
  code: Code.describe("The six digits that were sent"),
  password: SignUp.shape.password,
});
/** On our pages, besides the code: the PIN for buying by phone, or nothing. */
const KnownPin = z
  .string()
  .max(40, errorCode("pin.invalid"))
  .trim()
  .default("")
  .refine((typed) => typed === "" || isPin(typed), errorCode("pin.invalid"));
export const PasswordResetPage = PasswordReset.extend({ pin: KnownPin });
/** The phone of an account that was opened by USSD. */
const Msisdn = z
  .string(errorCode("msisdn.invalid"))
  .trim()
  .max(40, errorCode("msisdn.invalid"))
  .refine((typed) => parseMsisdn(typed) !== null, errorCode("msisdn.invalid"));
export const ClaimPhone = z.object({ msisdn: Msisdn });
export const AccountClaim = PasswordResetPage.extend({ login: Msisdn, email: SignUp.shape.email });
/** Six digits, or a recovery code; what it is is seen when it is tried. */
const FactorCode = z
  .string(errorCode("factor.wrong"))
  .trim()
  .min(1, errorCode("factor.wrong"))
  .max(40, errorCode("factor.wrong"));
/** Both steps in one request. */
export const LogInAtOnce = LogIn.extend({
  code: z
    .string()
    .trim()
    .max(40, errorCode("factor.wrong"))
    .optional()
    .describe(
      "The code of the second factor, or a recovery code. Together with the password it also unlocks an account " +
        "that others have locked by guessing",
    ),
});
export const SecondStep = z.object({
  token: z
    .string()
    .min(1)
    .max(100)
    .describe("The token from the refused login: valid for five minutes and one session"),
  code: FactorCode.describe("The six digits of the authenticator app, or a recovery code"),
});
export const FactorCodeOnly = z.object({ code: FactorCode });
export const FactorProof = z.object({
  code: FactorCode,
  currentPassword: PasswordChange.shape.currentPassword,
});
export const NewPhone = z.object({
  msisdn: z.string().max(40, errorCode("msisdn.invalid")),
  currentPassword: PasswordChange.shape.currentPassword,
});
/** The balance below which the agent is notified; empty: never. */
export const LowBalance = z.object({
  lowBalance: z
    .string()
    .trim()
    .default("")
    .transform((typed, context) => {
      const pesewas = typed === "" ? null : parseCedis(typed);
      if (typed !== "" && (pesewas === null || pesewas <= 0))
        context.addIssue("Enter an amount such as 50 or 20.50, or leave it empty");
      return pesewas;
    }),
});
/** The name in which an agent's customers get SMS; empty: the username. */
export const ShopName = z.object({
  shopName: z
    .string()
    .max(200)
    .default("")
    .transform((typed, context) => {
      const problem = typed.trim() === "" ? null : shopNameProblem(typed);
      if (problem === "shape") context.addIssue(`Use at most ${SHOP_NAME_CHARS} letters, digits and spaces`);
      if (problem === "reserved") context.addIssue("Use your own name, and not that of a network, a bank or an office");
      return parseShopName(typed);
    }),
});
export const PhoneCode = z.object({ code: Code });
export const NewPin = z.object({
  pin: z
    .string(errorCode("pin.invalid"))
    .max(40, errorCode("pin.invalid"))
    .trim()
    .refine(isPin, errorCode("pin.invalid")),
  currentPassword: PasswordChange.shape.currentPassword,
});
export const PasswordProof = NewPhone.pick({ currentPassword: true });

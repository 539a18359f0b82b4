// The USSD screens of a top-up: what each shows, and where each answer leads.
import { NETWORKS, type Network } from "../../../src/shared/domain.ts";
import { plain } from "../../../src/shared/money.ts";
import { localMsisdn, spacedMsisdn } from "../../../src/shared/phones/msisdn.ts";
import { back, type Choice, type Context, type Screen, type ScreenName } from "../conversation.ts";
import { smsIn } from "../sms-promise.ts";
import * as topping from "../topping-up.ts";

/** Where a missed prompt can be found, by network. */
export const APPROVALS: Record<Network, string> = {
  mtn: "*170#, My Wallet, My Approvals",
  vod: "*110#",
  atl: "*110#",
};

/** Whether a payer of this network enters a voucher, which an SMS asks for, in place of approving a prompt. */
export const takesVoucher = (network: Network): boolean => network === "vod";

export const addMoney = {
  action: topping.beginTopUp,
  to: ["top_up", "voucher", "top_up_waiting", "closed"],
} as const;
const cancelTopUp = { action: topping.cancelTopUp, to: ["top_up", "home"] } as const;

export const TOPPING_UP = {
  top_up: {
    about: "How much",
    text: ({ t }) => t("ussd.top_up"),
    choices: [back("home")],
    typed: {
      input: "an amount",
      way: { action: topping.takeAmount, to: ["top_up_from", "top_up_network", "top_up"] },
    },
  },
  top_up_from: {
    about: "Who pays: the caller's phone, unless another is given",
    text: ({ context, t }) => t("ussd.top_up_from", toppingUp(context)),
    choices: [
      { digit: "1", label: "ussd.option.yes", way: "top_up_pin" },
      { digit: "2", label: "ussd.option.other_number", way: "top_up_number" },
      { digit: "3", label: "ussd.option.other_network", way: "top_up_network" },
      back("top_up"),
    ],
  },
  top_up_number: {
    about: "The number of the mobile money wallet",
    text: ({ t }) => t("ussd.top_up_number"),
    choices: [back("top_up_from")],
    typed: {
      input: "a number",
      way: { action: topping.takePayer, to: ["top_up_from", "top_up_network", "top_up_number"] },
    },
  },
  top_up_network: {
    about: "Which mobile money network",
    text: ({ t }) => t("ussd.top_up_network"),
    choices: [
      ...topping.NETWORK_CHOICES.map((network, i) => ({
        digit: String(i + 1),
        label: () => NETWORKS[network],
        way: { action: topping.takeNetwork, to: ["top_up_pin"] },
      })),
      back("top_up"),
    ] as Choice[],
  },
  top_up_pin: {
    about: "The PIN, before the payer is prompted",
    text: ({ context, t }) => t("ussd.top_up_pin", toppingUp(context)),
    choices: [back("home", "ussd.option.cancel")],
    typed: {
      input: "the PIN",
      onlySeen: true,
      way: {
        action: topping.promptPayer,
        to: ["asked", "top_up_pin", "top_up", "home", "locked", "no_pin", "frozen", "closed", "banned", "busy"],
      },
    },
  },
  asked: {
    about: "The approval prompt comes once the session has ended",
    text: ({ context, t }) => {
      const [amount, network] = [plain(context.topUp!.amountPesewas), context.topUp!.network!];
      return takesVoucher(network)
        ? t("ussd.asked.voucher", { amount })
        : t("ussd.asked", { amount, approvals: APPROVALS[network], sms: smsIn(t, context) });
    },
  },
  top_up_waiting: {
    about: "A top-up is in progress, perhaps from a wrong number",
    text: ({ context, t }) => {
      const { amountPesewas, msisdn } = context.waiting!;
      return t("ussd.top_up_waiting", { amount: plain(amountPesewas), number: localMsisdn(msisdn) });
    },
    choices: [
      { digit: "1", label: "ussd.option.start_again", way: cancelTopUp, onlySeen: true, onlyRead: true },
      back("home"),
    ],
  },
  voucher: {
    about: "Telecel requires a voucher for a top-up",
    text: ({ context, t }) => t("ussd.voucher", { amount: plain(context.waiting!.amountPesewas) }),
    choices: [
      { digit: "1", label: "ussd.option.cancel_top_up", way: cancelTopUp, onlySeen: true, onlyRead: true },
      back("home"),
    ],
    typed: {
      input: "the voucher",
      onlySeen: true,
      way: { action: topping.submitVoucher, to: ["handed_in", "voucher", "home"] },
    },
  },
  handed_in: {
    about: "The voucher is checked once the session has ended",
    text: ({ context, t }) => t("ussd.handed_in", { sms: smsIn(t, context) }),
  },
} satisfies Partial<Record<ScreenName, Screen>>;

function toppingUp({ topUp }: Context): { amount: string; payer: string } {
  const { amountPesewas, msisdn, network } = topUp!;
  const payer = `${spacedMsisdn(msisdn)}${network ? ` (${NETWORKS[network]})` : ""}`;
  return { amount: plain(amountPesewas), payer };
}

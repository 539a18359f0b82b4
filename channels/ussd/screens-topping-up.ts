// The USSD screens of a top-up: what each shows, and where each answer leads.
import { NETWORKS, type Network } from "../../src/shared/domain.ts";
import { plain } from "../../src/shared/money.ts";
import { localMsisdn, spacedMsisdn } from "../../src/shared/msisdn.ts";
import { back, type Choice, type Context, type Screen, type ScreenName } from "./conversation.ts";
import * as topping from "./topping-up.ts";

/** Where a missed prompt can be found, by network. */
const APPROVALS: Record<Network, string> = {
  mtn: "*170#, My Wallet, My Approvals",
  vod: "*110#",
  atl: "*110#",
};

const cancelTopUp = { action: topping.cancelTopUp, to: ["top_up", "home"] } as const;

export const TOPPING_UP = {
  top_up: {
    about: "How much",
    text: () => "Add money by mobile money\nType amount in GHS, e.g. 20",
    choices: [back("home")],
    typed: {
      input: "an amount",
      way: { action: topping.takeAmount, to: ["top_up_from", "top_up_network", "top_up"] },
    },
  },
  top_up_from: {
    about: "Who pays: the caller's phone, unless another is given",
    text: ({ context }) => `Pay ${plain(context.topUp!.amountPesewas)} from\n${payerOf(context)}?`,
    choices: [
      { digit: "1", label: "Yes", way: "top_up_pin" },
      { digit: "2", label: "Other number", way: "top_up_number" },
      { digit: "3", label: "Other network", way: "top_up_network" },
      back("top_up"),
    ],
  },
  top_up_number: {
    about: "The number of the mobile money wallet",
    text: () => "Type the mobile money number, e.g. 0541234567",
    choices: [back("top_up_from")],
    typed: {
      input: "a number",
      way: { action: topping.takePayer, to: ["top_up_from", "top_up_network", "top_up_number"] },
    },
  },
  top_up_network: {
    about: "Which mobile money network",
    text: () => "Choose mobile money",
    choices: [
      ...topping.NETWORK_CHOICES.map((network, i) => ({
        digit: String(i + 1),
        label: NETWORKS[network],
        way: { action: topping.takeNetwork, to: ["top_up_pin"] },
      })),
      back("top_up"),
    ] as Choice[],
  },
  top_up_pin: {
    about: "The PIN, before the payer is prompted",
    text: ({ context }) =>
      `Add ${plain(context.topUp!.amountPesewas)} from\n${payerOf(context)}\nEnter your DataFie PIN`,
    choices: [back("home", "Cancel")],
    typed: {
      input: "the PIN",
      onlySeen: true,
      way: {
        action: topping.promptPayer,
        to: ["asked", "top_up_pin", "top_up", "home", "locked", "no_pin", "banned", "busy"],
      },
    },
  },
  asked: {
    about: "The approval prompt comes once the session has ended",
    text: ({ context }) =>
      `${plain(context.topUp!.amountPesewas)}: wait for the prompt and approve it.\n` +
      `No prompt? Dial ${APPROVALS[context.topUp!.network!]}.\nSMS will confirm.`,
  },
  top_up_waiting: {
    about: "A top-up is in progress, perhaps from a wrong number",
    text: ({ context }) => {
      const { amountPesewas, msisdn } = context.waiting!;
      return `${plain(amountPesewas)} from ${localMsisdn(msisdn)} is waiting: approve it on that phone.`;
    },
    choices: [
      { digit: "1", label: "Cancel and start again", way: cancelTopUp, onlySeen: true },
      back("home"),
    ],
  },
  voucher: {
    about: "Telecel requires a voucher for a top-up",
    text: ({ context }) =>
      `Add ${plain(context.waiting!.amountPesewas)}\nDial *110# for a voucher, then type it here`,
    choices: [{ digit: "1", label: "Cancel top-up", way: cancelTopUp, onlySeen: true }, back("home")],
    typed: {
      input: "the voucher",
      onlySeen: true,
      way: { action: topping.submitVoucher, to: ["handed_in", "voucher", "home"] },
    },
  },
  handed_in: {
    about: "The voucher is checked once the session has ended",
    text: () => "Thank you. Your voucher is being checked.\nSMS will confirm.",
  },
} satisfies Partial<Record<ScreenName, Screen>>;

function payerOf({ topUp }: Context): string {
  const { msisdn, network } = topUp!;
  return `${spacedMsisdn(msisdn)}${network ? ` (${NETWORKS[network]})` : ""}`;
}

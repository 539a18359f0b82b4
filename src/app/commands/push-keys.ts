// The command `bun src/app/main.ts push-keys`, which prints a new key pair for push messages as lines for the
// environment.
import { newVapidKeys } from "../../gateways/push.ts";
import { printLine } from "./opening.ts";

export async function pushKeys(): Promise<void> {
  const { publicKey, privateKey } = newVapidKeys();
  printLine(`PUSH_VAPID_PUBLIC_KEY=${publicKey}`);
  printLine(`PUSH_VAPID_PRIVATE_KEY=${privateKey}`);
  printLine("PUSH_VAPID_SUBJECT=mailto:your-address@shop.example");
}

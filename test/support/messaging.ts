// A world's SMS and e-mails: sent through the real gateways to simulators, and read there.
import { afterAll } from "bun:test";
import { startAfricasTalking } from "../../dev/simulators/africastalking.ts";
import { startMailbox } from "../../dev/simulators/mailbox.ts";
import { type Messaging, sendMessages } from "../../src/app/worker.ts";
import { codeKey } from "../../src/core/identity/logins/codes.ts";
import { createAfricasTalking } from "../../src/gateways/africastalking.ts";
import { createMail } from "../../src/gateways/mail.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { TEST_JWT_SECRET, type World } from "./world.ts";

/** Opens both channels for this world, and closes them after the file. */
export async function openMessaging(world: World) {
  const [africasTalking, mailbox] = await Promise.all([startAfricasTalking(), startMailbox()]);
  afterAll(() => Promise.all([africasTalking.stop(), mailbox.stop()]));
  const { url: baseUrl, username, apiKey } = africasTalking;
  const messaging: Messaging = {
    senders: {
      sms: { africastalking: createAfricasTalking({ baseUrl, username, apiKey, senderId: null }) },
      email: createMail({ url: mailbox.url, from: "DataFie <no-reply@shop.example>" }),
    },
    codeKey: codeKey(TEST_JWT_SECRET),
  };
  const lines: string[] = [];
  const log = createLog("trace", { write: (line) => void lines.push(line) });
  const deliver = () => sendMessages(world.db, messaging, log);
  const textsTo = (recipient: string) => [
    ...africasTalking.messages().flatMap(({ to, message }) => (to === `+${recipient}` ? [message] : [])),
    ...mailbox.mails().flatMap(({ to, text }) => (to === recipient ? [text] : [])),
  ];
  return {
    messaging,
    africasTalking,
    mailbox,
    /** Runs the worker's own round, with its log. */
    deliver,
    logged: () => lines.join(""),
    /** Everything that this phone (233541234567) or mailbox has received, oldest first. */
    textsTo,
    /** The newest code for this phone or mailbox, after waiting messages were sent. Throws if there is none. */
    codeTo: async (recipient: string): Promise<string> => {
      await deliver();
      const code = textsTo(recipient)
        .flatMap((text) => /(?<!\d)\d{6}(?!\d)/.exec(text)?.[0] ?? [])
        .at(-1);
      if (!code) throw new Error(`no code came to ${recipient}`);
      return code;
    },
  };
}

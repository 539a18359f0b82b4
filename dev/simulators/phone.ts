// A simulated phone and its gateway: it calls our callbacks as Africa's Talking does, or another gateway, holds our
// answers to its rules, and sends us SMS. It behaves as recorded and documented; phone-page.ts displays it.
import type { UssdGatewayName } from "../../src/shared/phones/ussd-gateways.ts";
import {
  AT_HEADERS,
  formOf,
  GatewayError,
  type Hop,
  LABEL,
  NETWORK_CODES,
  newId,
  type OtherFields,
  type PhoneNetwork,
  type Screen,
  WIRES,
} from "./ussd-wires.ts";

export { GatewayError, type Screen } from "./ussd-wires.ts";

export const SERVICE_CODE = "*920*55#";
/** The number that our SMS can be answered to. */
export const SHORT_CODE = "22955";

const ANSWER_MS_MAX = 10_000;

export type PhoneOptions = {
  /** Its number: 233541234567. */
  msisdn: string;
  /** Whom the code was rented from; Africa's Talking by default. */
  gateway?: UssdGatewayName;
  network?: PhoneNetwork;
  /** The network's code at Africa's Talking, if another than the network's own. */
  networkCode?: string;
  serviceCode?: string;
  /** The callback for each hop; null: no application is registered for the code. */
  ussdUrl?: string | null;
  /** Africa's Talking's callback for ended sessions; null: none. */
  eventsUrl?: string | null;
  /** The callback for SMS to our short code. */
  inboundUrl?: string | null;
  answerMsMax?: number;
};

export type EndStatus = "Success" | "Incomplete" | "Failed";

export type Phone = ReturnType<typeof openPhone>;

/** Creates a phone; its sessions throw GatewayError for answers that the gateway would not show. */
export function openPhone(options: PhoneOptions) {
  const { msisdn, network = "MTN", networkCode = NETWORK_CODES[network] } = options;
  const { gateway = "africastalking", serviceCode = SERVICE_CODE } = options;
  const wire = WIRES[gateway];
  const phoneNumber = `+${msisdn}`;
  let session: Session | null = null;

  return {
    /** Dials the code; `*920*55*1*2#` arrives with the text "1*2". */
    dial: (text = ""): Promise<Screen> => {
      const now = { id: wire.newSessionId(), text, input: text, labels: [], startedAtMs: performance.now() };
      session = { ...now, last: null };
      return hop(session);
    },
    /** Answers the screen; an empty answer counts too. */
    reply: (typed: string): Promise<Screen> => {
      const now = current();
      if (!now.last?.isOpen) throw new Error("This session waits for no reply");
      now.text = now.labels.length === 1 && now.text === "" ? typed : `${now.text}*${typed}`;
      now.input = typed;
      return hop(now);
    },
    /** Repeats the newest request, as gateways do, even while the first is still being answered. */
    redeliver: (): Promise<Screen> => hop(current(), { isRepeat: true }),
    /**
     * Sends the newest request with another text (all of it at Africa's Talking, the last input elsewhere) and any
     * other field; the phone itself does not remember it.
     */
    raw: (text: string, other: OtherFields = {}, signal?: AbortSignal): Promise<Screen> =>
      hop(current(), { isRepeat: true, typed: { text, input: text }, other, signal }),
    /** Ends the session from the phone's side, as the network's time limit does. */
    hangUp: async (): Promise<void> => {
      await sendEvent("Incomplete");
      session = null;
    },
    /** Reports how the session ended; once more, or early, if a test wants that. */
    sendEvent,
    /**
     * Sends an SMS to our short code; the same id means the same message, sent again. Returns the status of our
     * answer.
     */
    sendSms,
    sessionId: () => current().id,
    /** The transcript so far, as Africa's Talking sends it. */
    text: () => current().text,
  };

  function current(): Session {
    if (!session) throw new Error("Nothing was dialled");
    return session;
  }

  async function hop(on: Session, how: HopOptions = {}): Promise<Screen> {
    const { isRepeat = false, typed = {}, other = {} } = how;
    const { signal = AbortSignal.timeout(options.answerMsMax ?? ANSWER_MS_MAX) } = how;
    if (!options.ussdUrl) throw new GatewayError("No application is registered for this code");
    const before = on.labels.at(-1) ?? null;
    if (!isRepeat) on.labels.push(null);
    const now = { ...hopOf(on, before), ...typed };
    try {
      const response = await fetch(options.ussdUrl, { method: "POST", ...wire.request(now, other), signal });
      const screen = wire.screenOf({ response, body: await response.text() }, now);
      if (isRepeat) return screen;
      on.last = screen;
      on.labels[on.labels.length - 1] = response.headers.get(LABEL);
      if (!screen.isOpen) await sendEvent("Success");
      return screen;
    } catch (error) {
      const fault = error instanceof GatewayError ? error : new GatewayError(`No answer: ${error}`);
      if (!isRepeat) {
        on.last = null;
        await sendEvent("Failed", fault.message);
      }
      throw fault;
    }
  }

  function hopOf({ id: sessionId, text, input, labels }: Session, label: string | null): Hop {
    return {
      sessionId,
      msisdn,
      serviceCode,
      network,
      networkCode,
      text,
      input,
      number: labels.length,
      label,
    };
  }

  async function sendEvent(status: EndStatus, errorMessage?: string): Promise<number | null> {
    const on = current();
    if (wire.release && options.ussdUrl && status === "Incomplete")
      return post(options.ussdUrl, wire.release(hopOf(on, null)));
    if (gateway !== "africastalking" || !options.eventsUrl) return null;
    const { id, text, labels, startedAtMs, last } = on;
    const fields = {
      date: currentTimestamp(),
      sessionId: id,
      serviceCode,
      networkCode,
      phoneNumber,
      status,
      cost: "GHS 0.0500",
      durationInMillis: String(Math.round(performance.now() - startedAtMs)),
      hopsCount: String(labels.length),
      hopsMetadata: labels.flatMap((label) => label ?? []).join("|"),
      input: text,
      lastAppResponse: last?.body ?? "",
      ...(errorMessage !== undefined && { errorMessage }),
    };
    return post(options.eventsUrl, asForm(fields));
  }

  async function sendSms(text: string, { id = newId("ATMid_"), to = SHORT_CODE } = {}): Promise<number> {
    if (!options.inboundUrl) throw new GatewayError("No application takes SMS to this number");
    const fields = { linkId: crypto.randomUUID(), text, to, id, date: currentTimestamp() };
    return post(options.inboundUrl, asForm({ ...fields, from: phoneNumber, cost: "None", networkCode }));
  }
}

type Session = {
  id: string;
  text: string;
  input: string;
  /** What each answer asked to have sent back, in order. */
  labels: (string | null)[];
  startedAtMs: number;
  last: Screen | null;
};
type HopOptions = {
  isRepeat?: boolean;
  typed?: Partial<Pick<Hop, "text" | "input">>;
  other?: OtherFields;
  signal?: AbortSignal | undefined;
};

function asForm(fields: OtherFields) {
  return { headers: { "content-type": AT_HEADERS["content-type"] }, body: formOf(fields) };
}

async function post(url: string, request: { headers: Record<string, string>; body: string }): Promise<number> {
  const response = await fetch(url, {
    method: "POST",
    ...request,
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  });
  await response.body?.cancel();
  return response.status;
}

function currentTimestamp(): string {
  return new Date().toISOString().slice(0, 19).replace("T", " ");
}

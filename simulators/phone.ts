// A simulated phone and its gateway: it calls our callbacks as Africa's Talking does, holds our answers to its rules,
// and sends us SMS. It behaves as recorded and documented; phone-page.ts displays it.

/** Ghana's mobile networks by Africa's Talking's codes, and the code for an unknown network. */
export const NETWORK_CODES = { MTN: "62001", TELECEL: "62002", AIRTELTIGO: "62006", OTHER: "99999" } as const;
export const SERVICE_CODE = "*920*55#";
/** The number that our SMS can be answered to. */
export const SHORT_CODE = "22955";

const ANSWER_MS_MAX = 10_000;
const SCREEN_SEPTETS_MAX = 160;

export type PhoneOptions = {
  /** Its number: 233541234567. */
  msisdn: string;
  networkCode?: string;
  serviceCode?: string;
  /** The callback for each hop; null: no application is registered for the code. */
  ussdUrl?: string | null;
  /** The callback for ended sessions; null: none. */
  eventsUrl?: string | null;
  /** The callback for SMS to our short code. */
  inboundUrl?: string | null;
  answerMsMax?: number;
};

/** The display; `isOpen` if it waits for a reply. */
export type Screen = { text: string; isOpen: boolean /** As it came: "CON …" or "END …". */; body: string };
export type EndStatus = "Success" | "Incomplete" | "Failed";
export type Hop = {
  phoneNumber: string;
  serviceCode: string;
  text: string;
  sessionId: string;
  networkCode: string;
};

/** An answer that the gateway would not have shown. */
export class GatewayError extends Error {}

export type Phone = ReturnType<typeof openPhone>;

/** Creates a phone; its sessions throw GatewayError for answers that the gateway would not show. */
export function openPhone(options: PhoneOptions) {
  const { msisdn, networkCode = NETWORK_CODES.MTN, serviceCode = SERVICE_CODE } = options;
  const phoneNumber = `+${msisdn}`;
  let session: Session | null = null;

  return {
    /** Dials the code; `*920*55*1*2#` arrives with the text "1*2". */
    dial: (text = ""): Promise<Screen> => {
      session = { id: newId("ATUid_"), text, hops: [], openedAt: performance.now(), last: null };
      return hop(session, text);
    },
    /** Answers the screen; an empty answer counts too. */
    reply: (typed: string): Promise<Screen> => {
      const now = current();
      if (!now.last?.isOpen) throw new Error("This session waits for no reply");
      now.text = now.hops.length === 1 && now.text === "" ? typed : `${now.text}*${typed}`;
      return hop(now, now.text);
    },
    /** Repeats the newest request, as gateways do, even while the first is still being answered. */
    redeliver: (): Promise<Screen> => hop(current(), current().text, { counts: false }),
    /** Sends a request of this session with any text and any other field; the phone itself does not remember it. */
    raw: (text: string, fields: Partial<Hop> = {}, signal?: AbortSignal): Promise<Screen> =>
      hop(current(), text, { counts: false, fields, signal }),
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
    /** The transcript so far, as the gateway sends it. */
    text: () => current().text,
  };

  function current(): Session {
    if (!session) throw new Error("Nothing was dialled");
    return session;
  }

  async function hop(on: Session, text: string, how: HopOptions = {}): Promise<Screen> {
    const { counts = true, fields = {} } = how;
    const { signal = AbortSignal.timeout(options.answerMsMax ?? ANSWER_MS_MAX) } = how;
    if (!options.ussdUrl) throw new GatewayError("No application is registered for this code");
    const before = on.hops.at(-1)?.label;
    // In the order and encoding of a recorded request.
    const body = formOf({ phoneNumber, serviceCode, text, sessionId: on.id, networkCode, ...fields });
    if (counts) on.hops.push({ label: null });
    try {
      const response = await fetch(options.ussdUrl, {
        method: "POST",
        headers: { ...HEADERS, ...(before && { [LABEL]: before }) },
        body,
        signal,
      });
      const screen = judged(response, await response.text());
      if (!counts) return screen;
      on.last = screen;
      on.hops.at(-1)!.label = response.headers.get(LABEL);
      if (!screen.isOpen) await sendEvent("Success");
      return screen;
    } catch (error) {
      const fault = error instanceof GatewayError ? error : new GatewayError(`No answer: ${error}`);
      if (counts) {
        on.last = null;
        await sendEvent("Failed", fault.message);
      }
      throw fault;
    }
  }

  async function sendEvent(status: EndStatus, errorMessage?: string): Promise<number | null> {
    if (!options.eventsUrl) return null;
    const { id, text, hops, openedAt, last } = current();
    const fields = {
      date: currentTimestamp(),
      sessionId: id,
      serviceCode,
      networkCode,
      phoneNumber,
      status,
      cost: "GHS 0.0500",
      durationInMillis: String(Math.round(performance.now() - openedAt)),
      hopsCount: String(hops.length),
      hopsMetadata: hops.flatMap(({ label }) => label ?? []).join("|"),
      input: text,
      lastAppResponse: last?.body ?? "",
      ...(errorMessage !== undefined && { errorMessage }),
    };
    return post(options.eventsUrl, fields);
  }

  async function sendSms(text: string, { id = newId("ATMid_"), to = SHORT_CODE } = {}): Promise<number> {
    if (!options.inboundUrl) throw new GatewayError("No application takes SMS to this number");
    const fields = { linkId: crypto.randomUUID(), text, to, id, date: currentTimestamp() };
    return post(options.inboundUrl, { ...fields, from: phoneNumber, cost: "None", networkCode });
  }
}

type Session = {
  id: string;
  text: string;
  hops: { label: string | null }[];
  openedAt: number;
  last: Screen | null;
};
type HopOptions = { counts?: boolean; fields?: Partial<Hop>; signal?: AbortSignal | undefined };

const LABEL = "at-ussd-hop-metadata";
const HEADERS = {
  "user-agent": "at-ussd-api/1.0",
  "accept-encoding": "gzip",
  "content-type": "application/x-www-form-urlencoded",
};

/** The answer as the phone shows it. Throws if the gateway would not let it through. */
function judged(response: Response, body: string): Screen {
  const refuse = (problem: string) => new GatewayError(`${problem}: ${JSON.stringify(body.slice(0, 200))}`);
  if (response.status !== 200) throw refuse(`status ${response.status}`);
  const type = response.headers.get("content-type") ?? "";
  if (!/^text\/plain\s*(;|$)/i.test(type)) throw refuse(`content-type ${type || "missing"}`);
  if (!/^(CON|END) /.test(body)) throw refuse("neither CON nor END");
  const text = body.slice(4);
  if (text.trim() === "") throw refuse("an empty screen");
  if (/^\s/.test(text)) throw refuse("it begins with a space");
  if (/[^\x20-\x7e\n]/.test(body)) throw refuse("letters that phones do not show");
  if (septetsOf(body) > SCREEN_SEPTETS_MAX) throw refuse(`${septetsOf(body)} septets`);
  const label = response.headers.get(LABEL);
  if (label !== null && (label.length > 99 || label.includes("|"))) throw refuse(`the label ${label}`);
  return { text, isOpen: body.startsWith("CON "), body };
}

/** Brackets and the like take two septets each (3GPP TS 23.038). */
function septetsOf(body: string): number {
  return body.length + (body.match(/[\^{}\\[\]~|]/g)?.length ?? 0);
}

async function post(url: string, fields: Record<string, string>): Promise<number> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": HEADERS["content-type"] },
    body: formOf(fields),
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  });
  await response.body?.cancel();
  return response.status;
}

/** Percent-encodes everything but letters and digits: `+` as %2B and `*` as %2A. */
function formOf(fields: Record<string, string>): string {
  const encode = (text: string) =>
    encodeURIComponent(text).replace(
      /[!'()*~]/g,
      (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  return Object.entries(fields)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join("&");
}

function newId(prefix: string): string {
  return prefix + crypto.randomUUID().replaceAll("-", "");
}

function currentTimestamp(): string {
  return new Date().toISOString().slice(0, 19).replace("T", " ");
}

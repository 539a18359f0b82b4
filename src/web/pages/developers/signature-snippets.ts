// The check of a webhook's signature in each language. A test runs every one against messages that the shop signed.

const TYPESCRIPT = `import { verifyWebhook } from "datafie";

async function receive(request: Request): Promise<Response> {
  const secret = process.env.DATAFIE_SECRET!;
  const body = await request.text();
  const message = await verifyWebhook(body, request.headers, secret).catch(() => null);
  if (!message) return new Response("not from the shop", { status: 400 });
  if (message.type === "order.status_changed")
    console.log(message.data.id, message.data.status);
  return new Response("ok");
}`;

const PHP = `<?php
/** The message in this request if it is the shop's and no more than five minutes old; otherwise null. */
function messageIn(string $secret, array $headers, string $body): ?array
{
    $headers = array_change_key_case($headers);
    $id = $headers['webhook-id'] ?? '';
    $at = $headers['webhook-timestamp'] ?? '';
    if (!ctype_digit($at) || abs(time() - (int) $at) > 300) {
        return null;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $own = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$at.$body", $key, true));
    // While a secret is being replaced there are two signatures, with a space between them.
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $one) {
        if (hash_equals($own, $one)) {
            return json_decode($body, true);
        }
    }
    return null;
}

$message = messageIn(getenv('DATAFIE_SECRET'), getallheaders(), file_get_contents('php://input'));
http_response_code($message === null ? 400 : 200);`;

const PYTHON = `import base64, hashlib, hmac, json, time

def message_in(secret, headers, body):
    """The message in body (bytes) if it is the shop's and no more than five minutes old; otherwise None."""
    at = headers.get("webhook-timestamp", "")
    if not at.isdecimal() or abs(time.time() - int(at)) > 300:
        return None
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f'{headers.get("webhook-id", "")}.{at}.'.encode() + body
    own = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # While a secret is being replaced there are two signatures, with a space between them.
    given = headers.get("webhook-signature", "").split()
    return json.loads(body) if any(hmac.compare_digest(own, one) for one in given) else None`;

export const SIGNATURE_SNIPPETS = [
  { name: "ts", label: "TypeScript", code: TYPESCRIPT },
  { name: "php", label: "PHP", code: PHP },
  { name: "python", label: "Python", code: PYTHON },
] as const;

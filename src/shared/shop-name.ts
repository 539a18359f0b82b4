// The name of an agent's shop, which the agent's customers read at the head of an SMS.
import { isReserved } from "./username.ts";

export const SHOP_NAME_CHARS = 20;

/** No dot and no slash: whoever buys a bundle for a stranger must not be able to send them a link. */
const SHAPE = /^[A-Za-z0-9][A-Za-z0-9 &'-]*$/;

/** A shop's name as typed, with its blanks tidied; null if it cannot be one, for example because it is a network's. */
export function parseShopName(typed: string): string | null {
  const name = typed.trim().replace(/ +/g, " ");
  return name.length <= SHOP_NAME_CHARS && SHAPE.test(name) && !isReserved(name) ? name : null;
}

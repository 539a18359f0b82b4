// Requests that the shop sends itself for somebody who tries a call in the guide: they come from that person's address.

const senders = new WeakMap<Request, Request>();

/** Notes that a request is sent for the sender of another one; returns it. */
export function onBehalfOf(from: Request, request: Request): Request {
  senders.set(request, from);
  return request;
}

/** The request that came over the network: the request itself, or the one it was sent for. */
export const arrivedAs = (request: Request): Request => senders.get(request) ?? request;

// The ids of requests, which stand in answers, logs and the audit log: the time and four random characters. By the
// time, a request is found in a long log without an index of its id.

const RANDOM_VALUES = 36 ** 4;
const PATTERN = /^([0-9a-z]{8})-[0-9a-z]{4}$/;

/** The id of a request that arrived at `ms` since 1970. */
export function newRequestId(ms: number): string {
  const random = Math.floor(Math.random() * RANDOM_VALUES);
  return `${ms.toString(36).padStart(8, "0")}-${random.toString(36).padStart(4, "0")}`;
}

/** When the request of an id arrived, by its server's clock; null for a text that is no id of ours. */
export function timeOfRequestId(requestId: string): Date | null {
  const time = PATTERN.exec(requestId)?.[1];
  return time === undefined ? null : new Date(Number.parseInt(time, 36));
}

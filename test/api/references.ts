// Resolution of `$ref` in the OpenAPI document.

/** The same value without any `$ref`; throws for a dangling one. No schema of ours is recursive. */
export function resolved<T>(document: unknown, value: T): T {
  if (Array.isArray(value)) return value.map((one) => resolved(document, one)) as T;
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...rest } = value as { $ref?: string };
  const own = Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, resolved(document, one)]));
  if ($ref === undefined) return own as T;
  return { ...(resolved(document, targetOf(document, $ref)) as object), ...own } as T;
}

function targetOf(document: unknown, reference: string): unknown {
  const path = reference.replace(/^#\//, "").split("/");
  const target = path.reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document);
  if (target === undefined) throw new Error(`${reference} leads nowhere`);
  return target;
}

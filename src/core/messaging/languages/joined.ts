// Long texts in two lines of source.

/** Two halves of a text, whose placeholders stay known to the types. */
export function joined<First extends string, Second extends string>(first: First, second: Second): `${First}${Second}` {
  return `${first}${second}`;
}

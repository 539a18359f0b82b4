// A reseller's own reference on an order or a bulk order, with some data by names.

/** Texts by name, as a program gave them. */
export type Metadata = Record<string, string>;

export const REFERENCE_CHARS_MAX = 64;
export const METADATA_KEYS_MAX = 10;
export const METADATA_KEY_CHARS_MAX = 40;
export const METADATA_VALUE_CHARS_MAX = 200;

/** A reference: printable ASCII without spaces, so that it survives addresses, files and being read out. */
export const REFERENCE = new RegExp(`^[\\x21-\\x7e]{1,${REFERENCE_CHARS_MAX}}$`);

/** Metadata as one line of text, for people and their spreadsheets: "customer: 81; till: Osu". */
export function metadataText(metadata: Metadata): string {
  return Object.entries(metadata)
    .map(([name, value]) => `${name}: ${value}`)
    .join("; ");
}

/** What an order carries of its program; left out where it has none. */
export type OwnReference = { reference?: string | undefined; metadata?: Metadata | undefined };

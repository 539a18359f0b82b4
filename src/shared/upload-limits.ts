// Limits on uploads that only the server applies; those that pages also need are in domain.ts.

export const uploadLimits = {
  /** The largest size of an unpacked workbook: ten thousand rows need a quarter of it. */
  unpackedBytes: 4_194_304,
  cellChars: 200,
  columns: 200,
  /** Lists per account that were checked but not placed. */
  checks: 10,
  /** How long a checked list is kept, and one that was saved for later. */
  checkDays: 3,
  draftDays: 90,
} as const;

// Limits on uploads that only the server needs to know.

export const uploadLimits = {
  /** The size of an unpacked workbook; ten thousand rows need a quarter of this. */
  unpackedBytes: 4_194_304,
  cellChars: 200,
  columns: 200,
  /** Checked but unsaved lists per account. */
  checks: 10,
  /** How long a checked list is kept, and how long a draft. */
  checkDays: 3,
  draftDays: 90,
} as const;

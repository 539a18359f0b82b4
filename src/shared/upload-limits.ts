// Limits on what people upload, besides those that pages in the browser need to know.

export const uploadLimits = {
  /** What a workbook may come to unpacked: ten thousand rows need a quarter of it. */
  unpackedBytes: 4_194_304,
  cellChars: 200,
  columns: 200,
  /** Lists that were only checked, of one account. */
  checks: 10,
  /** How long a list is kept that was only checked, and one that was saved for later. */
  checkDays: 3,
  draftDays: 90,
} as const;

// Reasons why a file cannot be read, worded for the person who chose it.

/** A file cannot be read; its message is for the person who chose it. */
export class UnreadableFile extends Error {}

export const DAMAGED = "This file is damaged and cannot be read. Save it again, or paste its columns.";
export const TOO_LARGE = "This sheet is too large. Keep only the columns of the order, or paste them.";
export const LOCKED = "This workbook is protected by a password. Save it without one, or paste its columns.";
export const OTHER_FORMAT = "Save the sheet as .xlsx or CSV first, then choose that file.";
export const NO_SHEET = "Choose an Excel (.xlsx or .xls), CSV or text file.";

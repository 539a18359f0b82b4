// The sender name of SMS, as it must be registered with each gateway.
import { z } from "zod";

export const senderName = z
  .string()
  .regex(/^[A-Za-z0-9 ._-]{1,11}$/, "must be the registered name, at most 11 letters and digits")
  .optional();

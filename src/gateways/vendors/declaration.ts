// The declaration of a vendor's adapter: its name, the environment variables it reads, and how it is made from them.
import type { z } from "zod";
import type { BundleVendor } from "../../core/fulfilment/vendor.ts";

/** The account at Africa's Talking, which SMS, USSD and its vendor share. */
export type AfricasTalkingAccount = { AT_USERNAME?: string | undefined; AT_API_KEY?: string | undefined };

type Declaration<Shape extends z.ZodRawShape, Options> = {
  name: string;
  environment: Shape;
  /** The options from the environment; null while it lacks something, and then the vendor is not used. */
  settings: (env: z.infer<z.ZodObject<Shape>> & AfricasTalkingAccount) => Options | null;
  create: (options: Options) => BundleVendor;
};

/** Returns the declaration, with its types inferred. */
export function declareVendor<Shape extends z.ZodRawShape, Options>(
  declaration: Declaration<Shape, Options>,
): Declaration<Shape, Options> {
  return declaration;
}

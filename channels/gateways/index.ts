// All gateways for USSD.
import type { UssdGatewayName } from "../../src/shared/phones/ussd-gateways.ts";
import { africastalking } from "./africastalking.ts";
import type { UssdGateway } from "./gateway.ts";
import { hubtel } from "./hubtel.ts";
import { arkesel, nalo } from "./unnumbered.ts";

export const GATEWAYS: Record<UssdGatewayName, UssdGateway> = { africastalking, hubtel, arkesel, nalo };

// The settings of the network addresses that gateways for USSD and SMS call from. None of them signs its requests, so
// that these are a second lock beside the secret in the shop's address.
import { USSD_GATEWAYS, type UssdGatewayName } from "../../shared/ussd-gateways.ts";
import { type Text, text } from "./setting-kinds.ts";

type Name = `gateway_addresses_${UssdGatewayName}`;

export const GATEWAY_ADDRESSES = Object.fromEntries(
  Object.entries(USSD_GATEWAYS).map(([code, name]) => [
    `gateway_addresses_${code}`,
    text({
      group: "gateways",
      label: `Addresses of ${name}`,
      charsMax: 400,
      is: "addresses",
      placeholder: "41.66.0.0/16, 154.160.1.2",
      hint: "Nobody else may bring its USSD and SMS. Empty: anybody who knows the secret. Ask the gateway for them",
    }),
  ]),
) as Record<Name, Text>;

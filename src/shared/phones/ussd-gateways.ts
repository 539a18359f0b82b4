// The gateways that bring USSD sessions to the shop, by the names in their addresses and configuration.

export const USSD_GATEWAYS = {
  africastalking: "Africa's Talking",
  hubtel: "Hubtel",
  arkesel: "Arkesel",
  nalo: "Nalo",
} as const;
export type UssdGatewayName = keyof typeof USSD_GATEWAYS;

/** Those that bring USSD alone. Africa's Talking has addresses for SMS as well, under one secret. */
export const USSD_ONLY_GATEWAYS = ["hubtel", "arkesel", "nalo"] as const;
export type UssdOnlyGateway = (typeof USSD_ONLY_GATEWAYS)[number];

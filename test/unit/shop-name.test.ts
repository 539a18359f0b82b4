// The name in which an agent's customers get SMS: it is the agent's own, and speaks for nobody else.
import { expect, test } from "bun:test";
import { parseShopName, shopNameProblem, shownShopName } from "../../src/shared/shop-name.ts";

test("a name of letters, digits and blanks is taken, tidied", () => {
  for (const name of [
    ...["Ama Data", "Kofi's Bundles", "Adwoa Data & Airtime", "Nana-Yaa 24", "Data at Home", "Glory Data"],
    ...["Momoh Ventures", "Bankole Data", "Big Time Data", "Gracia", "Dream TN", "Cocoa Farmers", "Gabby"],
  ])
    expect([name, parseShopName(`  ${name.replace(" ", "  ")} `)]).toEqual([name, name]);
  for (const name of ["", "www.x.y", "a/b", "x".repeat(21), "&Ama", "Amá", "4071", "024 123"])
    expect([name, shopNameProblem(name)]).toEqual([name, "shape"]);
});

test("a name that speaks for a network, money, a bank or an office is refused, also in disguise", () => {
  for (const name of [
    ...["MTN", "MTN MoMo", "mtn data", "M T N", "M-T-N Ghana", "MyMTN", "MTNN Data", "M7N", "Mtn's Data"],
    ...["Telecel", "Telecel Cash", "Te1ecel Cash", "TELECE1", "Tellecel", "T e l e c e l", "Vodafone Cash", "V0dafone"],
    ...["AirtelTigo", "Airtel Tigo Money", "AT Money", "AT Data", "AT"],
    ...["MoMo", "M0M0 Agent", "Mo Mo King", "MobileMoney", "Mobile Money", "MoMoPay", "G-Money"],
    ...["Ecobank", "GCB", "GCB Bank", "Fidelity Bank", "8ank of Ghana", "ABSA", "Stanbic", "CalBank"],
    ...["Ghana Police", "P0l1ce", "Po lice", "Government", "Govt of Ghana", "Ministry of Data", "GRA", "SSNIT", "ECG"],
    ...["DataFie", "Data Fie", "DATAF1E", "Paystack", "Hubtel", "Customer Care", "Support", "admin"],
  ])
    expect([name, shopNameProblem(name)]).toEqual([name, "reserved"]);
});

test("customers never read one that was taken before it was refused, nor such a username", () => {
  expect(shownShopName("Ama Data", "ama")).toBe("Ama Data");
  expect(shownShopName("MTN MoMo", "ama")).toBeNull();
  expect(shownShopName(null, "ama.sells")).toBe("ama sells");
  expect(shownShopName(null, "free.bundles.com")).toBe("free bundles com");
  expect(shownShopName(null, "adwoa.data_and.airtime")).toBe("adwoa data and airti");
  for (const username of ["mtn.momo", "Te1ecel_Cash", "ghana-police", "m.t.n"])
    expect([username, shownShopName(null, username)]).toEqual([username, null]);
});

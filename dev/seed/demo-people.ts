// The sample people of the demonstration shop.
import type { Role } from "../../src/shared/domain.ts";

export type DemoPerson = {
  username: string;
  email: string;
  password: string;
  role: Role;
  about: string;
  /** A confirmed phone with a PIN, to dial and text with at once. */
  phone?: { msisdn: string; pin: string };
};

/** Sample people. Their passwords are not secret: they are printed at the start. */
export const DEMO_PEOPLE: DemoPerson[] = [
  {
    username: "yaw",
    email: "yaw@example.com",
    password: "demo-admin-2026",
    role: "ADMIN",
    about: "owns the shop",
  },
  {
    username: "ama",
    email: "ama@example.com",
    password: "demo-ama",
    role: "USER",
    about: "sells a lot",
    phone: { msisdn: "233541234567", pin: "4071" },
  },
  {
    username: "kofi",
    email: "kofi@example.com",
    password: "demo-kofi",
    role: "USER",
    about: "has GH₵ 2.10 left",
  },
  {
    username: "esi",
    email: "esi@example.com",
    password: "demo-esi",
    role: "USER",
    about: "sells from her phone",
  },
  { username: "efua", email: "efua@example.com", password: "demo-efua", role: "USER", about: "is banned" },
  {
    username: "akua",
    email: "akua@example.com",
    password: "demo-manager-2026",
    role: "MANAGER",
    about: "runs the day",
  },
  {
    username: "kojo",
    email: "kojo@example.com",
    password: "demo-desk-2026",
    role: "DESK",
    about: "delivers orders",
  },
  {
    username: "adwoa",
    email: "adwoa@example.com",
    password: "demo-support-2026",
    role: "SUPPORT",
    about: "answers agents",
  },
  {
    username: "kwame",
    email: "kwame@example.com",
    password: "demo-accounts-2026",
    role: "ACCOUNTS",
    about: "checks the money",
  },
];

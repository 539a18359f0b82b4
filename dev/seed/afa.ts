// The demonstration shop's AFA registrations: invented people with invented cards.

import type { CardSafe } from "../../src/core/afa/card-safe.ts";
import * as afa from "../../src/core/afa/registrations.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import type { AdminTarget } from "../../src/shared/domain.ts";
import type { Scene, Step } from "./demo.ts";
import { demoNumber } from "./draws.ts";

const DAY_MS = 86_400_000;

type Story = {
  name: string;
  location: string;
  daysAgo: number;
  agent: string;
  to?: AdminTarget;
  reason?: string;
};

const STORIES: Story[] = [
  { name: "Akosua Mensah", location: "Kumasi, Adum", daysAgo: 12, agent: "ama", to: "COMPLETED" },
  { name: "Kwabena Osei", location: "Kumasi, Bantama", daysAgo: 12, agent: "ama", to: "COMPLETED" },
  {
    name: "Abena Owusu",
    location: "Accra, Madina",
    daysAgo: 9,
    agent: "esi",
    to: "FAILED",
    reason: "The name differs from the card",
  },
  { name: "Yaw Boateng", location: "Takoradi, Market Circle", daysAgo: 5, agent: "ama", to: "COMPLETED" },
  { name: "Adwoa Asante", location: "Tamale, Aboabo", daysAgo: 1.2, agent: "esi", to: "PROCESSING" },
  { name: "Kojo Antwi-Agyei", location: "Cape Coast, Abura", daysAgo: 0.8, agent: "ama", to: "PROCESSING" },
  { name: "Efua Nyarko", location: "Accra, Kaneshie", daysAgo: 0.1, agent: "ama" },
  { name: "Ibrahim Mohammed", location: "Tamale, Lamashegu", daysAgo: 0.05, agent: "esi" },
];

/** Each person's registration, and an admin's transition six hours later. */
export function afaStories({ db, admin, by, now }: Scene, cards: CardSafe): Step[] {
  return STORIES.flatMap(({ name, location, daysAgo, agent, to, reason }, i): Step[] => {
    const at = now - daysAgo * DAY_MS;
    const person = {
      fullName: name,
      location,
      phone: demoNumber("MTN", 100 + i * 13),
      ghCardId: `GHA-${700_000_000 + i * 7_654_321}-${i}`,
    };
    let id = 0;
    const register: Step = {
      at,
      act: async () => {
        const { answer } = await afa.register(db, cards, { by: by(agent), key: null, people: [person] });
        id = answer.registrations[0]!.id;
      },
    };
    if (!to) return [register];
    const move = () => statusChanges.move(db, { by: admin, key: null, ids: [id], to, reason });
    return [register, { at: at + DAY_MS / 4, act: move }];
  });
}

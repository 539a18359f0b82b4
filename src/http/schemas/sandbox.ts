// API schemas of what is only in the sandbox.
import { z } from "zod";
import { AboveZero } from "../../shared/inputs.ts";
import { SANDBOX_CLOCK_MINUTES_MAX, SANDBOX_TOP_UP_PESEWAS_MAX } from "../../shared/sandbox.ts";
import { money } from "./common.ts";

export const TopUp = z.object({
  amount: AboveZero.refine(
    (pesewas) => pesewas <= SANDBOX_TOP_UP_PESEWAS_MAX,
    `at most GH₵ ${SANDBOX_TOP_UP_PESEWAS_MAX / 100} at a time`,
  ).describe("Test money in GH₵"),
});

export const ToppedUp = z.object({ balance: money });

export const ClockMove = z.object({
  minutes: z
    .int("must be whole minutes")
    .min(1)
    .max(SANDBOX_CLOCK_MINUTES_MAX)
    .describe("How long shall pass; at most seven days at a time"),
});

export const ClockMoved = z.object({ minutes: z.int().describe("What has passed now") });

export const FreshStart = z.object({ userId: z.int(), balance: money });

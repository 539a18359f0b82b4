// Tests of the shared domain: the errors with their messages, and the transitions of orders.
import { describe, expect, test } from "bun:test";
import {
  ADMIN_TARGETS,
  OPEN_STATUSES,
  type OrderStatus,
  type Role,
  STATUSES,
  TRANSITIONS,
} from "../../src/shared/domain.ts";
import { AppError } from "../../src/shared/errors/app-error.ts";
import { errors } from "../../src/shared/errors/codes.ts";
import { isOwner } from "../../src/shared/rights.ts";
import { filesIn, read } from "./source.ts";

describe("the errors", () => {
  const codes = Object.keys(errors);

  test("have no unused code", async () => {
    const files = filesIn("src", "channels").filter((path) => path !== "src/shared/errors/codes.ts");
    const source = (await Promise.all(files.map(read))).join("\n");
    expect(codes.filter((code) => !source.includes(`"${code}"`) && !source.includes(`'${code}'`))).toEqual([]);
  });

  test("each occur in some test", async () => {
    const source = (await Promise.all(filesIn("test").map(read))).join("\n");
    expect(codes.filter((code) => !source.includes(`"${code}"`))).toEqual([]);
  });

  test("have codes of a subject and a reason, a suitable status, and a complete message", () => {
    for (const [code, { status, message, retry }] of Object.entries(errors)) {
      expect(code).toMatch(/^[a-z]+\.[a-z_]+$/);
      expect([400, 401, 403, 404, 405, 408, 409, 413, 414, 415, 422, 429, 500, 502, 503]).toContain(status);
      expect(message).toMatch(/^[A-Z].{8,}$/);
      if (status === 429 || status >= 500) expect([code, retry]).toEqual([code, "later"]);
    }
  });

  test("have the specified messages, where some are specified", () => {
    const messages: Partial<Record<keyof typeof errors, string>> = {
      "auth.bad_credentials": "Invalid credentials",
      "product.not_found": "Invalid package selected",
      "user.password_short": "Password must be at least 6 characters",
      "wallet.insufficient_balance": "Insufficient wallet balance",
    };
    for (const [code, message] of Object.entries(messages)) {
      expect(new AppError(code as keyof typeof errors).message).toBe(message);
    }
  });
});

describe("the transitions", () => {
  test("are exactly these", () => {
    expect(TRANSITIONS).toEqual({
      PENDING: ["PROCESSING", "COMPLETED", "FAILED"],
      PAID: ["PROCESSING", "FAILED"],
      PROCESSING: ["DELIVERED", "COMPLETED", "FAILED"],
      DELIVERED: ["COMPLETED", "FAILED"],
      COMPLETED: ["FAILED"],
      FAILED: [],
    });
  });

  test("lead only to statuses that an admin can set, and from every status but FAILED to FAILED", () => {
    const targets: readonly OrderStatus[] = ADMIN_TARGETS;
    for (const from of STATUSES) {
      for (const to of TRANSITIONS[from]) expect(targets).toContain(to);
      expect(TRANSITIONS[from].includes("FAILED")).toBe(from !== "FAILED");
      expect(TRANSITIONS[from]).not.toContain(from);
    }
  });

  test("leave an order open until it is delivered or failed", () => {
    expect([...OPEN_STATUSES]).toEqual(["PENDING", "PAID", "PROCESSING"]);
  });
});

test("an owner is recognized in any case of letters", () => {
  for (const roles of [["ADMIN"], ["admin"], ["USER", "Admin"]]) expect(isOwner({ roles: roles as Role[] })).toBe(true);
  for (const roles of [[], ["USER"], ["ADMINISTRATOR"], ["ADMIN "]])
    expect(isOwner({ roles: roles as Role[] })).toBe(false);
});

// Tests of the domain's vocabulary: the error codes, the table of transitions, roles.
import { describe, expect, test } from "bun:test";
import {
  ADMIN_TARGETS,
  isAdmin,
  OPEN_STATUSES,
  type OrderStatus,
  type Role,
  STATUSES,
  TRANSITIONS,
} from "../../src/shared/domain.ts";
import { AppError } from "../../src/shared/errors/app-error.ts";
import { catalogue } from "../../src/shared/errors/codes.ts";
import { filesIn, read } from "./source.ts";

describe("the error catalogue", () => {
  const codes = Object.keys(catalogue);

  test("holds no code that nobody uses", async () => {
    const files = filesIn("src", "channels").filter((path) => path !== "src/shared/errors/codes.ts");
    const source = (await Promise.all(files.map(read))).join("\n");
    expect(codes.filter((code) => !source.includes(`"${code}"`) && !source.includes(`'${code}'`))).toEqual(
      [],
    );
  });

  test("is provoked code by code in some test", async () => {
    const source = (await Promise.all(filesIn("test").map(read))).join("\n");
    expect(codes.filter((code) => !source.includes(`"${code}"`))).toEqual([]);
  });

  test("names a thing and a reason, has a status that fits, and words that end", () => {
    for (const [code, { status, message, retry }] of Object.entries(catalogue)) {
      expect(code).toMatch(/^[a-z]+\.[a-z_]+$/);
      expect([400, 401, 403, 404, 408, 409, 413, 415, 422, 429, 500, 502, 503]).toContain(status);
      expect(message).toMatch(/^[A-Z].{8,}$/);
      if (status === 429 || status >= 500) expect([code, retry]).toEqual([code, "later"]);
    }
  });

  test("says what the product says, where it says it in so many words", () => {
    const words: Partial<Record<keyof typeof catalogue, string>> = {
      "auth.bad_credentials": "Invalid credentials",
      "product.not_found": "Invalid package selected",
      "user.password_short": "Password must be at least 6 characters",
      "wallet.insufficient_balance": "Insufficient wallet balance",
    };
    for (const [code, message] of Object.entries(words)) {
      expect(new AppError(code as keyof typeof catalogue).message).toBe(message);
    }
  });
});

describe("the table of moves", () => {
  test("is this and no other", () => {
    expect(TRANSITIONS).toEqual({
      PENDING: ["PROCESSING", "COMPLETED", "FAILED"],
      PAID: ["PROCESSING", "FAILED"],
      PROCESSING: ["DELIVERED", "COMPLETED", "FAILED"],
      DELIVERED: ["COMPLETED", "FAILED"],
      COMPLETED: ["FAILED"],
      FAILED: [],
    });
  });

  test("leads nowhere but to what an admin can give, and every status leads to FAILED but FAILED", () => {
    const targets: readonly OrderStatus[] = ADMIN_TARGETS;
    for (const from of STATUSES) {
      for (const to of TRANSITIONS[from]) expect(targets).toContain(to);
      expect(TRANSITIONS[from].includes("FAILED")).toBe(from !== "FAILED");
      expect(TRANSITIONS[from]).not.toContain(from);
    }
  });

  test("leaves an order open until it is delivered or closed", () => {
    expect([...OPEN_STATUSES]).toEqual(["PENDING", "PAID", "PROCESSING"]);
  });
});

test("an admin is one in any case of letters", () => {
  for (const roles of [["ADMIN"], ["admin"], ["USER", "Admin"]])
    expect(isAdmin({ roles: roles as Role[] })).toBe(true);
  for (const roles of [[], ["USER"], ["ADMINISTRATOR"], ["ADMIN "]])
    expect(isAdmin({ roles: roles as Role[] })).toBe(false);
});

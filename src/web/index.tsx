// The pages: a door to the core for people with a browser.
import { Elysia } from "elysia";
import type { AppError } from "../shared/errors.ts";
import type { WebDeps } from "./page.tsx";

export function web(_deps: WebDeps) {
  return {
    routes: new Elysia(),
    refuse: (_request: Request, refusal: AppError): Response =>
      new Response(refusal.message, { status: refusal.status }),
    unknown: (_request: Request): Response =>
      new Response(null, { status: 303, headers: { location: "/login" } }),
  };
}

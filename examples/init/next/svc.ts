import { Svc } from "svc-sdk";

let client: Svc | undefined;

/** The client. Created on first use, because `next build` loads the pages without SVC_BASE_URL and SVC_API_KEY. */
export function getSvc(): Svc {
  client ??= new Svc();
  return client;
}

export const appUrl = process.env["APP_URL"] ?? "http://localhost:3000";

// Where the user returns from connecting an account.
import { redirect } from "next/navigation";
import { finishConnecting } from "../../service.ts";
import { getSvc } from "../../svc.ts";

export async function GET(request: Request): Promise<Response> {
  const isConnected = await finishConnecting(getSvc(), request.url);
  redirect(isConnected ? "/" : `/?message=${encodeURIComponent("GitHub wasn't connected. Try again.")}`);
}

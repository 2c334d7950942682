// Where the service's events arrive.
import { receive } from "../../receiver.ts";

export function POST(request: Request): Promise<Response> {
  return receive(request);
}

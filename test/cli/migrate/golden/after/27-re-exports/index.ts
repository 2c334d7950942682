export { Svc as Composio, NotFoundError as MissingError } from "svc-sdk";
export type { RequestOptions } from "svc-sdk";

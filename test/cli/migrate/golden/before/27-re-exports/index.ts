export { Composio, NotFoundError as MissingError } from "@composio/client";
export type { RequestOptions } from "@composio/client";

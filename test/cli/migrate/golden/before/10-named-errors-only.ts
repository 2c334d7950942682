import { NotFoundError } from "@composio/client";

export const isMissing = (error: unknown): boolean => error instanceof NotFoundError;

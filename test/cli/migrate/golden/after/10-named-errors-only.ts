import { NotFoundError } from "svc-sdk";

export const isMissing = (error: unknown): boolean => error instanceof NotFoundError;

/** The header with the caller's id of a request, by which the execution log finds a call. */
export const REQUEST_ID = "x-request-id";

/** The header of every webhook delivery: its attempt, from 1. */
export const DELIVERY_ATTEMPT = "x-svc-delivery-attempt";

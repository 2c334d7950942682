import * as authConfigEndpoints from "../resources/auth-configs/endpoints.js";
import * as integrationEndpoints from "../resources/integrations/endpoints.js";
import * as sessionEndpoints from "../resources/session/endpoints.js";
import * as toolkitEndpoints from "../resources/toolkits/endpoints.js";
import * as toolEndpoints from "../resources/tools/endpoints.js";
import { authConfigs } from "./auth-configs.js";
import { integrations } from "./integrations.js";
import type { Operation } from "./operation.js";
import { session } from "./session.js";
import { toolkits } from "./toolkits.js";
import { tools } from "./tools.js";

const endpoints = {
  ...authConfigEndpoints,
  ...integrationEndpoints,
  ...sessionEndpoints,
  ...toolEndpoints,
  ...toolkitEndpoints,
};

type KnownEndpoint = (typeof endpoints)[keyof typeof endpoints];
/** The name of an operation: `authConfigs.get`. */
export type OperationName = KnownEndpoint["name"];
/** The endpoint of an operation. */
export type EndpointOf<Name extends OperationName> = Extract<KnownEndpoint, { readonly name: Name }>;

type Schemas = Pick<Operation, "response" | "status" | "spec"> & Partial<Pick<Operation, "query" | "body">>;

/** Joins each operation to its schemas. States no shape: a missing or wrong one does not compile. */
const schemas: Readonly<Record<OperationName, Schemas>> = {
  ...authConfigs,
  ...integrations,
  ...session,
  ...toolkits,
  ...tools,
};

/** Every operation of the contract. */
export const operations: readonly Operation<KnownEndpoint>[] = Object.values(endpoints).map((endpoint) => {
  const { query, body, response, status, spec } = schemas[endpoint.name];
  return { endpoint, query, body, response, status, spec };
});

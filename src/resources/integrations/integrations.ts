import type { ApiPromise } from "../../client/api-promise.js";
import { coreOf, Resource } from "../../client/client.js";
import type { RequestOptions } from "../../client/request-options.js";
import { integrations } from "./endpoints.js";
import type { UpdatedIntegration, UpdateIntegrationBody } from "./schema.js";

/** Legacy connectors under `/api/v1`, from before auth configs. */
export class Integrations extends Resource {
  /**
   * Changes a legacy connector.
   *
   * @deprecated Integrations are now auth configs: use `authConfigs.update`. This is for connectors that were never
   * migrated.
   * @throws {NotFoundError} 404: no such connector.
   */
  update(integrationId: string, body: UpdateIntegrationBody, options?: RequestOptions): ApiPromise<UpdatedIntegration> {
    return coreOf(this).call(integrations().update, { params: { integrationId }, body }, options);
  }
}

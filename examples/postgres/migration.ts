// Prints the SQL that creates the tables of all stores in PostgreSQL. Run it with: node examples/postgres/migration.ts
// #region print
import { POSTGRES_MIGRATION } from "svc-sdk/stores";

console.log(POSTGRES_MIGRATION);
// #endregion

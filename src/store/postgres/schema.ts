import type { SchemaVersion } from './migrate.ts';
import { VERSION_1 } from './version-1.ts';

/** The versions of the schema, oldest first. Migrations run forward only. A released version never changes; add a new one below. */
export const SCHEMA: readonly SchemaVersion[] = [VERSION_1];

/** The schema of pg-boss beside a schema of Fanfare. */
export function jobsSchemaOf(schema: string): string {
  return `${schema}_jobs`;
}

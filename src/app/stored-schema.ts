import type { StoredSchema } from '#src/admin/queries/about-answer.ts';
import type { Config } from '#src/config/config.ts';
import { SCHEMA as POSTGRES } from '#src/store/postgres/schema.ts';
import { newestVersion } from '#src/store/schema/versions.ts';
import { SCHEMA as SQLITE } from '#src/store/sqlite/schema.ts';

/** The database of a configuration, with the schema that this Fanfare writes. */
export function storedSchema({ databaseUrl }: Pick<Config, 'databaseUrl'>): StoredSchema {
  return databaseUrl === undefined
    ? { database: 'SQLite', schema: newestVersion(SQLITE) }
    : { database: 'PostgreSQL', schema: newestVersion(POSTGRES) };
}

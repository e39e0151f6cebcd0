import type { Pool } from 'pg';
import { ConfigError } from '#src/errors.ts';
import { quoted } from './quoted.ts';

const RIGHTS = ['select', 'insert', 'update', 'delete'] as const;
/** How many missing rights the error names. */
const NAMED = 4;

const MISSING = `
  select current_user as "user", format('%s on schema %I', 'usage', nspname) as missing
    from pg_namespace where nspname = any ($1) and not has_schema_privilege(oid, 'usage')
  union all
  select current_user, format('%s on %I.%I', privilege, nspname, relname)
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace cross join unnest($2::text[]) as its (privilege)
    where nspname = any ($1) and relkind in ('r', 'p') and not has_table_privilege(pg_class.oid, privilege)
      and (relname <> 'schema_version' or privilege = 'select')
`;

/** Throws `ConfigError` if the user lacks rights on the existing tables of these schemas. */
export async function requireRights(pool: Pool, schemas: readonly string[]): Promise<void> {
  const { rows } = await pool.query<{ readonly user: string; readonly missing: string }>(MISSING, [schemas, RIGHTS]);
  const [first] = rows;
  if (!first) return;
  const named = rows.slice(0, NAMED).map(({ missing }) => missing);
  const more = rows.length > NAMED ? ` and ${rows.length - NAMED} more` : '';
  const [user, all] = [quoted(first.user), schemas.map(quoted).join(', ')];
  throw new ConfigError(`the user ${first.user} of the database lacks rights: ${named.join(', ')}${more}`, {
    file: 'DATABASE_URL',
    hint: `grant usage on schema ${all} to ${user}; grant ${RIGHTS.join(', ')} on all tables in schema ${all} to ${user}`,
  });
}

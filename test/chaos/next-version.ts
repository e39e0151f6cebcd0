// Runs Fanfare as a newer version would: `node test/chaos/next-version.ts start`. Its schema has one more version, which the current
// program works with.
import { enableCompileCache, flushCompileCache } from 'node:module';
import { resolve } from 'node:path';
import type { PostgresVersion } from '#src/store/postgres/migrate.ts';

// As bin/fanfare.mjs does, which saves half of the CPU time of a start. A process that is killed writes no cache.
enableCompileCache(resolve('node_modules/.cache/fanfare'));
setTimeout(flushCompileCache, 3_000).unref();
const { main } = await import('#src/main.ts');
const { SCHEMA } = await import('#src/store/postgres/schema.ts');
const { newestVersion } = await import('#src/store/schema/versions.ts');

const known = newestVersion(SCHEMA);
// The list is constant for everything but this file.
(SCHEMA.migrations as PostgresVersion[]).push({
  worksWith: known,
  sql: `
    alter table delivery add column next_text text, add column next_number bigint not null default 1;
    alter table lane add column next_text text not null default 'one';
    alter table agenda add column next_text text;
    alter table rule_state add column next_text text;
    create index delivery_next on delivery (next_number) where next_number > 1;
    create table next_version (id bigint primary key);
  `,
});

await main(process.argv);

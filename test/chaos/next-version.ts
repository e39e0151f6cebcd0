// Runs Fanfare as a newer version would: `node test/chaos/next-version.ts start`. Its schema has one more version, which the current
// program works with.
import { main } from '#src/main.ts';
import type { SchemaVersion } from '#src/store/postgres/migrate.ts';
import { SCHEMA } from '#src/store/postgres/schema.ts';

const known = SCHEMA.length;
// The list is constant for everything but this file.
(SCHEMA as SchemaVersion[]).push({
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

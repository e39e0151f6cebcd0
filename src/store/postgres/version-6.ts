import type { SchemaVersion } from './migrate.ts';
import { TEXT } from './text-type.ts';

/** The pictures of posts that are not sent yet, for the machine that sends them. */
export const VERSION_6: SchemaVersion = {
  worksWith: 1,
  sql: `create table picture (name ${TEXT} primary key, bytes bytea not null, stored_ms bigint not null);`,
};

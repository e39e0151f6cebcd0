import type { SchemaVersion } from './migrate.ts';
import { TEXT } from './text-type.ts';

/** The rules that members approved in Discord. A file is in `approved_file` until a rules folder has it. */
export const VERSION_8: SchemaVersion = {
  worksWith: 6,
  sql: `
alter table rule_version add column approves ${TEXT};
create table approved_file (file ${TEXT} primary key);
`,
};

import { TEXT } from './text-type.ts';

/**
 * The versions of the rules.
 *
 * A row of `rule_file` belongs to all versions from `since` until before `until`, so that a version only adds the files that it changed.
 */
export const RULE_VERSIONS = `
create table rule_version (
  number integer primary key,
  hash ${TEXT} not null,
  published_ms bigint not null,
  publisher ${TEXT} not null,
  note ${TEXT},
  repeats integer,
  approves ${TEXT},
  files integer not null,
  added integer not null,
  changed integer not null,
  deleted integer not null
);

create table rule_text (hash ${TEXT} primary key, source ${TEXT} not null);

create table rule_file (
  file ${TEXT} not null,
  since integer not null,
  until integer,
  hash ${TEXT} not null references rule_text,
  primary key (file, since)
);
create index rule_file_hash on rule_file (hash);
create index rule_file_until on rule_file (until) where until is not null;

-- The files that members approved in Discord, until a rules folder has them.
create table approved_file (file ${TEXT} primary key);
`;

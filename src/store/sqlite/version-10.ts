/** Columns for the fields of documents that queries select by. */
export const VERSION_10 = `
alter table rule_state add column last_poll_ms integer generated always as (memory ->> '$.lastPollMs') virtual;
alter table rule_state add column blown_ms integer generated always as (memory ->> '$.blownMs') virtual;
alter table rule_state add column clock_set_back text generated always as (memory ->> '$.clockSetBack') virtual;
alter table delivery add column params_message text generated always as (params ->> '$.message') virtual;
`;

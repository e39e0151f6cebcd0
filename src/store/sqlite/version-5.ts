/** Reasons as data, and tokens, spending and watch lists of accounts. */
export const VERSION_5 = `
alter table decision add column why text;
alter table delivery add column why text;

create table sealed_token (account text primary key, sealed text not null, saved_ms integer not null) strict, without rowid;

create table spent (account text not null, month text not null, micro_usd integer not null, primary key (account, month)) strict, without rowid;

create table watched_user (
  account text not null,
  user text not null,
  since_ms integer not null,
  primary key (account, user)
) strict, without rowid;
`;

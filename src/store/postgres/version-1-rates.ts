import { TEXT } from './text-type.ts';

/** The rate limits of accounts, which all processes share. */
export const RATES = `
create table rate_budget (
  account ${TEXT} not null,
  budget ${TEXT} not null,
  paused_until_ms float8 not null default 0,
  -- When the whole burst of a documented rate is available again.
  full_at_ms float8 not null default 0,
  -- The points of requests without a response, by the period in which they were taken.
  period float8 not null default 0,
  in_flight float8 not null default 0,
  in_flight_before float8 not null default 0,
  -- The sum of the points whose responses did not describe the budget.
  unstated float8 not null default 0,
  -- The number of rows in rate_window.
  windows integer not null default 0,
  primary key (account, budget)
) with (fillfactor = 50);

create table rate_window (
  account ${TEXT} not null,
  budget ${TEXT} not null,
  family ${TEXT} not null,
  limit_points float8 not null,
  -- Without the points in flight, which are still to be subtracted.
  rest float8 not null,
  -- The allowance in the last response; absent if no response has described this window yet.
  stated float8,
  until_ms float8 not null,
  primary key (account, budget, family)
) with (fillfactor = 50);
`;

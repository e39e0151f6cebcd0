/**
 * The visibility of posts for followers gets the name that records have for it. Withdrawals during an attempt, and resends.
 *
 * A question has a time for its answer. A delivery keeps when it was settled: the time of the deliveries that need its result begins then.
 */
export const VERSION_11 = `
update delivery set plan = json_set(plan, '$.with.visibility', 'followers') where plan ->> '$.with.visibility' = 'private';
update delivery set params = json_set(params, '$.visibility', 'followers') where params ->> '$.visibility' = 'private';
alter table delivery add column origins text;
alter table delivery add column withdrawn text;
alter table delivery add column answer_within_ms integer;
alter table delivery add column settled_ms integer;
alter table delivery add column resends text;
alter table delivery add column names text;
`;

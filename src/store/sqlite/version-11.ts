/** The visibility of posts for followers gets the name that records have for it. Withdrawals during an attempt. */
export const VERSION_11 = `
update delivery set plan = json_set(plan, '$.with.visibility', 'followers') where plan ->> '$.with.visibility' = 'private';
update delivery set params = json_set(params, '$.visibility', 'followers') where params ->> '$.visibility' = 'private';
alter table delivery add column withdrawn text;
`;

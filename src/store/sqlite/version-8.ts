/** Indexes in the order of attempts. */
export const VERSION_8 = `
create index delivery_order on delivery (account, turn, part, due_ms) where state in ('pending', 'sending', 'asked');
create index delivery_sending on delivery (account, turn, part) where state = 'sending';
drop index delivery_queue;
create index delivery_queue on delivery (account, queue, turn, part) where state in ('pending', 'sending');
`;

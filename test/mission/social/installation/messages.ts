import { directId } from '#sandbox/social/messaging/mailbox.ts';
import { ME, MESSAGE, MINUTE_MS, openPeople, upTo, type Past } from './past.ts';

const HOUR_MS = 60 * MINUTE_MS;

/** Who wrote to whom. */
export function settleMessages({ store, people, nowMs }: Past): void {
  let number = 0;
  const others = openPeople({ people });
  const [ada = '', grace = ''] = others;
  const write = (conversationId: string, senderId: string, text: string, id?: string): void => {
    number += 1;
    const createdAtMs = nowMs - 5 * HOUR_MS + number * 2 * MINUTE_MS;
    const message = { id: id ?? `message-${number}`, conversationId, senderId, text, createdAtMs, visibleAtMs: createdAtMs, media: [] };
    store.put('social.messages', message.id, message);
  };

  for (const index of upTo(30)) write(directId(ME, others[700 + index] ?? ''), others[700 + index] ?? '', `Hello, number ${index}.`);
  for (const index of upTo(4)) write(directId(ME, ada), index % 2 === 0 ? ada : ME, `Line ${index}`);
  write(directId(ME, ada), ada, 'A message that has a number', MESSAGE);
  store.put('social.message-groups', 'group-1', {
    id: 'group-1',
    title: 'Runners',
    memberIds: [ME, ada, grace],
    createdAtMs: nowMs - 6 * HOUR_MS,
  });
  write('group-1', grace, 'Welcome, both of you!');
  store.put('social.message-reads', `group-1 ${ME}`, { conversationId: 'group-1', userId: ME, atMs: nowMs });
}

import type { Delivery } from '#src/engine/delivery/delivery.ts';
import { minutesAgo } from './view-records.ts';

/** A stored delivery. */
export function storedDelivery(changes: Partial<Delivery> = {}): Delivery {
  return {
    id: 'd1',
    rule: 'top',
    episode: 'e1',
    firing: 'f1',
    queue: 'top/e1',
    section: 'then',
    occasion: '1',
    step: 'post',
    do: 'social.createPost',
    account: 'x',
    creates: true,
    evenIfUnchanged: false,
    state: 'sent',
    attempts: 2,
    createdAt: minutesAgo(5),
    dueAt: minutesAgo(5),
    since: minutesAgo(4),
    attemptedAt: minutesAgo(3),
    sentAt: minutesAgo(2),
    params: { text: 'Ada is live' },
    result: { url: 'https://x.test/1' },
    ...changes,
  };
}

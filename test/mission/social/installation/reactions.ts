import { MANY, ME, MINUTE_MS, openPeople, ROOT, upTo, type Past } from './past.ts';

const HOUR_MS = 60 * MINUTE_MS;

/** Who liked, passed on, pinned, hid and keeps what. */
export function settleReactions({ store, people, chatter, nowMs }: Past): void {
  let number = 0;
  const others = openPeople({ people });
  const react = (kind: 'like' | 'repost' | 'pin' | 'hide', userId: string, postId: string, on = true): void => {
    number += 1;
    store.put('social.reactions', `${kind} ${userId} ${postId}`, { kind, userId, postId, on, atMs: nowMs - HOUR_MS + number * 7, number });
  };

  for (const index of upTo(MANY)) react('like', others[500 + index] ?? '', ROOT);
  for (const index of upTo(MANY)) react('repost', others[550 + index] ?? '', ROOT);
  for (const [kind, place] of [
    ['like', 500],
    ['repost', 550],
  ] as const)
    react(kind, others[place] ?? '', ROOT, false);
  react('like', ME, ROOT);
  for (const index of upTo(MANY)) react('pin', others[0] ?? '', String(1200 + index));
  react('hide', ME, '1402');
  react('repost', ME, '1900');
  react('repost', others[0] ?? '', '1901');

  const readable = chatter.filter(({ authorId, community }) => !people.isProtected(authorId) && community === undefined);
  for (const [index, { id: postId }] of readable.slice(0, MANY).entries()) {
    store.put('social.bookmarks', `${ME} ${postId}`, { userId: ME, postId, number: index + 1 });
  }
  store.put('social.votes', `${others[0]} 1619`, { userId: others[0] ?? '', postId: '1619', choices: [1] });
}

import { ME, openPeople, upTo, type Past } from './past.ts';

const DAY_MS = 86_400_000;

/** Who follows, blocks and wants to hear of whom. */
export function settleRelations({ store, people, graph, nowMs }: Past): void {
  let number = 0;
  const others = openPeople({ people });
  const [ada = '', grace = ''] = others;
  const relate = (kind: 'follow' | 'block' | 'notify', from: string, to: string, on = true): void => {
    number += 1;
    store.put('social.relations', `${kind} ${from} ${to}`, { kind, from, to, on, number, atMs: nowMs - 2 * DAY_MS });
  };

  // Fans of one's own, who did not follow before; two of those who did do so no more.
  for (const index of upTo(30)) relate('follow', others[300 + index] ?? '', ada);
  for (const follower of graph.followersOf(ada).slice(0, 2)) relate('follow', follower, ada, false);
  for (const index of upTo(30)) relate('follow', ME, others[300 + index] ?? '');
  for (const follower of graph.followersOf(ada).slice(2, 25)) relate('follow', ME, follower);
  for (const id of [ada, grace]) relate('follow', ME, id);
  relate('follow', ada, ME);
  // Who follows somebody who is protected sees what they write.
  const shy = people.others.filter(({ id }) => people.isProtected(id)).slice(0, 40);
  for (const { id } of shy) relate('follow', ME, id);
  for (const index of upTo(45)) relate('block', ME, others[200 + index] ?? '');
  for (const index of upTo(5)) relate('block', others[260 + index] ?? '', ME);
  relate('block', ME, others[206] ?? '', false);
  for (const id of [ada, grace, others[3] ?? '']) relate('notify', ME, id);
  relate('notify', ME, others[4] ?? '', false);
}

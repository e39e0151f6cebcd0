import { expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../support/fanfare-process.ts';
import { openKilledFanfare, stateOf, type KilledFanfare } from '../support/killed-fanfare.ts';

const WHEN =
  'when: { every: 5s, watch: feed.getItems, with: { url: https://items.example/feed.json }, where: item.title.startsWith("item ") }';

const RULES = {
  planned: `
id: planned
${WHEN}
then:
  - { id: now, do: social.createPost, with: { text: "planned \${{ item.title }}" } }
  - wait: 8s
  - { do: social.createPost, with: { text: "later \${{ item.title }}" } }
`,
  free: `
id: free
${WHEN}
then:
  - { do: social.createPost, with: { text: "free \${{ item.title }}" } }
`,
};

const Posts = z.object({ items: z.array(z.object({ text: z.string() })) });
const Rule = z.object({ paused: z.object({}).optional() });
const Decisions = z.object({ items: z.array(z.object({ item: z.string().optional(), outcome: z.string(), message: z.string() })) });

async function countsOf(fanfare: KilledFanfare, word: string): Promise<ReadonlyMap<number, number>> {
  const { items } = Posts.parse(await fanfare.seen('/posts'));
  const numbers = items.flatMap(({ text }) => (text.startsWith(`${word} item `) ? Number(text.slice(word.length + 6)) : []));
  return new Map([...Map.groupBy(numbers, (number) => number)].map(([number, posts]) => [number, posts.length]));
}

test.for([stateOf(1)])('a planned pause begins at its time, although processes are killed around it: %s', async (state) => {
  await using fanfare = await openKilledFanfare({ state, rules: RULES });
  const isSuppressed = async (item: number): Promise<boolean> => {
    const decisions = Decisions.parse(await fanfare.api('/decisions?limit=100&rule=planned'));
    return decisions.items.some(({ outcome, message }) => outcome === 'suppressed' && message.includes(`item ${item}`));
  };
  let items = 0;
  const before: number[] = [];
  const during: number[] = [];
  const publish = async (into?: number[]): Promise<void> => {
    await fanfare.order('/feeds', { feed: 'items.example', title: `item ${++items}` });
    into?.push(items);
  };

  for (let kill = 0; kill < fanfare.kills; kill++) {
    await fanfare.killDuring({ platform: 'social', route: '/createPost' }, async () => {
      await fanfare.act('/rules/planned/pause', { from: new Date(Date.now() + fanfare.random.between(1_000, 6_000)).toISOString() });
      // The later posts of these items are due after the begin of the pause, however long a start takes.
      await publish(before);
    });
    await eventually('the begin of the pause', async () => Rule.parse(await fanfare.api('/rules/planned')).paused !== undefined);
    await publish(during);
    await eventually('a decision during the pause', () => isSuppressed(items));
    await fanfare.act('/rules/planned/resume', {});
  }
  await publish();
  const each = Array.from({ length: items }, (_, index) => index + 1);
  const last = items;
  await eventually('the last posts', async () => (await countsOf(fanfare, 'later')).has(last));
  await eventually('the end of all deliveries', async () => {
    const deliveries = [...(await fanfare.deliveriesOf('planned')), ...(await fanfare.deliveriesOf('free'))];
    return deliveries.every((one) => one.state === 'sent' || one.state === 'skipped');
  });

  const [planned, later, free] = [await countsOf(fanfare, 'planned'), await countsOf(fanfare, 'later'), await countsOf(fanfare, 'free')];
  expect(free).toEqual(new Map(each.map((item) => [item, 1])));
  // An item before the pause is posted once, or its post was withdrawn or suppressed.
  expect([...planned].filter(([item, count]) => count !== 1 || during.includes(item))).toEqual([]);
  expect(planned.get(last)).toBe(1);
  expect([...later]).toEqual([[last, 1]]);
});

import { expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../support/fanfare-process.ts';
import { openKilledFanfare, stateOf, type KilledFanfare } from '../support/killed-fanfare.ts';

const GATHERED = 4;
const ITEMS_PER_KILL = 3;

/** While the feed is read and the memory of the rules is stored, or while posts are sent. */
const REQUESTS = [{ platform: 'feeds' }, { platform: 'social', route: '/createPost' }] as const;

const WHEN =
  'when: { every: 5s, watch: feed.getItems, with: { url: https://items.example/feed.json }, where: item.title.startsWith("item ") }';

const RULES = {
  gathering: `
id: gathering
${WHEN}
gather:
  count: ${GATHERED}
  then:
    - { do: social.createPost, with: { text: "gathered \${{ held.map(h, h.item.title).join(', ') }}" } }
`,
  limited: `
id: limited
${WHEN}
limit:
  firings: 2
  per: 20s
  then:
    - { do: social.createPost, with: { text: "collected \${{ held.map(h, h.item.title).join(', ') }}" } }
then:
  - { do: social.createPost, with: { text: "alone \${{ item.title }}" } }
`,
  held: `
id: held
${WHEN}
limit: { firings: 4, per: 10s, then: hold }
then:
  - { do: social.createPost, with: { text: "held \${{ item.title }}" } }
`,
};

const Posts = z.object({ items: z.array(z.object({ text: z.string() })) });

/** The numbers of the items in each post that begins with one of the words. */
async function postsOf(fanfare: KilledFanfare, ...words: readonly string[]): Promise<readonly (readonly number[])[]> {
  const { items } = Posts.parse(await fanfare.seen('/posts'));
  const texts = items.filter(({ text }) => words.some((word) => text.startsWith(word)));
  return texts.map(({ text }) => Array.from(text.matchAll(/item (\d+)/gu), ([, number]) => Number(number)));
}

const inOrder = (posts: readonly (readonly number[])[]): readonly number[] => posts.flat().toSorted((a, b) => a - b);

test.for([stateOf(2)])('gathered and limited items are in one post each, although processes are killed: %s', async (state) => {
  await using fanfare = await openKilledFanfare({ state, rules: RULES });
  let items = 0;
  const publish = (): Promise<unknown> => fanfare.order('/feeds', { feed: 'items.example', title: `item ${++items}` });
  const publishSome = async (): Promise<void> => {
    for (let count = 0; count < ITEMS_PER_KILL; count++) await publish();
  };

  for (let kill = 0; kill < fanfare.kills; kill++) await fanfare.killDuring(REQUESTS[kill % 2 === 0 ? 0 : 1], publishSome);
  const missingIn = async (...words: readonly string[]): Promise<number> => items - (await postsOf(fanfare, ...words)).flat().length;
  const untilPosted = async (arePosted: () => Promise<boolean>): Promise<unknown> =>
    eventually('the posts', arePosted).catch(async (error: unknown) => {
      throw new Error(`${JSON.stringify(await fanfare.seen('/posts'))}\n${fanfare.output()}`, { cause: error });
    });
  // A post has at least this number of items, so none is on its way, and the items without a post are gathered.
  await untilPosted(async () => (await missingIn('gathered')) < GATHERED);
  const waiting = await missingIn('gathered');
  if (waiting > 0) for (let count = waiting; count < GATHERED; count++) await publish();
  await untilPosted(async () => {
    for (const words of [['gathered'], ['collected', 'alone'], ['held']]) if ((await missingIn(...words)) > 0) return false;
    const deliveries = await Promise.all(Object.keys(RULES).map((rule) => fanfare.deliveriesOf(rule)));
    return deliveries.flat().every((delivery) => delivery.state === 'sent');
  });

  const each = Array.from({ length: items }, (_, index) => index + 1);
  const gathered = await postsOf(fanfare, 'gathered');
  expect(inOrder(gathered)).toEqual(each);
  expect(Math.min(...gathered.map(({ length }) => length))).toBeGreaterThanOrEqual(GATHERED);
  expect(inOrder(await postsOf(fanfare, 'collected', 'alone'))).toEqual(each);
  expect((await postsOf(fanfare, 'collected')).length).toBeGreaterThan(0);
  expect(inOrder(await postsOf(fanfare, 'held'))).toEqual(each);
});

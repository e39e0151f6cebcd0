import { expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../support/fanfare-process.ts';
import { openKilledFanfare, stateOf, type KilledFanfare } from '../support/killed-fanfare.ts';

const GIFTS_PER_KILL = 3;

/** While the feed is read and the firings are stored, or while their posts are sent. */
const REQUESTS = [{ platform: 'feeds' }, { platform: 'social', route: '/createPost' }] as const;

const RULE = `
id: gifts
when:
  every: 5s
  watch: feed.getItems
  with: { url: https://gifts.example/feed.json }
  where: item.title.startsWith("gift ")
keep:
  total: "\${{ keep.total + int(item.title.split(' ')[3]) }}"
then:
  - do: social.createPost
    with: { text: "\${{ item.title }} makes \${{ keep.total }}" }
fuse: { firings: 1000, per: 1h }
`;

const Posts = z.object({ items: z.array(z.object({ text: z.string() })) });
const Stored = z.object({ values: z.object({ total: z.int() }) });

interface Post {
  readonly gift: number;
  readonly amount: number;
  readonly total: number;
}

/** The posts, in the order of their totals. */
async function postsOf(fanfare: KilledFanfare): Promise<readonly Post[]> {
  const { items } = Posts.parse(await fanfare.seen('/posts'));
  const posts = items.map(({ text }) => {
    const [, gift, amount, total] = /^gift (\d+) of (\d+) makes (\d+)$/u.exec(text) ?? [];
    return { gift: Number(gift), amount: Number(amount), total: Number(total) };
  });
  return posts.toSorted((a, b) => a.total - b.total);
}

test.for([stateOf(3)])(
  'a sum adds each committed firing once, and each firing is announced once, although processes are killed: %s',
  async (state) => {
    await using fanfare = await openKilledFanfare({ state, rules: { gifts: RULE } });
    const amounts: number[] = [];
    const give = async (): Promise<void> => {
      for (let count = 0; count < GIFTS_PER_KILL; count++) {
        const amount = fanfare.random.between(1, 1_000);
        amounts.push(amount);
        await fanfare.order('/feeds', { feed: 'gifts.example', title: `gift ${amounts.length} of ${amount}` });
      }
    };

    for (let kill = 0; kill < fanfare.kills; kill++) await fanfare.killDuring(REQUESTS[kill % 2 === 0 ? 0 : 1], give);
    await eventually('the end of all deliveries', async () => {
      const deliveries = await fanfare.deliveriesOf('gifts');
      return deliveries.length >= amounts.length && deliveries.every((delivery) => delivery.state === 'sent');
    }).catch((error: unknown) => {
      throw new Error(fanfare.output(), { cause: error });
    });

    const posts = await postsOf(fanfare);
    expect(posts.map(({ gift }) => gift).toSorted((a, b) => a - b)).toEqual(amounts.map((_, index) => index + 1));
    expect(posts.map(({ amount }) => amount).toSorted((a, b) => a - b)).toEqual(amounts.toSorted((a, b) => a - b));
    let sum = 0;
    expect(posts.map(({ total }) => total)).toEqual(posts.map(({ amount }) => (sum += amount)));
    expect(Stored.parse(await fanfare.api('/rules/gifts')).values.total).toBe(sum);
  },
);

import { expect, test } from 'vitest';
import { withSelf } from '#src/clients/social/author-self.ts';
import { PlatformError } from '#src/errors.ts';
import { SocialAsync, type SocialPlatform } from '#src/clients/social/social.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openSocial } from '../../adapters/sandbox/open-social.ts';

const DAY_MS = 24 * 60 * 60_000;

/** A platform whose posts are by 1 and 2, with the requests for its own account. */
function platformOf(me: () => Promise<string>): { readonly platform: SocialPlatform; readonly asked: () => number } {
  let asked = 0;
  const author = (id: string): object => ({ platform: 'x', id, handle: `user${id}`, displayName: id });
  const posts = ['1', '2'].map((id) => ({ id, author: author(id), quote: { author: author('1') }, createdAt: new Date(0) }));
  const platform = {
    name: 'x',
    account: 'x',
    capabilities: {},
    operations: {
      getUserInfo: async () => ({ id: ((asked += 1), await me()) }),
      getMentions: async () => ({ items: posts }),
      getUserId: async () => '7',
      createPost: async () => posts[0],
    },
  } as unknown as SocialPlatform; // the parts that the test needs
  return { platform, asked: () => asked };
}

test('each author of a read states whether it is the account itself, for one request a day', async () => {
  const clock = new ManualClock();
  const { platform, asked } = platformOf(() => Promise.resolve('1'));
  const { operations } = withSelf(platform, clock);

  await operations.getUserId?.({ user: 'ada' }, {});
  expect(asked()).toBe(0);
  const pages = [await operations.getMentions?.({}, {}), await operations.getMentions?.({}, {})];

  expect(pages[1]?.items).toMatchObject([
    { id: '1', author: { id: '1', self: true }, quote: { author: { self: true } }, createdAt: new Date(0) },
    { id: '2', author: { id: '2', self: false }, quote: { author: { self: true } } },
  ]);
  expect(asked()).toBe(1);
  clock.set(clock.nowMs() + DAY_MS);
  await operations.getMentions?.({}, {});
  expect(asked()).toBe(2);
});

test('without a signed-in account, no author is the account itself; a refusal is not repeated with each read', async () => {
  const { platform, asked } = platformOf(() => Promise.reject(new Error('only an app is signed in')));
  const { operations } = withSelf(platform, new ManualClock());

  const pages = [await operations.getMentions?.({}, {}), await operations.getMentions?.({}, {})];

  expect(pages[1]?.items.map(({ author }) => author.self)).toEqual([false, false]);
  expect(asked()).toBe(1);
});

test('a passing failure makes no own post foreign: the read fails, or the last known account stays', async () => {
  const clock = new ManualClock();
  const failure = new PlatformError('x: overloaded', { platform: 'x', fault: 'unavailable', status: 503 });
  let answer = (): Promise<string> => Promise.reject(failure);
  const { operations } = withSelf(platformOf(() => answer()).platform, clock);
  const read = async (): Promise<unknown> => (await operations.getMentions?.({}, {}))?.items.map(({ author }) => author.self);

  await expect(read()).rejects.toBe(failure);
  answer = () => Promise.resolve('1');
  expect(await read()).toEqual([true, false]);
  clock.set(clock.nowMs() + DAY_MS);
  answer = () => Promise.reject(failure);
  expect(await read()).toEqual([true, false]);
});

test('the result of a write needs no request', async () => {
  const { platform, asked } = platformOf(() => Promise.resolve('1'));
  const { operations } = withSelf(platform, new ManualClock());

  expect((await operations.createPost?.({ text: 'hi' } as never, {}))?.author).not.toHaveProperty('self');
  expect(asked()).toBe(0);
});

test('an account of the sandbox recognizes its posts in a search', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync({ platform: withSelf(fixture.platform, fixture.clock), clock: fixture.clock });
  const post = await social.createPost('recognized at once');

  const { items } = await social.getPosts(post.author.id, { pages: 1 });

  expect(items.map(({ author }) => author.self)).toEqual(items.map(() => true));
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { XProblem } from '#src/sandbox/x/problem.ts';
import { parseQuery, type Query } from '#src/sandbox/x/query/parse.ts';
import { scene, type Scene } from './scene.ts';

const HALF_A_MINUTE_MS = 30_000;

interface Ground {
  readonly ids: Readonly<Record<string, string>>;
  find(query: string): Promise<readonly string[]>;
}

/** Some posts of two people, and what is found of them, by the names they have here. */
async function ground(here: Scene): Promise<Ground> {
  const person = here.sandbox.world.people.find(({ followerCount }) => followerCount > 50_000);
  const [x, other] = [await here.xdkOf(), await here.xdkOf(person?.handle)];
  const ids: Record<string, string> = {};
  const write = async (name: string, post: Parameters<typeof x.posts.create>[0], client = x): Promise<void> => {
    ids[name] = (await client.posts.create(post)).data?.id ?? '';
    await here.clock.advance(1000);
  };
  await write('cat', { text: 'A zebra cat #zebras' });
  await write('category', { text: 'A zebra of another category' });
  await write('link', { text: 'Zebra pictures: https://zoo.example.com/zebra' });
  await write('answer', { text: 'And more', reply: { inReplyToTweetId: ids['cat'] ?? '' } });
  await write('quote', { text: 'This zebra', quoteTweetId: ids['cat'] ?? '' });
  await write('theirs', { text: 'Hello @fanfare, have you seen VALORANT with a zebra?' }, other);
  await here.clock.advance(HALF_A_MINUTE_MS);
  const app = here.xdk({ bearerToken: here.environment['X_BEARER_TOKEN'] ?? '' });
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  return {
    ids: { ...ids, person: person?.handle ?? '' },
    find: async (query) =>
      (await app.posts.searchRecent(query, { maxResults: 100 })).data?.flatMap(({ id }) => names.get(id ?? '') ?? []).toSorted() ?? [],
  };
}

describe('a search', () => {
  test('finds what its operators say', async () => {
    await using here = await scene();
    const found = await ground(here);
    const { cat, person } = found.ids;

    const expected: Record<string, readonly string[]> = {
      'zebra cat': ['cat'],
      'zebra -cat': ['category', 'link', 'quote', 'theirs'],
      '"zebra pictures"': ['link'],
      '#ZEBRAS': ['cat'],
      '@fanfare zebra': ['theirs'],
      'from:fanfare zebra': ['cat', 'category', 'link', 'quote'],
      [`from:${person} zebra`]: ['theirs'],
      [`(from:${person} OR from:fanfare) zebra`]: ['cat', 'category', 'link', 'quote', 'theirs'],
      [`from:${person} OR #zebras`]: ['cat', 'theirs'],
      [`conversation_id:${cat}`]: ['answer', 'cat'],
      [`in_reply_to_tweet_id:${cat}`]: ['answer'],
      [`quotes_of_tweet_id:${cat}`]: ['quote'],
      'from:fanfare has:links': ['link'],
      'from:fanfare url:zoo.example.com': ['link'],
      'from:fanfare is:reply': ['answer'],
      'from:fanfare -is:reply -is:quote': ['cat', 'category', 'link'],
      'zebra context:71.516575': ['theirs'],
      'zebra lang:de': [],
      'to:fanfare from:fanfare': ['answer'],
    };
    const answered = Object.fromEntries(
      await Promise.all(Object.keys(expected).map(async (query) => [query, await found.find(query)] as const)),
    );

    expect(answered).toEqual(expected);
  });

  test('shows nothing that is younger than half a minute, unless its end is named', async () => {
    await using here = await scene();
    const x = await here.xdkOf();
    await x.posts.create({ text: 'Quokka' });
    const ids = async (options = {}) => (await x.posts.searchRecent('quokka', options)).data?.length ?? 0;

    expect(await ids()).toBe(0);
    expect(await ids({ endTime: new Date(here.clock.nowMs() + 1000).toISOString() })).toBe(1);
    await here.clock.advance(HALF_A_MINUTE_MS);
    expect(await ids()).toBe(1);
    await here.clock.advance(7 * 86_400_000);
    const { accessToken, bearer } = { accessToken: (await here.session()).accessToken, bearer: here.environment['X_BEARER_TOKEN'] ?? '' };
    expect(await here.xdk({ accessToken }).posts.searchRecent('quokka')).toEqual({ meta: { resultCount: 0 } });
    expect((await here.xdk({ bearerToken: bearer }).posts.searchAll('quokka')).data).toHaveLength(1);
  });

  test('by a word gives no reposts, by an author it does', async () => {
    await using here = await scene();
    const person = here.sandbox.world.people.find(({ followerCount }) => followerCount > 50_000);
    const [x, other] = [await here.xdkOf(), await here.xdkOf(person?.handle)];
    const { data } = await other.posts.create({ text: 'Narwhal' });
    await x.users.repostPost(here.selfId, { tweetId: data?.id ?? '' });
    await here.clock.advance(HALF_A_MINUTE_MS);

    expect((await x.posts.searchRecent('narwhal')).data).toMatchObject([{ id: data?.id }]);
    expect((await x.posts.searchRecent('from:fanfare is:retweet')).data).toMatchObject([{ text: `RT @${person?.handle}: Narwhal` }]);
  });

  test("the other client's search walks through everything", async () => {
    await using here = await scene();
    const { v2 } = here.twitterApi(here.environment['X_BEARER_TOKEN'] ?? '');

    const found = await v2.search('game', { max_results: 10, expansions: ['author_id'], sort_order: 'relevancy' });
    await found.fetchLast(40);

    expect(found.tweets.length).toBeGreaterThanOrEqual(40);
    expect(new Set(found.tweets.map(({ id }) => id)).size).toBe(found.tweets.length);
    expect(found.tweets.every((tweet) => found.includes.author(tweet) !== undefined)).toBe(true);
  });

  test.for([
    '',
    '-zebra',
    'has:media',
    'lang:en',
    'zebra OR',
    '(zebra',
    'zebra)',
    'near:berlin zebra',
    'is:everything zebra',
    'a'.repeat(513),
  ])('%.30j is refused', async (query) => {
    await using here = await scene();

    const { status, body } = await here.send('GET', `/2/tweets/search/recent?query=${encodeURIComponent(query)}`, {
      token: here.environment['X_BEARER_TOKEN'] ?? '',
    });

    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ parameters: { query: expect.any(Array) } }] });
  });

  test('as far back as it goes is said', async () => {
    await using here = await scene();
    const app = here.xdk({ bearerToken: here.environment['X_BEARER_TOKEN'] ?? '' });
    const before = new Date(here.clock.nowMs() - 8 * 86_400_000).toISOString();

    await expect(app.posts.searchRecent('a', { startTime: before })).rejects.toMatchObject({ status: 400 });
    await expect(app.posts.searchRecent('a', { sinceId: '20' })).rejects.toMatchObject({
      status: 400,
      data: { errors: [{ message: expect.stringContaining("'since_id' must be a tweet id created after") }] },
    });
  });
});

const word = fc.stringMatching(/^[a-z]{1,6}$/).filter((text) => text !== 'or');
const term: fc.Arbitrary<string> = fc.oneof(
  word,
  word.map((text) => `#${text}`),
  word.map((text) => `from:${text}`),
  word.map((text) => `"${text} ${text}"`),
);
const { tree } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    term,
    fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => `${a} ${b}`),
    fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => `(${a} OR ${b})`),
    fc.tuple(term, tie('tree')).map(([a, b]) => `${a} -(${b})`),
  ),
}));

describe('the language of queries', () => {
  test('what is well formed is understood, however it is nested and spaced', () => {
    fc.assert(
      fc.property(tree, (text) => {
        const spaced = text.replaceAll(' ', '   ').replaceAll('(', '( ');
        expect(plain(parseQuery(`  ${spaced} `))).toEqual(plain(parseQuery(text)));
      }),
    );
  });

  test('anything else is refused, and nothing breaks', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '(', ')', '-', ':', '"', ' ', 'OR', '#', '@', 'from:', 'has:media', '😀') }),
        (text) => {
          expect(fault(text)).toSatisfy((found) => found === undefined || found instanceof XProblem);
        },
      ),
    );
  });
});

/** Phrases keep their blanks, however many. */
function plain(query: Query): unknown {
  return JSON.parse(JSON.stringify(query).replaceAll(/ +/g, ' '));
}

function fault(query: string): unknown {
  try {
    parseQuery(query);
    return undefined;
  } catch (error) {
    return error;
  }
}

import { expect, test } from 'vitest';
import { openX } from './open-x.ts';
import { ME, one, postRow, problem, rows, scriptX, userRow } from './script-x.ts';

test('a post becomes a record with entities, media, quotes, counts and its original text', async () => {
  const row = postRow('1990000000000000001', {
    text: 'Tom &amp; @Ada say &lt;hi&gt; 👩‍👩‍👧 https://t.co/aaa #live https://t.co/bbb https://t.co/ccc',
    entities: {
      urls: [
        { start: 30, end: 40, url: 'https://t.co/aaa', expanded_url: 'https://ada.example/live', display_url: 'ada.example/live' },
        { start: 50, end: 60, url: 'https://t.co/bbb', expanded_url: 'https://x.com/grace/status/5', display_url: 'x.com/grace/status…' },
        { start: 70, end: 80, url: 'https://t.co/ccc', expanded_url: 'https://x.com/ada/status/1/photo/1', media_key: '3_77' },
      ],
      mentions: [{ start: 6, end: 10, username: 'ada', id: '42' }],
      hashtags: [{ start: 41, end: 46, tag: 'live' }],
    },
    referenced_tweets: [
      { type: 'quoted', id: '5' },
      { type: 'replied_to', id: '4' },
    ],
    in_reply_to_user_id: '9',
    attachments: { media_keys: ['3_77'] },
    possibly_sensitive: true,
    lang: 'iw',
    reply_settings: 'mentionedUsers',
  });
  const includes = {
    users: [userRow('ada', { id: '42' })],
    tweets: [postRow('5', { text: 'the first' })],
    media: [{ media_key: '3_77', type: 'photo', url: 'https://pbs.twimg.com/1.jpg', width: 10, height: 20, alt_text: 'A card' }],
  };
  await using x = await scriptX([['GET /2/tweets/1990000000000000001', { json: { data: row, includes } }]]);

  const post = await x.social.postDetail('https://x.com/ada/status/1990000000000000001?s=20');

  const text = 'Tom & @Ada say <hi> 👩‍👩‍👧 https://ada.example/live #live';
  expect(post).toEqual({
    platform: 'x',
    id: '1990000000000000001',
    url: 'https://x.com/ada/status/1990000000000000001',
    author: { platform: 'x', id: '42', url: 'https://x.com/ada', handle: 'ada', displayName: 'ADA' },
    text,
    entities: [
      { type: 'mention', start: 6, end: 10, url: 'https://x.com/ada', userId: '42' },
      { type: 'url', start: text.indexOf('https'), end: text.indexOf(' #live'), url: 'https://ada.example/live' },
      { type: 'hashtag', start: text.indexOf('#live'), end: text.length },
    ],
    language: 'he',
    createdAt: new Date('2026-11-20T17:00:00Z'),
    editedAt: undefined,
    conversationId: '1990000000000000001',
    replyTo: { postId: '4', userId: '9' },
    quoted: { postId: '5', state: 'accepted', text: 'the first' },
    repostOf: undefined,
    media: [
      {
        id: '77',
        kind: 'image',
        url: 'https://pbs.twimg.com/1.jpg',
        previewUrl: undefined,
        altText: 'A card',
        width: 10,
        height: 20,
        durationMs: undefined,
        state: 'ready',
      },
    ],
    sensitive: true,
    poll: undefined,
    place: undefined,
    communityId: undefined,
    visibility: 'public',
    replyAudience: 'mentioned',
    counts: { likes: 3, reposts: 1, replies: 2, quotes: 4, bookmarks: 5, impressions: 6 },
    fetchedAt: new Date('2026-11-20T18:00:00Z'),
  });
});

test('only followers read what a protected account wrote, also in quotes and reposts', async () => {
  const users = [userRow('open', { id: '1' }), userRow('hidden', { id: '2', protected: true })];
  const tweets = [postRow('5', { author_id: '2', text: 'my address' })];
  const refers = (type: string) => postRow('6', { author_id: '1', text: 'look', referenced_tweets: [{ type, id: '5' }] });
  const reads = (row: object) => ['GET /2/tweets/6', { json: { data: row, includes: { users, tweets } } }] as const;
  await using x = await scriptX([reads(refers('quoted')), reads(refers('retweeted'))]);

  const [quote, repost] = [await x.social.postDetail('6'), await x.social.postDetail('6')];

  expect(quote).toMatchObject({ visibility: 'public', quoted: { postId: '5', state: 'accepted', text: undefined } });
  expect(repost).toMatchObject({ visibility: 'followers', text: 'my address' });
});

test('the newer field names are also read', async () => {
  const {
    public_metrics: _,
    edit_history_tweet_ids: __,
    ...row
  } = postRow('6', { referenced_posts: [{ type: 'retweeted', id: '5' }] }) as Record<string, unknown>; // a plain row
  const newer = {
    ...row,
    public_metrics: { repost_count: 7, reply_count: 0, like_count: 0, quote_count: 0 },
    edit_history_post_ids: ['6'],
  };
  const original = postRow('5', { text: 'all of it', public_metrics: { repost_count: 8, reply_count: 1, like_count: 2, quote_count: 3 } });
  await using x = await scriptX([['GET /2/tweets/6', { json: { data: newer, includes: { users: [], posts: [original] } } }]]);

  const post = await x.social.postDetail(6);

  expect(post).toMatchObject({
    id: '6',
    repostOf: '5',
    text: 'all of it',
    counts: { reposts: 8, likes: 2 },
    author: { id: '42', handle: '42' },
  });
});

test('fields that are null, missing or of another type are ignored', async () => {
  const odd = {
    id: 6,
    text: 'odd',
    entities: null,
    attachments: { media_keys: null },
    public_metrics: null,
    created_at: 'soon',
    referenced_tweets: null,
  };
  await using x = await scriptX([['GET /2/tweets/6', { json: { data: odd, includes: null, errors: null } }]]);

  expect(await x.social.postDetail('6')).toMatchObject({ id: '6', text: 'odd', entities: [], media: [], counts: { likes: 0 } });
});

test('a success with a problem instead of the post is an error with the reason', async () => {
  const gone = {
    type: 'https://api.twitter.com/2/problems/resource-not-found',
    title: 'Not Found Error',
    resource_id: '6',
    parameter: 'id',
  };
  const hidden = { type: 'https://api.x.com/2/problems/not-authorized-for-resource', title: 'Authorization Error', parameter: 'id' };
  await using x = await scriptX([
    ['GET /2/tweets/6', { json: { errors: [gone] } }],
    ['GET /2/tweets/7', { json: { errors: [hidden] } }],
  ]);

  await expect(x.social.postDetail('6')).rejects.toMatchObject({
    fault: 'missing',
    message: 'x: post 6: it does not exist, or the account cannot see it.',
  });
  await expect(x.social.postDetail('7')).rejects.toMatchObject({ fault: 'forbidden', message: expect.stringContaining('protected') });
});

/** A problem of X with a user. */
const withUser = (id: string, type: string, detail: string) => ({
  resource_id: id,
  value: id,
  parameter: 'id',
  resource_type: 'user',
  section: 'data',
  detail,
  type: `https://api.twitter.com/2/problems/${type}`,
});

test.for([
  [
    'suspended',
    withUser('42', 'resource-not-found', 'User has been suspended: [42].'),
    'forbidden',
    'x: user 42: X has suspended the account.',
  ],
  ['deleted', withUser('42', 'resource-not-found', 'Could not find user with id: [42].'), 'missing', 'it does not exist'],
  ['protected', withUser('42', 'not-authorized-for-resource', 'Sorry, you are not authorized to see the user.'), 'forbidden', 'protected'],
] as const)('a list of a user that is %s is an error', async ([, error, fault, reason]) => {
  const refusal = { json: { errors: [error] } };
  await using x = await scriptX([
    ['GET /2/users/42/tweets?max_results=100&exclude=replies', refusal],
    ['GET /2/users/42/followers?max_results=100', refusal],
  ]);

  const expected = { fault, message: expect.stringContaining(reason) };
  await expect(x.social.getPosts('42')).rejects.toMatchObject(expected);
  await expect(x.social.getUserFollowers('42')).rejects.toMatchObject(expected);
});

test('an error of a list names the post or the list that X does not show', async () => {
  const gone = (id: string) => ({ json: { errors: [{ type: 'x/resource-not-found', resource_id: id, parameter: 'id' }] } });
  await using x = await scriptX([
    ['GET /2/tweets/6/quote_tweets?max_results=100', gone('6')],
    ['GET /2/lists/9/tweets?max_results=100', gone('9')],
  ]);

  await expect(x.social.getPostQuotes('6')).rejects.toMatchObject({ message: expect.stringMatching(/^x: post 6: /u) });
  await expect(x.social.getListPosts('9')).rejects.toMatchObject({ message: expect.stringMatching(/^x: list 9: /u) });
});

test('a problem that names nothing is an error of an empty list, and a partial error of another one', async () => {
  const errors = [{ type: 'x/not-authorized-for-resource', title: 'Authorization Error' }];
  await using x = await scriptX([
    ['GET /2/users/42/tweets?max_results=100&exclude=replies', { json: { errors } }],
    ['GET /2/users/42/tweets?max_results=100&exclude=replies', rows([postRow('6')], { errors })],
  ]);

  await expect(x.social.getPosts('42')).rejects.toMatchObject({ message: expect.stringMatching(/^x: GET \/2\/users\/:id\/tweets: /u) });
  expect((await x.social.getPosts('42')).partialErrors).toMatchObject([{ fault: 'forbidden', values: [] }]);
});

test('missing rows of a list are partial errors, missing expansions are not', async () => {
  const left = { type: 'x/resource-not-found', title: 'Not Found Error', resource_id: '8', parameter: 'id', value: '8' };
  const along = { type: 'x/resource-not-found', title: 'Not Found Error', resource_id: '9', parameter: 'referenced_tweets.id' };
  const page = rows([postRow('6', { referenced_tweets: [{ type: 'quoted', id: '9' }] })], { errors: [left, along] });
  await using x = await scriptX([['GET /2/users/42/tweets?max_results=100&exclude=replies', page]]);

  const found = await x.social.getPosts('42');

  expect(found.partialErrors).toEqual([{ fault: 'missing', message: 'the answer of X is incomplete: Not Found Error.', values: ['8'] }]);
  expect(found.items).toMatchObject([{ id: '6', quoted: { postId: '9', state: 'unavailable' } }]);
});

test('the answer and the draft form the record of a new post, without a read', async () => {
  await using x = await scriptX([ME, ['POST /2/tweets', { status: 201, json: { data: { id: '1990000000000000001', text: 'hello' } } }]]);

  const post = await x.social.createPost('hello & <bye>', { filter: 'ByInvitation', poll: { options: ['a', 'b'], durationMinutes: 5 } });

  const createdAt = new Date('2025-11-16T10:12:27.069Z');
  expect(post).toEqual({
    platform: 'x',
    id: '1990000000000000001',
    url: 'https://x.com/fanfare/status/1990000000000000001',
    author: { platform: 'x', id: '7', url: 'https://x.com/fanfare', handle: 'fanfare', displayName: 'FANFARE' },
    text: 'hello & <bye>',
    entities: [],
    createdAt,
    conversationId: '1990000000000000001',
    media: [],
    poll: {
      options: [
        { index: 0, label: 'a', votes: 0 },
        { index: 1, label: 'b', votes: 0 },
      ],
      totalVotes: 0,
      endsAt: new Date(createdAt.getTime() + 5 * 60_000),
      closed: false,
      multiple: false,
    },
    visibility: 'public',
    replyAudience: 'mentioned',
    counts: { likes: 0, reposts: 0, replies: 0, quotes: 0, bookmarks: 0, impressions: 0 },
    fetchedAt: new Date('2026-11-20T18:00:00Z'),
  });
  expect(JSON.parse(x.server.seen[1]?.body ?? '')).toEqual({
    text: 'hello & <bye>',
    poll: { options: ['a', 'b'], duration_minutes: 5 },
    reply_settings: 'mentionedUsers',
  });
});

test('posts, replies, quotes and threads take one request each', async () => {
  const made = (id: string) => ['POST /2/tweets', { status: 201, json: { data: { id, text: 'as X shows it' } } }] as const;
  await using x = await scriptX([ME, made('21'), made('22'), made('23'), made('24'), made('25')]);

  const first = await x.social.createPost('1/3', { batchCompose: true });
  const second = await x.social.createPost('2/3', { batchCompose: true, replyTo: first });
  const third = await x.social.createPost('3/3', { batchCompose: true, replyTo: second });
  const reply = await x.social.createPost('@ada hello', { replyTo: '4' });
  const quote = await x.social.createPost('look', { quote: '5' });

  expect([second, third, reply]).toMatchObject([
    { id: '22', text: '2/3', replyTo: { postId: '21' }, conversationId: undefined },
    { id: '23', text: '3/3', replyTo: { postId: '22' } },
    { id: '24', replyTo: { postId: '4' } },
  ]);
  expect(quote).toMatchObject({ id: '25', text: 'look', quoted: { postId: '5', state: 'accepted' } });
});

test('a thread below a post of another user fails after a read of its author', async () => {
  await using x = await scriptX([ME, ['GET /2/tweets/4', one(postRow('4'))]]);

  await expect(x.social.createPost('on and on', { batchCompose: true, replyTo: '4' })).rejects.toThrow('continues a post of the account');
});

test('the record of an edited post keeps the rest of the post, without a read after the edit', async () => {
  const before = postRow('5', { author_id: '7', text: 'before', community_id: '3' });
  await using x = await scriptX([
    ['GET /2/tweets/5', one(before)],
    ME,
    ['POST /2/tweets', { status: 201, json: { data: { id: '1990000000000000001', text: 'after' } } }],
  ]);

  expect(await x.social.editPost('5', 'after')).toMatchObject({
    id: '1990000000000000001',
    text: 'after',
    createdAt: new Date('2026-11-20T17:00:00Z'),
    editedAt: new Date('2025-11-16T10:12:27.069Z'),
    communityId: '3',
    counts: { likes: 3 },
  });
});

test.for([
  [
    'the same text again',
    403,
    { title: 'Forbidden', type: 'about:blank', detail: 'You are not allowed to create a Tweet with duplicate content.' },
    'duplicate',
  ],
  ['the same text again, with the older error', 403, { errors: [{ code: 187, message: 'Status is a duplicate.' }] }, 'duplicate'],
  [
    'a reply to a user who did not mention the account',
    403,
    { detail: 'Reply to this conversation is not allowed because you have not been mentioned or otherwise engaged by the author.' },
    'forbidden',
  ],
  [
    'an answer to a post that is gone',
    403,
    { detail: 'You attempted to reply to a Tweet that is deleted or not visible to you.' },
    'missing',
  ],
  ['no credits left', 402, { title: 'CreditsDepleted', type: 'https://api.x.com/2/problems/credits' }, 'quotaExhausted'],
  ['no credits left, and no word about it', 402, {}, 'quotaExhausted'],
  ['a page of a proxy that wants money', 402, undefined, 'malformed'],
  ['a page of a proxy that takes no posts', 405, undefined, 'malformed'],
  [
    'the monthly cap',
    429,
    { title: 'UsageCapExceeded', period: 'Monthly', type: 'https://api.twitter.com/2/problems/usage-capped' },
    'quotaExhausted',
  ],
  ['a rate limit', 429, { errors: [{ code: 88, message: 'Rate limit exceeded' }] }, 'rateLimited'],
  [
    'the limit of posts of the account',
    403,
    { errors: [{ code: 185, message: 'User is over daily status update limit.' }] },
    'rateLimited',
  ],
  [
    'the limit of posts of the account, without its code',
    403,
    {
      title: 'Forbidden',
      type: 'about:blank',
      detail: 'You have reached your daily limit for sending Tweets and messages. Please try again later.',
    },
    'rateLimited',
  ],
  ['the limit of follows', 403, { errors: [{ code: 161, message: 'You are unable to follow more people at this time.' }] }, 'rateLimited'],
  ['an outage', 503, { title: 'Service Unavailable' }, 'unanswered'],
  ['an outage of its proxy', 502, undefined, 'unanswered'],
  [
    'a suspended account',
    403,
    { errors: [{ code: 64, message: 'Your account is suspended and is not permitted to access this feature' }] },
    'forbidden',
  ],
  ['a text that is too long', 400, { errors: [{ message: 'Tweet needs to be a bit shorter.' }] }, 'rejected'],
] as const)('a post that X refuses: %s', async ([, status, body, fault]) => {
  const reply = body === undefined ? { status, text: '<html>Sorry</html>' } : problem(status, body);
  await using x = await scriptX([ME, ['POST /2/tweets', reply]]);

  const error: unknown = await x.social.createPost('s3cret text').catch((reason: unknown) => reason);

  expect(error).toMatchObject({ fault, status });
  expect(String(error)).not.toContain('s3cret');
  expect(String(error)).not.toContain('access-1');
});

test('the text of the request does not influence the meaning of a refusal', async () => {
  const query = 'usage cap or duplicate content [suspended]';
  const message = `The \`query\` query parameter value [${query}] is not valid`;
  const refusal = problem(400, { errors: [{ parameters: { query: [query] }, message }], title: 'Invalid Request' });
  const search = `GET /2/tweets/search/recent?max_results=100&query=${query.replaceAll(' ', '+')}&sort_order=recency`;
  await using x = await scriptX([[search, refusal]]);

  await expect(x.social.search(query, { filter: 'Latest' })).rejects.toMatchObject({ fault: 'rejected' });
});

const NOTHING = { json: { errors: [{ type: 'https://api.twitter.com/2/problems/resource-not-found', title: 'Not Found Error' }] } };

test.for([
  ['repostPost', 'POST /2/users/7/retweets'],
  ['bookmarkPost', 'POST /2/users/7/bookmarks'],
] as const)('%s: a success with only a problem is an error', async ([operation, line]) => {
  await using x = await scriptX([ME, [line, NOTHING]]);

  await expect(x.social[operation]('5')).rejects.toMatchObject({ name: 'PlatformError', fault: 'missing' });
});

test('deleting succeeds if a success reports that the record does not exist', async () => {
  await using x = await scriptX([['DELETE /2/tweets/5', NOTHING], ME, ['DELETE /2/users/7/retweets/5', NOTHING]]);

  expect(await x.social.deletePost('5')).toBe(true);
  expect(await x.social.deleteRepost('5')).toBe(true);
});

test('an edit of a reply with the same text sends nothing, although X put names before the text', async () => {
  const row = postRow('5', { text: '@ada @bob thank\nyou', referenced_tweets: [{ type: 'replied_to', id: '4' }] });
  await using x = await scriptX([['GET /2/tweets/5', one(row)]]);

  expect(await x.social.editPost('5', 'thank\nyou')).toMatchObject({ id: '5' });
});

test('an edit with the same text sends nothing, even with links that X shows differently', async () => {
  const links = [{ url: 'https://t.co/a', expanded_url: 'http://ada.example', start: 4, end: 18 }];
  const row = postRow('5', { text: 'See https://t.co/a now', entities: { urls: links } });
  await using x = await scriptX([['GET /2/tweets/5', one(row)]]);

  expect(await x.social.editPost('5', 'See ada.example now ')).toMatchObject({ id: '5' });
});

test.for(['a b\nc', 'a  b c', 'a\tb c'])('an edit of white space is sent: %j', async (text) => {
  await using x = await scriptX([
    ['GET /2/tweets/5', one(postRow('5', { text: 'a b c' }))],
    ME,
    ['POST /2/tweets', { status: 201, json: { data: { id: '6', text } } }],
  ]);

  expect(await x.social.editPost('5', text)).toMatchObject({ id: '6', text });
});

test('a refused quote is unsupported by the plan', async () => {
  const refusal = problem(403, {
    title: 'Client Forbidden',
    type: 'https://api.x.com/2/problems/client-forbidden',
    reason: 'client-not-enrolled',
  });
  await using x = await scriptX([ME, ['POST /2/tweets', refusal]]);

  await expect(x.social.createPost('look', { quote: 5 })).rejects.toMatchObject({ name: 'UnsupportedParameter', reason: 'TIER_REQUIRED' });
});

test.for([
  ['likePost', 'POST /2/users/7/likes', true],
  ['unlikePost', 'DELETE /2/users/7/likes/5', false],
] as const)('%s is unsupported if the plan does not include it', async ([operation, line, liked]) => {
  const refusal = problem(403, { type: 'https://api.x.com/2/problems/client-forbidden' });
  await using x = await scriptX([ME, [line, refusal], [line, one({ liked })]]);

  await expect(x.social[operation]('5')).rejects.toMatchObject({ name: 'UnsupportedOperation', reason: 'TIER_REQUIRED' });
  expect(await x.social[operation]('5')).toBe(true);
});

test('a repeated repost and a repeated deletion succeed', async () => {
  await using x = await scriptX([
    ME,
    ['POST /2/users/7/retweets', problem(403, { errors: [{ code: 327, message: 'You have already retweeted this Tweet.' }] })],
    ['DELETE /2/tweets/5', problem(404, {})],
  ]);

  expect(await x.social.repostPost('5')).toBe(true);
  expect(await x.social.deletePost('5')).toBe(true);
});

test('invalid drafts are refused before any request', async () => {
  await using x = await scriptX([]);

  await expect(x.social.createPost('Which?', { poll: { options: ['a', 'b'], multiple: true } })).rejects.toMatchObject({
    reason: 'NO_FEATURE',
  });
  await expect(x.social.createPost('Which?', { poll: { options: ['a', 'b'.repeat(26)] } })).rejects.toThrow('poll.options.1');
  await expect(x.social.createPost('Which?', { poll: { options: ['a', 'b'] }, files: ['card.png'] })).rejects.toThrow('no files');
  await expect(x.social.createPost('Hush', { filter: 'Nobody' })).rejects.toMatchObject({ name: 'UnsupportedParameter' });
  await expect(x.social.createPost('Re', { replyTo: 'no-such-post' })).rejects.toMatchObject({ fault: 'missing' });
  await expect(x.social.createPost(' ')).rejects.toThrow('the post is empty');
  await expect(x.social.search('x'.repeat(513))).rejects.toThrow('512');
  await expect(x.social.getHomeTimeline()).rejects.toMatchObject({ alternatives: ['HomeLatestTimeline'] });
});

const FIGURES =
  'GET /2/tweets/analytics?ids=1990000000000000001&start_time=2025-11-16T10:11:27Z&end_time=2026-11-20T18:00:00Z&granularity=total';
const READ_FIRST = {
  together: [
    ['GET /2/tweets/1990000000000000001', one(postRow('1990000000000000001', { author_id: '7', public_metrics: { like_count: 3 } }))],
    ME,
  ],
} as const;

test.for([
  [400, { title: 'Invalid Request', errors: [{ message: 'The post is too old.' }] }],
  [403, { title: 'Forbidden' }],
] as const)('the public figures of a post are readable if X refuses the analytics with %i', async ([status, body]) => {
  await using x = await scriptX([READ_FIRST, [FIGURES, problem(status, body)]]);

  expect(await x.social.getPostAnalytics('1990000000000000001')).toMatchObject({ likes: 3, completeness: 'public_only' });
});

test('the analytics are read without a metric that X does not support', async () => {
  const message = 'The `analytics.fields` query parameter value [quote_tweets] is not one of [id,likes]';
  const refusal = problem(400, { errors: [{ parameters: { 'analytics.fields': ['quote_tweets'] }, message }] });
  await using x = await scriptX([READ_FIRST, [FIGURES, refusal], [FIGURES, rows([{ id: '1990000000000000001', likes: 5 }])]]);

  expect(await x.social.getPostAnalytics('1990000000000000001')).toMatchObject({ likes: 5, completeness: 'full' });
});

test('a call with the same key after a lost response creates no second post', async () => {
  await using fixture = await openX();
  const since = new Date(fixture.clock.nowMs());
  fixture.loseNextAnswer();

  const lost = await fixture.social.createPost('once', { key: 'k', since }).then(
    () => undefined,
    (error: unknown) => error,
  );
  const found = await fixture.social.createPost('once', { key: 'k', since });

  expect(lost).toMatchObject({ fault: 'unanswered' });
  expect(found).toMatchObject({ text: 'once' });
  expect((await fixture.postTexts()).length).toBe(1);
});

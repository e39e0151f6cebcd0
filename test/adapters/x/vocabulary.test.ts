import { describe, expect, test } from 'vitest';
import { openX } from './open-x.ts';
import { ME, one, postRow, rows, scriptX, userRow } from './script-x.ts';
import type { Reply } from '../../support/script-http.ts';

const TIMELINE = 'GET /x/2/users/:id/tweets';

/** A 400 of X about a parameter. */
function refused(message: string, parameters: Readonly<Record<string, readonly string[]>> = {}): Reply {
  return {
    status: 400,
    json: {
      errors: [{ parameters, message }],
      title: 'Invalid Request',
      detail: 'One or more parameters to your request was invalid.',
      type: 'https://api.twitter.com/2/problems/invalid-request',
    },
  };
}
const UNKNOWN_PARAMETER = refused('The query parameter [post.fields] is not one of [id,tweet.fields]', { 'post.fields': ['text'] });

describe.each(['post', 'tweet'] as const)('on an X with the vocabulary "%s" only', (names) => {
  test('posts, users, lists and messages are read completely', async () => {
    await using fixture = await openX({}, { names });
    const { social } = fixture;
    const post = await social.createPost('a first post');
    const answer = await social.createPost('an answer', { replyTo: post });
    const list = await social.createList('Runners');
    await social.sendMessage('ada', 'hello');
    const [message] = (await social.getInbox({ user: 'ada' })).items;

    expect(await social.postDetail(answer)).toMatchObject({ author: { handle: 'fanfare' }, replyTo: { postId: post.id } });
    expect((await social.getPosts('fanfare', { replies: true })).items.map(({ id }) => id)).toContain(answer.id);
    expect(await social.postEditHistory(post)).toMatchObject({ complete: true, versions: [{ text: 'a first post' }] });
    expect((await social.getUserInfo('ada')).pinnedPostIds).toBeDefined();
    expect((await social.getList(list)).owner).toMatchObject({ handle: 'fanfare' });
    expect(message?.participants.map(({ handle }) => handle)).toContain('ada');
    expect((await social.getPostQuotes(post)).items).toEqual([]);
  });

  test('X refuses at most one request per endpoint', async () => {
    await using fixture = await openX({}, { names });
    const before = await fixture.requests(TIMELINE);
    await fixture.social.getPosts('ada');
    await fixture.social.getPosts('ada');
    await fixture.social.getPosts('grace');

    expect((await fixture.requests(TIMELINE)) - before).toBe(names === 'post' ? 3 : 4);
  });

  test('X refuses at most one of several concurrent first requests', async () => {
    await using fixture = await openX({}, { names });
    const ids = await Promise.all(['ada', 'grace', 'linus'].map((user) => fixture.social.getUserId(user)));
    const before = await fixture.requests(TIMELINE);
    await Promise.all(ids.map((id) => fixture.social.getPosts(id)));

    expect((await fixture.requests(TIMELINE)) - before).toBe(names === 'post' ? 3 : 4);
  });
});

/** The forms in which a 400 names unknown fields. */
const ABOUT_FIELDS: readonly (readonly [about: string, reply: Reply])[] = [
  ['a parameter', UNKNOWN_PARAMETER],
  [
    'a value of the expansions',
    refused('The `expansions` query parameter value [referenced_posts] is not one of [author_id,referenced_tweets.id]', {
      expansions: ['referenced_posts'],
    }),
  ],
  [
    'a value, and the parameter beside it',
    { status: 400, json: { errors: [{ parameter: 'post.fields', value: 'note_post', detail: 'Not valid here: note_post' }] } },
  ],
  ['a value alone', { status: 400, json: { title: 'Bad Request', detail: 'Unknown value: referenced_posts', status: 400 } }],
];

test.each(ABOUT_FIELDS)('after a 400 about %s in a walk, the same page is requested with the older names', async (_, reply) => {
  const mentions = 'GET /2/users/7/mentions?max_results=100';
  await using x = await scriptX([
    ME,
    [mentions, rows([postRow('9')], { next: 'n1' })],
    [`${mentions}&pagination_token=n1`, reply],
    [`${mentions}&pagination_token=n1`, rows([postRow('8')])],
  ]);

  const found = await x.social.getMentions({ pages: 2, waitTime: 0 });

  expect(found.items.map(({ id }) => id)).toEqual(['9', '8']);
  expect(x.server.seen.slice(1).map(({ line }) => /(post|tweet)\.fields/.exec(line)?.[1])).toEqual(['post', 'post', 'tweet']);
});

test.each([
  ['a parameter that is not about fields', 'The query parameter [since_id] is not one of [id,expansions,post.fields,tweet.fields]'],
  [
    'a value of another parameter',
    'The `max_results` query parameter value [1] is not between 5 and 100, see `post.fields`',
    'max_results',
  ],
])('a request is not repeated after a 400 about %s', async (_, message, parameter?: string) => {
  const reply = refused(message, parameter === undefined ? {} : { [parameter]: ['1'] });
  await using x = await scriptX([ME, ['GET /2/users/7/mentions?max_results=100', reply]]);

  await expect(x.social.getMentions()).rejects.toMatchObject({ fault: 'rejected', status: 400 });
});

test('a write does not change the field names of reads at the same address', async () => {
  const post = 'GET /2/tweets/1990000000000000001';
  await using x = await scriptX([
    [post, UNKNOWN_PARAMETER],
    [post, one(postRow('1990000000000000001'))],
    ['DELETE /2/tweets/1990000000000000001', { json: { data: { deleted: true } } }],
    [post, one(postRow('1990000000000000001'))],
  ]);

  await x.social.postDetail('1990000000000000001');
  await x.social.deletePost('1990000000000000001');
  expect(await x.social.postDetail('1990000000000000001')).toMatchObject({ text: 'post 1990000000000000001' });
});

test('a quoted and a reposted post are read without their authors and files', async () => {
  const along = { id: '5', text: 'the first', attachments: { media_keys: ['3_1'] } };
  const answer = rows(
    [
      postRow('6', { text: 'look', referenced_posts: [{ type: 'quoted', id: '5' }] }),
      postRow('7', { text: 'RT', referenced_posts: [{ type: 'reposted', id: '5' }] }),
    ],
    { includes: { users: [userRow('ada', { id: '42' })], posts: [along] } },
  );
  await using x = await scriptX([ME, ['GET /2/users/7/mentions?max_results=100', answer]]);

  const { items, partialErrors } = await x.social.getMentions();

  expect(items).toMatchObject([
    { id: '6', text: 'look', author: { handle: 'ada' }, quoted: { postId: '5', state: 'accepted', text: 'the first' } },
    { id: '7', text: 'the first', author: { handle: 'ada' }, repostOf: '5', media: [] },
  ]);
  expect(partialErrors ?? []).toEqual([]);
});

test('a write succeeds if X accepts no field parameters', async () => {
  await using x = await scriptX([
    ['GET /2/users/me', UNKNOWN_PARAMETER],
    ['GET /2/users/me', UNKNOWN_PARAMETER],
    ['GET /2/users/me', one({ id: '1', username: 'me', name: 'Me' })],
    ['POST /2/tweets', one({ id: '1990000000000000001', text: 'hello' })],
  ]);

  expect(await x.social.createPost('hello')).toMatchObject({ id: '1990000000000000001', text: 'hello', author: { handle: 'me' } });
});

test('a 400 that is not about fields is not repeated, and its reason is in the message', async () => {
  const message = 'Invalid\u202E `query`\n value, it is\u0007 too long' + '!'.repeat(1000);
  await using x = await scriptX([ME, ['GET /2/users/7/mentions?max_results=100', refused(message)]]);

  const error: unknown = await x.social.getMentions().then(
    () => undefined,
    (failure: unknown) => failure,
  );

  expect(error).toMatchObject({ fault: 'rejected', status: 400 });
  expect(String(error)).toContain('X does not accept the request. X says: "Invalid `query` value, it is too long!!!');
  expect(String(error).length).toBeLessThan(500);
});

test('the reason of a 403 is in the message', async () => {
  const reply = { status: 403, json: { title: 'Forbidden', detail: 'Your plan does not let you block.', status: 403 } };
  await using x = await scriptX([
    ['GET /2/users/by/username/ada', one(userRow('ada', { id: '42' }))],
    ['GET /2/users/42', reply],
  ]);

  await x.social.getUserInfo('ada');
  await expect(x.social.getUserInfo('42')).rejects.toThrow('X says: "Your plan does not let you block."');
});

test('if X refuses both vocabularies and names no more fields, the message has the first reason', async () => {
  const mentions = 'GET /2/users/7/mentions?max_results=100';
  const olderToo = refused('The query parameter [tweet.fields] is not one of [id]');
  await using x = await scriptX([
    ME,
    [mentions, UNKNOWN_PARAMETER],
    [mentions, olderToo],
    // Without the parameters that X named, it names them again.
    [mentions, UNKNOWN_PARAMETER],
    [mentions, olderToo],
    [mentions, rows([])],
  ]);

  await expect(x.social.getMentions()).rejects.toThrow('[post.fields] is not one of');
  expect((await x.social.getMentions()).items).toEqual([]);
});

test('a field that X names as invalid is left out, one after the other, and not requested again', async () => {
  const mentions = 'GET /2/users/7/mentions?max_results=100';
  const value = (name: string): Reply =>
    refused(`The \`expansions\` query parameter value [${name}] is not one of [author_id,geo.place_id]`, {
      expansions: ['attachments.media_keys,attachments.poll_ids,author_id,geo.place_id,in_reply_to_user_id,referenced_posts'],
    });
  await using x = await scriptX([
    ME,
    [mentions, value('attachments.poll_ids')],
    [mentions, refused('The query parameter [tweet.fields] is not one of [id,expansions,post.fields]', { 'tweet.fields': ['text'] })],
    [mentions, value('in_reply_to_user_id')],
    [mentions, refused('The `post.fields` query parameter value [text] is not one of [id]', { 'post.fields': ['text'] })],
    [mentions, rows([postRow('9')])],
    [mentions, rows([postRow('9')])],
  ]);

  await x.social.getMentions();
  await x.social.getMentions();

  const queries = x.server.seen.slice(1).map(({ line }) => new URL(line.split(' ')[1] ?? '', 'http://x.invalid').searchParams);
  const [expansions, fields] = ['expansions', 'post.fields'].map((name) => queries.map((query) => query.get(name)?.split(',') ?? []));
  expect(expansions?.at(2)).not.toContain('attachments.poll_ids');
  expect(expansions?.at(2)).toContain('in_reply_to_user_id');
  for (const last of [-1, -2]) {
    expect(expansions?.at(last)).toEqual(['attachments.media_keys', 'author_id', 'geo.place_id', 'referenced_posts']);
    expect(fields?.at(last)).not.toContain('text');
    expect(fields?.at(last)).toContain('created_at');
  }
});

test('posts are read from an X without a known expansion and without most fields', async () => {
  const everything = [
    'author_id',
    'attachments.media_keys',
    'attachments.poll_ids',
    'geo.place_id',
    'in_reply_to_user_id',
    'referenced_posts',
  ];
  await using fixture = await openX({}, { refusedFields: [...everything, 'pinned_post_id', 'note_post', 'connection_status', 'lang'] });
  const { social } = fixture;

  const post = await social.createPost('a first post');

  expect(await social.postDetail(post)).toMatchObject({ text: 'a first post' });
  expect((await social.getPosts('fanfare')).items.map(({ id }) => id)).toContain(post.id);
  expect(await social.getUserInfo('ada')).toMatchObject({ handle: 'ada' });
});

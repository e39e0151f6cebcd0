import { describe, expect, test } from 'vitest';
import { sendMessage } from '#src/clients/social/messages.ts';
import { createPost, uploadMedia } from '#src/clients/social/posts.ts';
import { createList } from '#src/clients/social/lists.ts';
import { faultOf, newest, now, recover } from '../../contract/social-fixture.ts';
import { fileWith, PNG } from '../../support/media-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { openX } from './open-x.ts';
import type { Reply } from '../../support/script-http.ts';
import { ME, postRow, problem, rows, scriptX } from './script-x.ts';

/** X may still show the record later. */
const INCONCLUSIVE = { conclusiveAt: expect.any(Date) };
const MINUTE_MS = 60_000;

test.for([
  ['links and characters that X escapes', 'Tom & <Ada> 👩‍👩‍👧: https://www.twitch.tv/ada?a=1&b=2 #live'],
  ['a host alone', 'See ada.example for more'],
  ['lines and spaces', '  first\n\nsecond  '],
  ['letters of two code points', 'Cafe\u0301 \u202Eabc'],
] as const)('a post with a lost response is found by its text: %s', async ([, text]) => {
  await using fixture = await openX();
  const since = now(fixture);
  await fixture.social.createPost('something else');
  fixture.loseNextAnswer();

  const fault = await faultOf(fixture.social.createPost(text, { since, key: 'k' }));

  expect(fault).toBe('unanswered');
  expect(await recover(fixture.social, createPost.declared, { text }, { key: 'k', since })).toMatchObject({
    found: { author: { handle: 'fanfare' } },
  });
  expect((await fixture.postTexts()).length).toBe(2);
});

test('a post matches only with the same files, parent and quote', async () => {
  await using fixture = await openX({}, { tier: 'enterprise' });
  const since = now(fixture);
  using folder = temporaryFolder();
  const path = fileWith(PNG, { folder, name: 'card.png' });
  const first = await fixture.social.createPost('first');
  const other = await fixture.social.createPost('other');
  const plain = await fixture.social.createPost('same');
  const answer = await fixture.social.createPost('same ', { replyTo: first });
  const quote = await fixture.social.createPost(' same', { quote: first });
  const shown = await fixture.social.createPost('same.', { files: [path] });
  const find = (params: object) => recover(fixture.social, createPost.declared, params, { key: 'k', since });

  expect(await find({ text: 'same' })).toMatchObject({ found: { id: plain.id } });
  expect(await find({ text: 'same', replyTo: first.id })).toMatchObject({ found: { id: answer.id } });
  expect(await find({ text: 'same', replyTo: other.id })).toEqual(INCONCLUSIVE);
  expect(await find({ text: 'same', quote: first.url })).toMatchObject({ found: { id: quote.id } });
  expect(await find({ text: 'same.', files: [path] })).toMatchObject({ found: { id: shown.id } });
  expect(await find({ text: 'same.', files: [{ id: shown.media[0]?.id ?? '' }] })).toMatchObject({ found: { id: shown.id } });
  expect(await find({ text: 'same.', files: [{ id: '12345' }] })).toEqual(INCONCLUSIVE);
  expect(await find({ text: 'same.' })).toEqual(INCONCLUSIVE);
  expect(await find({ text: 'same', poll: { options: ['a', 'b'] } })).toEqual(INCONCLUSIVE);
});

test.for([
  ['one name', 'Thanks!', '@ada Thanks!'],
  ['several names', 'Thanks!', '@ada @grace_1 Thanks!'],
  ['a name before the written one', '@grace_1 and you?', '@ada @grace_1 and you?'],
  ['the name before files alone', '', '@ada'],
] as const)('a reply is found although X put the names of its readers before it: %s', async ([, text, shown]) => {
  const row = { text: shown, referenced_tweets: [{ type: 'replied_to', id: '5' }], in_reply_to_user_id: '42' };
  const files = text === '' ? { attachments: { media_keys: ['3_1'] } } : {};
  const media = text === '' ? { includes: { media: [{ media_key: '3_1', type: 'photo' }] } } : {};
  const wrote = 'GET /2/users/7/tweets?max_results=20&start_time=2026-11-20T17:59:00Z';
  const lists = [row, row].map((one) => [wrote, rows([postRow('8', { ...one, ...files })], media)] as const);
  await using x = await scriptX([ME, ...lists]);
  const find = (params: object) =>
    recover(x.social, createPost.declared, params, { key: 'k', since: new Date('2026-11-20T18:00:00.700Z') });
  const uploaded = text === '' ? { files: [{ id: '1' }] } : {};

  expect(await find({ text, replyTo: '5', ...uploaded })).toMatchObject({ found: { id: '8' } });
  expect(await find({ text: `${text} Bye!`, replyTo: '5', ...uploaded })).toEqual(INCONCLUSIVE);
});

test('a post is found although X turned the address at its end into a quote', async () => {
  const links = [{ url: 'https://t.co/a', expanded_url: 'https://twitter.com/ada/status/5', start: 5, end: 19 }];
  const shown = { text: 'look https://t.co/a', entities: { urls: links }, referenced_tweets: [{ type: 'quoted', id: '5' }] };
  const wrote = 'GET /2/users/7/tweets?max_results=20&start_time=2026-11-20T17:59:00Z';
  const [one, other] = [rows([postRow('8', shown)]), rows([postRow('8', shown)])];
  await using x = await scriptX([ME, [wrote, one], [wrote, other]]);
  const find = (text: string) =>
    recover(x.social, createPost.declared, { text }, { key: 'k', since: new Date('2026-11-20T18:00:00.700Z') });

  expect(await find('look https://x.com/ada/status/5')).toMatchObject({ found: { id: '8' } });
  expect(await find('look https://x.com/ada/status/6')).toEqual(INCONCLUSIVE);
});

test('of two equal posts, the first unclaimed one is found', async () => {
  await using fixture = await openX();
  const since = now(fixture);
  const first = await fixture.social.createPost('again');
  await fixture.clock.advance(1000);
  const second = await fixture.social.createPost('again\u2060');
  const find = (taken: readonly string[]) =>
    recover(fixture.social, createPost.declared, { text: 'again' }, { key: 'k', since, taken: new Set(taken) });

  expect(await find([])).toMatchObject({ found: { id: first.id } });
  expect(await find([first.id])).toMatchObject({ found: { id: second.id } });
  expect(await find([first.id, second.id])).toEqual(INCONCLUSIVE);
});

test('a post from before the write is not found', async () => {
  await using fixture = await openX();
  await fixture.social.createPost('old');
  await fixture.clock.advance(120_000);

  expect(await recover(fixture.social, createPost.declared, { text: 'old' }, { key: 'k', since: now(fixture) })).toEqual(INCONCLUSIVE);
});

test('a post that appears late is inconclusive first and found later', async () => {
  await using fixture = await openX();
  const since = now(fixture);
  fixture.sandbox.faults.add({ platform: 'x', kind: 'delayedVisibility', ms: 20_000, times: 1 });
  const made = await fixture.social.createPost('late');
  const find = () => recover(fixture.social, createPost.declared, { text: 'late' }, { key: 'k', since });

  const before = await find();
  await fixture.clock.advance(20_000);

  expect(made).toMatchObject({ text: 'late', author: { handle: 'fanfare' }, url: expect.stringContaining(made.id) });
  expect(before).toEqual(INCONCLUSIVE);
  expect(await find()).toMatchObject({ found: { id: made.id } });
});

test('a second post with the same text is a duplicate, and the first one is found', async () => {
  await using fixture = await openX();
  const since = now(fixture);
  const post = await fixture.social.createPost('once');

  expect(await faultOf(fixture.social.createPost('once'))).toBe('duplicate');
  expect(await recover(fixture.social, createPost.declared, { text: 'once' }, { key: 'k', since })).toMatchObject({
    found: { id: post.id },
  });
});

test('a 503 for a write leaves the outcome open', async () => {
  await using fixture = await openX();
  await fixture.social.getUserInfo();
  fixture.sandbox.faults.add({ platform: 'x', kind: 'status', status: 503, method: 'POST', times: 1 });

  expect(await faultOf(fixture.social.createPost('perhaps'))).toBe('unanswered');
});

test('a failure before the post is sent leaves no open outcome', async () => {
  await using fixture = await openX();
  using folder = temporaryFolder();
  const files = [fileWith(PNG, { folder, name: 'card.png' })];
  const { faults } = fixture.sandbox;

  faults.add({ platform: 'x', kind: 'resetAfter', route: '/users/me' });
  expect(await faultOf(whileSleeping(fixture.clock, fixture.social.createPost('hello')))).toBe('unreachable');
  faults.clear('x');
  faults.add({ platform: 'x', kind: 'status', status: 500, route: '/media/upload' });
  expect(await faultOf(whileSleeping(fixture.clock, fixture.social.createPost('hello', { files })))).toBe('unreachable');
  faults.clear('x');

  expect(await fixture.postTexts()).toEqual([]);
});

test('a lost message, list and upload', async () => {
  await using fixture = await openX();
  const since = now(fixture);
  const { social } = fixture;
  await social.getUserInfo();

  fixture.loseNextRequest();
  expect(await faultOf(social.sendMessage('ada', 'hello'))).toBe('unanswered');
  expect(await recover(social, sendMessage.declared, { user: 'ada', text: 'hello' }, { key: 'k', since })).toEqual(INCONCLUSIVE);

  fixture.loseNextAnswer();
  expect(await faultOf(social.createList('Runners'))).toBe('unanswered');
  expect(await recover(social, createList.declared, { name: 'Runners' }, { key: 'k', since })).toMatchObject({
    found: { name: 'Runners' },
  });
  expect(await recover(social, createList.declared, { name: 'Others' }, { key: 'k', since })).toBe('absent');
  expect(await recover(social, uploadMedia.declared, { file: 'card.png' }, { key: 'k', since })).toBe('absent');
});

test('a repeat of a write uploads nothing again', async () => {
  await using fixture = await openX();
  using folder = temporaryFolder();
  const files = [fileWith(PNG, { folder, name: 'card.png' })];
  const since = now(fixture);
  const { social } = fixture;
  fixture.sandbox.faults.add({ platform: 'x', kind: 'resetBefore', method: 'POST', route: '/2/tweets', times: 1 });

  expect(await faultOf(social.createPost('card', { files, key: 'k', since }))).toBe('unanswered');
  // The call waits for the outcome of the first attempt.
  expect(await faultOf(social.createPost('card', { files, key: 'k', since }))).toBe('unanswered');
  await fixture.clock.advance(15 * MINUTE_MS);
  await social.createPost('card', { files, key: 'k', since });

  expect(await fixture.requests('POST /x/2/media/upload')).toBe(1);
  expect((await newest(social, 'fanfare')).media.length).toBe(1);
});

/** Reconciles a lost post after this many minutes. */
async function afterMinutes(fixture: Awaited<ReturnType<typeof openX>>, minutes: number, params: object): Promise<unknown> {
  const since = now(fixture);
  await fixture.clock.advance(minutes * MINUTE_MS);
  return recover(fixture.social, createPost.declared, params, { key: 'k', since, lostAt: since });
}

test('a post that no view shows is absent: after 5 minutes with text only, after 15 with a picture', async () => {
  await using fixture = await openX();
  const picture = { text: 'a card', files: [{ id: '12345' }] };

  expect(await afterMinutes(fixture, 4, { text: 'lost' })).toEqual(INCONCLUSIVE);
  expect(await afterMinutes(fixture, 5, { text: 'lost' })).toBe('absent');
  expect(await afterMinutes(fixture, 14, picture)).toEqual(INCONCLUSIVE);
  expect(await afterMinutes(fixture, 15, picture)).toBe('absent');
  expect(await afterMinutes(fixture, 5, { text: 'what next?', poll: { options: ['a', 'b'] } })).toEqual(INCONCLUSIVE);
  expect(await fixture.requests('GET /x/2/tweets/search/recent')).toBe(2);
  expect(await fixture.requests('GET /x/2/tweets/counts/recent')).toBe(2);
});

test('a picture is absent after 5 minutes if the timeline shows a younger post', async () => {
  await using fixture = await openX();
  const since = now(fixture);
  await fixture.clock.advance(2 * MINUTE_MS);
  await fixture.social.createPost('written later');
  await fixture.clock.advance(3 * MINUTE_MS);
  const picture = { text: 'a card', files: [{ id: '12345' }] };

  expect(await recover(fixture.social, createPost.declared, picture, { key: 'k', since, lostAt: since })).toBe('absent');
});

test('the time counts from the end of the last attempt, not from the first', async () => {
  await using fixture = await openX();
  const since = now(fixture);
  await fixture.clock.advance(20 * MINUTE_MS);

  expect(await recover(fixture.social, createPost.declared, { text: 'lost' }, { key: 'k', since, lostAt: now(fixture) })).toEqual(
    INCONCLUSIVE,
  );
  expect(await recover(fixture.social, createPost.declared, { text: 'lost' }, { key: 'k', since })).toEqual(INCONCLUSIVE);
});

const SINCE = new Date('2026-11-20T18:00:00Z');
const TIMELINE = 'GET /2/users/7/tweets?max_results=20&start_time=2026-11-20T17:59:00Z';
const OF_THE_DAY = 'GET /2/users/7/tweets?max_results=20&start_time=2026-11-19T18:00:00Z';
const FOUND = 'GET /2/tweets/search/recent?max_results=20&query=from:7+-is:retweet&start_time=2026-11-20T17:59:00Z&sort_order=recency';
const COUNTED = 'GET /2/tweets/counts/recent?query=from:7+-is:retweet&start_time=2026-11-20T17:59:00Z&granularity=hour';
const counted = (total: number): Reply => ({ json: { data: [], meta: { total_tweet_count: total } } });
const NO_PLAN = problem(403, { type: 'https://api.twitter.com/2/problems/client-forbidden', title: 'Client Forbidden' });
const LOST = postRow('8', { text: 'lost', author_id: '7', created_at: '2026-11-20T18:00:01.000Z' });
const OTHER = postRow('9', { text: 'other', author_id: '7', created_at: '2026-11-20T18:00:02.000Z' });
const OLD = postRow('5', { text: 'lost', author_id: '7', created_at: '2026-11-20T12:00:00.000Z' });
const NO_ROWS = rows([]);
/** Differing views are compared again after four times as long. */
const AGAIN = { conclusiveAt: new Date('2026-11-20T18:24:00Z') };
const GARBLED = rows([OTHER, { text: 'a row without an id' }]);

test.for<readonly [what: string, views: readonly [timeline: Reply, ofTheDay: Reply, found: Reply, counted: Reply], outcome: unknown]>([
  ['all views agree', [NO_ROWS, NO_ROWS, NO_ROWS, counted(0)], 'absent'],
  ['search and counts are not in the plan', [NO_ROWS, NO_ROWS, NO_PLAN, NO_PLAN], 'absent'],
  ['only search shows it', [NO_ROWS, NO_ROWS, rows([LOST]), counted(1)], { found: expect.objectContaining({ id: '8' }) }],
  [
    'the second read of the timeline shows it',
    [NO_ROWS, rows([LOST]), NO_ROWS, counted(0)],
    { found: expect.objectContaining({ id: '8' }) },
  ],
  ['X counts a post that it does not show', [NO_ROWS, NO_ROWS, NO_ROWS, counted(1)], AGAIN],
  ['X counts only posts that it shows', [rows([OTHER]), rows([OTHER]), NO_ROWS, counted(1)], 'absent'],
  ['one of the posts cannot be read', [GARBLED, rows([OTHER]), NO_ROWS, counted(1)], AGAIN],
  ['an older post has the same text, and the clock may be ahead', [NO_ROWS, rows([OLD]), NO_ROWS, counted(0)], AGAIN],
])('the outcome of a lost post: %s', async ([, [timeline, ofTheDay, found, count], outcome]) => {
  await using x = await scriptX([ME, [TIMELINE, timeline], [OF_THE_DAY, ofTheDay], [FOUND, found], [COUNTED, count]]);
  await x.clock.advance(6 * MINUTE_MS);

  expect(await recover(x.social, createPost.declared, { text: 'lost' }, { key: 'k', since: SINCE, lostAt: SINCE })).toEqual(outcome);
});

test('if views differ for an hour, a person must decide', async () => {
  await using x = await scriptX([ME, [TIMELINE, NO_ROWS], [OF_THE_DAY, NO_ROWS], [FOUND, NO_ROWS], [COUNTED, counted(1)]]);
  await x.clock.advance(60 * MINUTE_MS);

  expect(await recover(x.social, createPost.declared, { text: 'lost' }, { key: 'k', since: SINCE, lostAt: SINCE })).toBe('cannotTell');
});

const REFUSED = problem(400, { title: 'Invalid Request', errors: [{ message: 'start_time is not available' }] });

test('if X refuses the timeline, the search for posts finds a lost post', async () => {
  await using x = await scriptX([ME, [TIMELINE, REFUSED], [FOUND, rows([LOST])]]);

  expect(await recover(x.social, createPost.declared, { text: 'lost' }, { key: 'k', since: SINCE, lostAt: SINCE })).toMatchObject({
    found: { id: '8' },
  });
});

test.for([
  ['a post that the search does not show is absent after minutes', NO_ROWS, counted(0), 'absent'],
  ['a post that X counts is not absent', NO_ROWS, counted(1), AGAIN],
  ['a view that cannot be read proves nothing', GARBLED, counted(1), AGAIN],
] as const)('if X refuses the timeline, %s', async ([, found, count, outcome]) => {
  const foundOfTheDay = FOUND.replace('2026-11-20T17:59:00Z', '2026-11-19T18:00:00Z');
  await using x = await scriptX([ME, [TIMELINE, REFUSED], [FOUND, found], [foundOfTheDay, NO_ROWS], [COUNTED, count]]);
  await x.clock.advance(6 * MINUTE_MS);

  expect(await recover(x.social, createPost.declared, { text: 'lost' }, { key: 'k', since: SINCE, lostAt: SINCE })).toEqual(outcome);
});

test('if X refuses every view, a person must decide, but only after an hour', async () => {
  const refusals = [
    [TIMELINE, REFUSED],
    [FOUND, NO_PLAN],
  ] as const;
  await using x = await scriptX([ME, ...refusals, ...refusals, ...refusals]);
  const find = () => recover(x.social, createPost.declared, { text: 'lost' }, { key: 'k', since: SINCE, lostAt: SINCE });

  await x.clock.advance(2000);
  expect(await find()).toEqual(INCONCLUSIVE);
  await x.clock.advance(20 * MINUTE_MS);
  expect(await find()).toEqual(INCONCLUSIVE);
  await x.clock.advance(40 * MINUTE_MS);
  expect(await find()).toBe('cannotTell');
});

test('without the name of the account, a person must decide after an hour', async () => {
  await using x = await scriptX([[ME[0], NO_PLAN]]);
  await x.clock.advance(60 * MINUTE_MS);

  expect(await recover(x.social, createPost.declared, { text: 'lost' }, { key: 'k', since: SINCE, lostAt: SINCE })).toBe('cannotTell');
});

describe('on an X without optional fields', () => {
  const PARTS = ['attachments.media_keys', 'attachments.poll_ids', 'geo.place_id', 'in_reply_to_user_id', 'referenced_posts', 'note_post'];

  test('a lost post, reply and picture are found', async () => {
    await using fixture = await openX({}, { refusedFields: PARTS });
    const since = now(fixture);
    using folder = temporaryFolder();
    const path = fileWith(PNG, { folder, name: 'card.png' });
    const first = await fixture.social.createPost('first');
    const drafts = [{ text: 'plain' }, { text: 'a reply', replyTo: first.id }, { text: 'a picture', files: [path] }];
    for (const { text, ...options } of drafts) await fixture.social.createPost(text, options);

    for (const params of drafts) {
      expect(await recover(fixture.social, createPost.declared, params, { key: 'k', since })).toMatchObject({
        found: { text: params.text },
      });
    }
  });

  test('a post that cannot be distinguished from others is never absent', async () => {
    await using fixture = await openX({}, { refusedFields: [...PARTS, 'entities'] });

    expect(await afterMinutes(fixture, 20, { text: 'see https://ok.example/' })).toEqual(INCONCLUSIVE);
    expect(await afterMinutes(fixture, 20, { text: '', files: [{ id: '12345' }] })).toEqual(INCONCLUSIVE);
    expect(await afterMinutes(fixture, 60, { text: 'see https://ok.example/' })).toBe('cannotTell');
    expect(await afterMinutes(fixture, 20, { text: 'lost' })).toBe('absent');
  });
});

test('a view that fails is read again later', async () => {
  const down = Array.from({ length: 3 }, () => [FOUND, problem(503, {})] as const);
  await using x = await scriptX([ME, [TIMELINE, NO_ROWS], [OF_THE_DAY, NO_ROWS], ...down]);
  await x.clock.advance(6 * MINUTE_MS);
  const asked = recover(x.social, createPost.declared, { text: 'lost' }, { key: 'k', since: SINCE, lostAt: SINCE });

  expect(await faultOf(whileSleeping(x.clock, asked))).toBe('unavailable');
});

test('a message that the conversation does not show is absent after 15 minutes', async () => {
  await using fixture = await openX();
  const lost = { key: 'k', since: now(fixture), lostAt: now(fixture) };
  const letter = { user: 'ada', text: 'hello' };
  await fixture.clock.advance(14 * MINUTE_MS);
  const early = await recover(fixture.social, sendMessage.declared, letter, lost);
  await fixture.clock.advance(MINUTE_MS);

  expect(early).toEqual(INCONCLUSIVE);
  expect(await recover(fixture.social, sendMessage.declared, letter, lost)).toBe('absent');
});

test('the reads that find a lost post are tried without a lost post', async () => {
  const latest = 'start_time=2026-11-20T17:59:00Z';
  await using x = await scriptX([ME, [`GET /2/users/7/tweets?max_results=20&${latest}`, REFUSED], [FOUND, NO_ROWS], [COUNTED, NO_PLAN]]);

  expect(await x.platform.recoveryProblems?.({})).toEqual([
    expect.stringContaining('start_time is not available'),
    expect.stringContaining('the plan of the app does not include this'),
  ]);
});

import { describe, expect, test } from 'vitest';
import { ANSWER_LIMIT } from '#adapters/mastodon/text/limit.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { describes, ME, scriptMastodon, statusRow } from './script-mastodon.ts';

const POST = 'POST /api/v1/statuses';
const POLL = { id: '6', expires_at: null, options: [{ title: 'a' }, { title: 'b' }] };
const since = new Date('2026-11-20T18:00:00Z');

async function errorOf(write: Promise<unknown>): Promise<unknown> {
  return write.then(
    () => undefined,
    (reason: unknown) => reason,
  );
}

describe('a post', () => {
  test('is sent with its key and only the given parameters', async () => {
    await using scripted = await scriptMastodon([describes(), [POST, { json: statusRow('9', { poll: POLL }) }]]);

    await scripted.social.createPost('Hello', { key: 'k1', since, poll: { options: ['a', 'b'], durationMinutes: 60 } });

    const { headers, body } = scripted.server.seen[1] ?? {};
    expect(headers).toMatchObject({ 'idempotency-key': 'k1', authorization: 'Bearer tr0ub4dor', 'content-type': 'application/json' });
    expect(headers?.['user-agent']).toMatch(/Fanfare/);
    expect(JSON.parse(body ?? '')).toEqual({ status: 'Hello', poll: { options: ['a', 'b'], expires_in: 3600, multiple: false } });
  });

  test('may exist after a failure of the server', async () => {
    await using scripted = await scriptMastodon([describes(), [POST, { status: 503, text: '<html>503</html>' }]]);

    expect(await errorOf(scripted.social.createPost('Hello'))).toMatchObject({ fault: 'unanswered', status: 503 });
  });

  test('is not sent if the response to an earlier read is lost', async () => {
    await using scripted = await scriptMastodon([
      describes(),
      ...Array.from({ length: 3 }, () => ['GET /api/v1/statuses/8', { fail: 'before' }] as const),
    ]);

    expect(await errorOf(whileSleeping(scripted.clock, scripted.social.createPost('Hello', { quote: '8' })))).toMatchObject({
      fault: 'unreachable',
      message: expect.stringContaining('was not sent'),
    });
  });

  test('that is refused as too long has its length and the limit in the error', async () => {
    await using scripted = await scriptMastodon([
      describes({ statuses: { max_characters: 10 } }),
      [POST, { status: 422, json: { error: 'Validación fallida: el texto' } }],
    ]);

    expect(await errorOf(scripted.social.createPost('Hello everybody'))).toMatchObject({
      fault: 'rejected',
      message: 'mastodon: the text is too long: social.example accepts 10 characters, and the text counts as 15.',
    });
  });

  test('replies to a post by its address', async () => {
    await using scripted = await scriptMastodon([
      describes(),
      ['GET /api/v1/statuses/8', { json: statusRow('8') }],
      ME,
      [POST, { json: statusRow('9', { in_reply_to_id: '8' }) }],
    ]);

    await scripted.social.createPost('Hello', { replyTo: `${scripted.server.url}/@ada/8` });

    expect(JSON.parse(scripted.server.seen[3]?.body ?? '')).toMatchObject({ in_reply_to_id: '8' });
  });

  test.for([
    ['too many answers', { options: ['a', 'b', 'c'], durationMinutes: 60 }, /at most 2 options/],
    ['too long an answer', { options: ['abcdef', 'b'], durationMinutes: 60 }, /at most 5 characters/],
    ['too short a time', { options: ['a', 'b'], durationMinutes: 5 }, /at least 10 minutes/],
    ['too long a time', { options: ['a', 'b'], durationMinutes: 10_000 }, /at most 60 minutes/],
  ] as const)('is not sent with an invalid poll: %s', async ([, poll, message]) => {
    await using scripted = await scriptMastodon([
      describes({ polls: { max_options: 2, max_characters_per_option: 5, min_expiration: 600, max_expiration: 3600 } }),
    ]);

    expect(await errorOf(scripted.social.createPost('Hello', { poll: { ...poll, options: [...poll.options] } }))).toMatchObject({
      name: 'ValidationError',
      message: expect.stringMatching(message),
    });
  });
});

test('a poll option is counted in visible characters, like on Mastodon', async () => {
  const flags = '🇩🇪'.repeat(30);
  await using scripted = await scriptMastodon([describes(), [POST, { json: statusRow('9', { poll: POLL }) }]]);
  const write = (answer: string) => scripted.social.createPost('Where from?', { poll: { options: [answer, 'b'], durationMinutes: 60 } });

  expect((await write(flags)).id).toBe('9');
  expect(await errorOf(write('🇩🇪'.repeat(51)))).toMatchObject({ name: 'ValidationError' });
  expect(ANSWER_LIMIT.lengthOf(flags)).toBe(30);
});

describe('a quote', () => {
  test('that is pending has the id of the quoted post', async () => {
    await using scripted = await scriptMastodon([
      describes(),
      ['GET /api/v1/statuses/8', { json: statusRow('8', { quote_approval: { current_user: 'manual' } }) }],
      [POST, { json: statusRow('9', { quote: { state: 'pending', quoted_status: null } }) }],
    ]);

    const post = await scripted.social.createPost('So true', { quote: '8' });

    expect(post.quoted).toEqual({ postId: '8', state: 'pending', text: undefined });
    expect(JSON.parse(scripted.server.seen[2]?.body ?? '')).toMatchObject({ quoted_status_id: '8' });
  });

  test('that the author denies is not sent', async () => {
    await using scripted = await scriptMastodon([
      describes(),
      ['GET /api/v1/statuses/8', { json: statusRow('8', { quote_approval: { current_user: 'denied' } }) }],
    ]);

    expect(await errorOf(scripted.social.createPost('So true', { quote: '8' }))).toMatchObject({ fault: 'forbidden' });
  });

  test('is refused with the reason on an old server', async () => {
    await using scripted = await scriptMastodon([describes({}, 5)]);

    expect(await errorOf(scripted.social.createPost('So true', { quote: '8' }))).toMatchObject({
      name: 'UnsupportedParameter',
      parameter: 'quote',
      reason: 'SERVER_DISABLED',
    });
  });
});

test('a post that more people can quote than were asked for is reported with its record', async () => {
  const approval = { automatic: ['public'], manual: [], current_user: 'automatic' };
  await using scripted = await scriptMastodon([describes({}, 7), [POST, { json: statusRow('9', { quote_approval: approval }) }]]);

  expect(await errorOf(scripted.social.createPost('Hi', { quotable: 'nobody' }))).toMatchObject({
    fault: 'rejected',
    record: { id: '9', quotable: 'everyone' },
    message: expect.stringContaining('published the post quotable by everyone'),
  });
  expect(JSON.parse(scripted.server.seen[1]?.body ?? '')).toMatchObject({ quote_approval_policy: 'nobody' });
});

test('a server without quotes gets no rule about quotes', async () => {
  await using scripted = await scriptMastodon([describes({}, 5), [POST, { json: statusRow('9') }]]);

  expect(await scripted.social.createPost('Hi', { quotable: 'nobody' })).toMatchObject({ id: '9', quotable: undefined });
  expect(JSON.parse(scripted.server.seen[1]?.body ?? '')).not.toHaveProperty('quote_approval_policy');
});

describe('an edit', () => {
  test('keeps the files, the poll and the warning', async () => {
    const before = statusRow('9', {
      spoiler_text: 'chess',
      sensitive: true,
      media_attachments: [{ id: '5', type: 'image', url: 'https://files.example/5.png' }],
      poll: {
        id: '6',
        expires_at: '2026-11-20T19:00:00Z',
        expired: false,
        multiple: true,
        options: [
          { title: 'a', votes_count: 3 },
          { title: 'b', votes_count: 0 },
        ],
      },
    });
    await using scripted = await scriptMastodon([
      ['GET /api/v1/statuses/9', { json: before }],
      ['PUT /api/v1/statuses/9', { json: statusRow('9') }],
    ]);

    await scripted.social.editPost('9', 'Hello again');

    expect(JSON.parse(scripted.server.seen[1]?.body ?? '')).toEqual({
      status: 'Hello again',
      spoiler_text: 'chess',
      sensitive: true,
      language: 'en',
      media_ids: ['5'],
      poll: { options: ['a', 'b'], expires_in: 3600, multiple: true },
    });
  });
});

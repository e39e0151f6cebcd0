import { describe, expect, test } from 'vitest';
import { createPost } from '#src/social/posts.ts';
import { describes, ME, scriptMastodon, statusRow } from './script-mastodon.ts';

const POST = 'POST /api/v1/statuses';
const since = new Date('2026-11-20T18:00:00Z');

async function errorOf(write: Promise<unknown>): Promise<unknown> {
  return write.then(
    () => undefined,
    (reason: unknown) => reason,
  );
}

describe('a post', () => {
  test('goes out under its key, with what it was given and nothing else', async () => {
    await using scripted = await scriptMastodon([describes(), [POST, { json: statusRow('9') }]]);

    await scripted.social.createPost('Hello', { key: 'k1', since, poll: { options: ['a', 'b'], durationMinutes: 60 } });

    const { headers, body } = scripted.server.seen[1] ?? {};
    expect(headers).toMatchObject({ 'idempotency-key': 'k1', authorization: 'Bearer tr0ub4dor', 'content-type': 'application/json' });
    expect(headers?.['user-agent']).toMatch(/Fanfare/);
    expect(JSON.parse(body ?? '')).toEqual({ status: 'Hello', poll: { options: ['a', 'b'], expires_in: 3600, multiple: false } });
  });

  test('whose server breaks down may stand all the same', async () => {
    await using scripted = await scriptMastodon([describes(), [POST, { status: 503, text: '<html>503</html>' }]]);

    expect(await errorOf(scripted.social.createPost('Hello'))).toMatchObject({ fault: 'unanswered', status: 503 });
  });

  test('that is refused as too long is told how long it is, and how long it may be', async () => {
    await using scripted = await scriptMastodon([
      describes({ statuses: { max_characters: 10 } }),
      [POST, { status: 422, json: { error: 'Validación fallida: el texto' } }],
    ]);

    expect(await errorOf(scripted.social.createPost('Hello everybody'))).toMatchObject({
      fault: 'rejected',
      message: 'mastodon: the text counts 15 characters, and social.example takes 10.',
    });
  });

  test('answers a post that is named by its address', async () => {
    await using scripted = await scriptMastodon([
      describes(),
      ['GET /api/v1/statuses/8', { json: statusRow('8') }],
      [POST, { json: statusRow('9', { in_reply_to_id: '8' }) }],
    ]);

    await scripted.social.createPost('Hello', { replyTo: `${scripted.server.url}/@ada/8` });

    expect(JSON.parse(scripted.server.seen[2]?.body ?? '')).toMatchObject({ in_reply_to_id: '8' });
  });

  test.for([
    ['too many answers', { options: ['a', 'b', 'c'], durationMinutes: 60 }, /at most 2 answers/],
    ['too long an answer', { options: ['abcdef', 'b'], durationMinutes: 60 }, /at most 5 characters/],
    ['too short a time', { options: ['a', 'b'], durationMinutes: 5 }, /at least 10 minutes/],
    ['too long a time', { options: ['a', 'b'], durationMinutes: 10_000 }, /at most 60 minutes/],
  ] as const)('is not sent with a poll that the server would refuse: %s', async ([, poll, message]) => {
    await using scripted = await scriptMastodon([
      describes({ polls: { max_options: 2, max_characters_per_option: 5, min_expiration: 600, max_expiration: 3600 } }),
    ]);

    expect(await errorOf(scripted.social.createPost('Hello', { poll: { ...poll, options: [...poll.options] } }))).toMatchObject({
      name: 'ValidationError',
      message: expect.stringMatching(message),
    });
  });
});

describe('a quote', () => {
  test('that waits for its author says what it quotes', async () => {
    await using scripted = await scriptMastodon([
      describes(),
      ['GET /api/v1/statuses/8', { json: statusRow('8', { quote_approval: { current_user: 'manual' } }) }],
      [POST, { json: statusRow('9', { quote: { state: 'pending', quoted_status: null } }) }],
    ]);

    const post = await scripted.social.createPost('So true', { quote: '8' });

    expect(post.quoted).toEqual({ postId: '8', state: 'pending', text: undefined });
    expect(JSON.parse(scripted.server.seen[2]?.body ?? '')).toMatchObject({ quoted_status_id: '8' });
  });

  test('that its author does not want is not sent', async () => {
    await using scripted = await scriptMastodon([
      describes(),
      ['GET /api/v1/statuses/8', { json: statusRow('8', { quote_approval: { current_user: 'denied' } }) }],
    ]);

    expect(await errorOf(scripted.social.createPost('So true', { quote: '8' }))).toMatchObject({ fault: 'forbidden' });
  });

  test('is refused with its reason where the server is too old for it', async () => {
    await using scripted = await scriptMastodon([describes({}, 5)]);

    expect(await errorOf(scripted.social.createPost('So true', { quote: '8' }))).toMatchObject({
      name: 'UnsupportedParameter',
      parameter: 'quote',
      reason: 'SERVER_DISABLED',
    });
  });
});

describe('an edit', () => {
  test('keeps the files, the poll and the warning, which a server would drop', async () => {
    const before = statusRow('9', {
      spoiler_text: 'chess',
      sensitive: true,
      media_attachments: [{ id: '5', type: 'image', url: 'https://files.example/5.png' }],
      poll: { id: '6', expires_at: '2026-11-20T19:00:00Z', expired: false, multiple: true, options: [{ title: 'a' }, { title: 'b' }] },
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

describe('an edit of a post whose poll is over', () => {
  test('keeps the poll with its votes, which a server would drop; it is open for as short as can be', async () => {
    const poll = { id: '6', expires_at: '2026-11-20T17:00:00Z', expired: true, options: [{ title: 'a' }, { title: 'b' }] };
    await using scripted = await scriptMastodon([
      ['GET /api/v1/statuses/9', { json: statusRow('9', { poll }) }],
      ['PUT /api/v1/statuses/9', { json: statusRow('9') }],
    ]);

    await scripted.social.editPost('9', 'Thank you all!');

    expect(JSON.parse(scripted.server.seen[1]?.body ?? '')).toMatchObject({
      poll: { options: ['a', 'b'], expires_in: 300, multiple: false },
    });
  });
});

describe('what was lost', () => {
  const lost = { key: 'k', since, taken: new Set<string>() };
  const own = 'GET /api/v1/accounts/1/statuses?limit=40&exclude_reblogs=true';
  const at = (id: string, row: object = {}): object => statusRow(id, { created_at: '2026-11-20T18:00:01Z', ...row });
  const recover = async (scripted: Awaited<ReturnType<typeof scriptMastodon>>, params: object, options = lost): Promise<unknown> =>
    scripted.platform.recover?.createPost?.(createPost.declared.params.parse(params), options);

  test('is what says the same, answers the same and carries as much', async () => {
    const rows = [
      at('14', { content: '<p>Hello</p>', in_reply_to_id: '3' }),
      at('13', { content: '<p>Hello</p>', visibility: 'direct' }),
      at('12', { content: '<p>Hello</p>' }),
      at('11', { content: '<p>Hello</p>' }),
      at('10', { content: '<p>Hello</p>', media_attachments: [{ id: '1', type: 'image' }] }),
      statusRow('9', { content: '<p>Hello</p>' }),
    ];
    await using scripted = await scriptMastodon([ME, [own, { json: rows }], [own, { json: rows }], [own, { json: rows }]]);

    expect(await recover(scripted, { text: 'Hello' })).toMatchObject({ found: { id: '11' } });
    expect(await recover(scripted, { text: 'Hello' }, { ...lost, taken: new Set(['11']) })).toMatchObject({ found: { id: '12' } });
    expect(await recover(scripted, { text: 'Hello' }, { ...lost, taken: new Set(['11', '12']) })).toBe('absent');
  });

  test('is known by its source where the server shows it otherwise', async () => {
    await using scripted = await scriptMastodon([
      ME,
      [own, { json: [at('12', { content: '<p><strong>Hello</strong> 🙂</p>' })] }],
      ['GET /api/v1/statuses/12/source', { json: { id: '12', text: '**Hello** :)', spoiler_text: '' } }],
    ]);

    expect(await recover(scripted, { text: '**Hello** :)' })).toMatchObject({ found: { id: '12' } });
  });

  test('is not made out where something was posted of which the server does not tell what was written', async () => {
    await using scripted = await scriptMastodon([
      ME,
      [own, { json: [at('12', { content: '<p><strong>Hello</strong> 🙂</p>' })] }],
      ['GET /api/v1/statuses/12/source', { status: 404, json: { error: 'Not Found' } }],
    ]);

    expect(await recover(scripted, { text: '**Hello** :)' })).toBe('cannotTell');
  });

  test('is known by its poll, without the spaces around answers that a server takes away', async () => {
    const poll = { id: '6', expires_at: null, options: [{ title: 'Yes' }, { title: 'No' }] };
    await using scripted = await scriptMastodon([ME, [own, { json: [at('12', { content: '<p>Hello</p>', poll })] }]]);

    const recovery = await recover(scripted, { text: 'Hello', poll: { options: [' Yes', 'No ', ' '], durationMinutes: 60 } });

    expect(recovery).toMatchObject({ found: { id: '12' } });
  });

  test('that answers a post which passes on another is known by the answer to that other one', async () => {
    await using scripted = await scriptMastodon([
      ['GET /api/v1/statuses/8', { json: statusRow('8', { reblog: statusRow('7') }) }],
      ME,
      [own, { json: [at('12', { content: '<p>Hello</p>', in_reply_to_id: '7' })] }],
    ]);

    expect(await recover(scripted, { text: 'Hello', replyTo: '8' })).toMatchObject({ found: { id: '12' } });
  });

  test('that answers a post which is gone is told apart by its text', async () => {
    await using scripted = await scriptMastodon([
      ['GET /api/v1/statuses/8', { status: 404, json: { error: 'Record not found' } }],
      ME,
      [own, { json: [at('12', { content: '<p>Hello</p>', in_reply_to_id: '8' })] }],
    ]);

    expect(await recover(scripted, { text: 'Hello', replyTo: '8' })).toMatchObject({ found: { id: '12' } });
  });

  test('is not made out where one of the posts since cannot be read: it may be the one', async () => {
    const rows = [at('13', { account: { id: '1', acct: null } }), at('12', { content: '<p>Bye</p>' })];
    const source = ['GET /api/v1/statuses/12/source', { json: { id: '12', text: 'Bye' } }] as const;
    await using scripted = await scriptMastodon([ME, [own, { json: rows }], source, [own, { json: rows }]]);

    expect(await recover(scripted, { text: 'Hello' })).toBe('cannotTell');
    expect(await recover(scripted, { text: 'Bye' })).toMatchObject({ found: { id: '12' } });
  });

  test('is not made out where too much was posted since', async () => {
    const page = { json: [at('12', { content: '<p>other</p>' })], headers: { link: '<https://social.example/x?max_id=12>; rel="next"' } };
    await using scripted = await scriptMastodon([ME, [own, page], ...Array.from({ length: 9 }, () => [`${own}&max_id=12`, page] as const)]);

    expect(await recover(scripted, { text: 'Hello' })).toBe('cannotTell');
  });
});

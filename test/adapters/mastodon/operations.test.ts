import { describe, expect, test } from 'vitest';
import { createList } from '#src/clients/social/lists.ts';
import { createScheduledPost } from '#src/clients/social/schedule.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { accountRow, describes, ME, scriptMastodon, statusRow } from './script-mastodon.ts';

const LOOKUP = ['GET /api/v1/accounts/lookup?acct=ada', { json: accountRow('2', 'ada') }] as const;

describe('a message', () => {
  test('is visible only to its recipients, even if it mentions others', async () => {
    const content =
      '<p><span class="h-card"><a href="https://social.example/@ada" class="u-url mention">@<span>ada</span></a></span> ask @\u2060grace</p>';
    const mentions = [{ id: '2', username: 'ada', acct: 'ada', url: 'https://social.example/@ada' }];
    const sent = statusRow('9', { visibility: 'direct', content, mentions });
    await using scripted = await scriptMastodon([
      LOOKUP,
      ME,
      ['GET /api/v1/conversations?limit=40', { json: [] }],
      ['POST /api/v1/statuses', { json: sent }],
      [
        'GET /api/v1/conversations?limit=40',
        { json: [{ id: 'c1', unread: false, accounts: [accountRow('2', 'ada')], last_status: sent }] },
      ],
    ]);

    const message = await scripted.social.sendMessage('ada', 'ask @grace');

    expect(JSON.parse(scripted.server.seen[3]?.body ?? '')).toEqual({
      status: '@ada ask @\u2060grace',
      visibility: 'direct',
      allowed_mentions: ['2'],
    });
    expect(message).toMatchObject({ conversationId: 'c1', text: 'ask @grace', entities: [] });
  });

  test('succeeds although its conversation cannot be read', async () => {
    await using scripted = await scriptMastodon([
      LOOKUP,
      ME,
      ['GET /api/v1/conversations?limit=40', { json: [] }],
      ['POST /api/v1/statuses', { json: statusRow('9', { visibility: 'direct', mentions: [{ id: '2', username: 'ada', acct: 'ada' }] }) }],
      ['GET /api/v1/conversations?limit=40', { status: 403, json: {} }],
    ]);

    expect(await scripted.social.sendMessage('ada', 'Hello')).toMatchObject({ id: '9', conversationId: '9' });
  });
});

describe('a list', () => {
  const list = { id: '7', title: 'Runners' };

  test('accepts only followed users, and the error names this reason', async () => {
    await using scripted = await scriptMastodon([
      LOOKUP,
      ['GET /api/v1/accounts/2/lists', { json: [] }],
      ['POST /api/v1/lists/7/accounts', { status: 404, json: { error: 'Record not found' } }],
      ['GET /api/v1/lists/7', { json: list }],
    ]);

    await expect(scripted.social.addListMember('7', 'ada')).rejects.toMatchObject({
      fault: 'rejected',
      message: expect.stringContaining('follow ada first'),
    });
  });

  test('with an existing member stays unchanged', async () => {
    await using scripted = await scriptMastodon([
      LOOKUP,
      ['GET /api/v1/accounts/2/lists', { status: 404, json: {} }],
      ['POST /api/v1/lists/7/accounts', { status: 422, json: {} }],
      ['GET /api/v1/lists/7/accounts?limit=80', { json: [accountRow('2', 'ada')] }],
      ['GET /api/v1/lists/7', { json: list }],
      ME,
    ]);

    expect(await scripted.social.addListMember('7', 'ada')).toMatchObject({ id: '7', name: 'Runners', visibility: 'private' });
  });

  test('without a user whom the server refuses fails with its reason', async () => {
    await using scripted = await scriptMastodon([
      LOOKUP,
      ['GET /api/v1/accounts/2/lists', { json: [] }],
      ['POST /api/v1/lists/7/accounts', { status: 422, json: { error: 'follow relationship missing' } }],
      ['GET /api/v1/lists/7/accounts?limit=80', { json: [] }],
    ]);

    await expect(scripted.social.addListMember('7', 'ada')).rejects.toMatchObject({
      fault: 'rejected',
      message: expect.stringContaining('follow relationship missing'),
    });
  });

  test('is created by the last request, so no later failure repeats it', async () => {
    const made = ['POST /api/v1/lists', { json: list }] as const;
    await using scripted = await scriptMastodon([['GET /api/v1/accounts/verify_credentials', { status: 403, json: {} }], ME, made]);

    await expect(scripted.social.createList('Runners')).rejects.toMatchObject({ fault: 'forbidden' });
    expect(await scripted.social.createList('Runners')).toMatchObject({ id: '7', owner: { handle: 'fanfare' } });
  });

  test.for([
    [[], 'absent'],
    [[list], { found: { id: '7' } }],
    [[list, { id: '8', title: 'Runners' }], 'cannotTell'],
  ] as const)('that was lost, beside %j', async ([rows, expected]) => {
    await using scripted = await scriptMastodon([['GET /api/v1/lists', { json: rows }], ...(rows.length === 1 ? [ME] : [])]);
    const params = createList.declared.params.parse({ name: 'Runners' });

    const recovery = await scripted.platform.recover?.createList?.(params, { key: 'k', since: new Date(0), taken: new Set() });

    expect({ recovery }).toMatchObject({ recovery: expected });
  });
});

describe('a scheduled post', () => {
  const sendAt = new Date('2026-11-20T19:00:00Z');

  test('that is too soon is not sent, because the server would publish it at once', async () => {
    await using scripted = await scriptMastodon([]);

    await expect(scripted.social.createScheduledPost('Hello', new Date('2026-11-20T18:04:59Z'))).rejects.toMatchObject({
      name: 'ValidationError',
      path: 'sendAt',
    });
  });

  test('is refused with the reason of the server', async () => {
    await using scripted = await scriptMastodon([
      describes(),
      ['POST /api/v1/statuses', { status: 501, json: { error: 'not implemented' } }],
    ]);

    await expect(scripted.social.createScheduledPost('Hello', sendAt)).rejects.toMatchObject({ reason: 'SERVER_DISABLED' });
  });

  test('that was lost stays open if a scheduled post is unreadable', async () => {
    const row = (id: string, text: string) => ({ id, scheduled_at: sendAt.toISOString(), params: { text } });
    const waiting = ['GET /api/v1/scheduled_statuses?limit=40', { json: [row('1', 'Hello'), { id: '2', params: null }] }] as const;
    await using scripted = await scriptMastodon([waiting, waiting]);
    const recover = async (text: string) =>
      scripted.platform.recover?.createScheduledPost?.(createScheduledPost.declared.params.parse({ text, sendAt }), {
        key: 'k',
        since: new Date(0),
        taken: new Set(),
      });

    expect(await recover('Hello')).toMatchObject({ found: { id: '1' } });
    expect(await recover('Bye')).toBe('cannotTell');
  });

  test.for([
    ['goes out at another time', { scheduled_at: '2026-11-20T23:00:00Z', params: null }],
    ['has another text', { scheduled_at: 'soon', params: { text: 'Hello' } }],
    ['has a file', { scheduled_at: 'soon', params: { text: 'Bye' }, media_attachments: [{}] }],
  ] as const)('that was lost is absent if the unreadable one %s', async ([, row]) => {
    await using scripted = await scriptMastodon([['GET /api/v1/scheduled_statuses?limit=40', { json: [{ id: '2', ...row }] }]]);
    const params = createScheduledPost.declared.params.parse({ text: 'Bye', sendAt });

    const recovery = await scripted.platform.recover?.createScheduledPost?.(params, { key: 'k', since: new Date(0), taken: new Set() });

    expect(recovery).toBe('absent');
  });

  test('that was published at once is an error', async () => {
    await using scripted = await scriptMastodon([describes(), ['POST /api/v1/statuses', { json: statusRow('9') }]]);

    await expect(scripted.social.createScheduledPost('Hello', sendAt)).rejects.toMatchObject({
      message: expect.stringContaining('published this post at once (9)'),
    });
  });
});

describe('a translation', () => {
  const on = describes({ translation: { enabled: true } });

  test.for([
    ['zh-tw', { en: ['de', 'zh-Hant'] }, 'zh-Hant'],
    ['no', { en: ['nb'] }, 'nb'],
    ['de', { en: ['DE'] }, 'DE'],
    ['pt', {}, 'pt'],
    ['no', {}, 'nb'],
    ['zh-cn', {}, 'zh'],
  ] as const)('into %s is requested by the code of the server', async ([language, languages, lang]) => {
    await using scripted = await scriptMastodon([
      on,
      ['GET /api/v1/instance/translation_languages', { json: languages }],
      ['POST /api/v1/statuses/9/translate', { json: { content: '<p>Hallo</p>', detected_source_language: 'en', provider: 'DeepL.com' } }],
    ]);

    const translation = await scripted.social.translatePost('9', language);

    expect(JSON.parse(scripted.server.seen[2]?.body ?? '')).toEqual({ lang });
    expect(translation).toEqual({ postId: '9', text: 'Hallo', sourceLanguage: 'en', targetLanguage: language, provider: 'DeepL.com' });
  });

  test('into an unsupported language is refused with the supported ones', async () => {
    await using scripted = await scriptMastodon([on, ['GET /api/v1/instance/translation_languages', { json: { en: ['fr', 'de'] } }]]);

    await expect(scripted.social.translatePost('9', 'ja')).rejects.toMatchObject({
      name: 'UnsupportedParameter',
      value: 'ja',
      alternatives: ['de', 'fr'],
    });
  });
});

test('without a history on the server, the current version is the history', async () => {
  await using scripted = await scriptMastodon([
    ['GET /api/v1/statuses/9', { json: statusRow('9', { edited_at: '2026-11-20T17:30:00Z' }) }],
    ['GET /api/v1/statuses/9/history', { status: 404 }],
  ]);

  expect(await scripted.social.postEditHistory('9')).toEqual({
    postId: '9',
    visibility: 'public',
    versions: [{ text: 'Hello', createdAt: new Date('2026-11-20T17:30:00Z'), media: [] }],
    complete: false,
  });
});

test('an existing vote is not repeated', async () => {
  const poll = { id: '5', expired: false, multiple: false, voted: true, own_votes: [1], options: [{ title: 'a' }, { title: 'b' }] };
  const read = ['GET /api/v1/statuses/9', { json: statusRow('9', { poll }) }] as const;
  await using scripted = await scriptMastodon([read, read]);

  expect((await scripted.social.votePoll('9', [1])).id).toBe('9');
  await expect(scripted.social.votePoll('9', [0])).rejects.toMatchObject({ fault: 'rejected' });
});

test('a vote with a lost response counts once and succeeds', async () => {
  const poll = (row: object) => ({ id: '6', expires_at: null, options: [{ title: 'a' }, { title: 'b' }], ...row });
  const status = (row: object) => ['GET /api/v1/statuses/9', { json: statusRow('9', { poll: poll(row) }) }] as const;
  const vote = 'POST /api/v1/polls/6/votes';
  await using scripted = await scriptMastodon([
    status({ voted: false }),
    [vote, { fail: 'before' }],
    status({ voted: true, own_votes: [1] }),
    status({ voted: false }),
    [vote, { status: 422, json: { error: 'You have already voted on this poll' } }],
    status({ voted: true, own_votes: [1] }),
    status({ voted: false }),
    [vote, { status: 422, json: { error: 'The poll has already ended' } }],
    status({ voted: false }),
  ]);
  const { clock, social } = scripted;

  expect(await whileSleeping(clock, social.votePoll('9', [1]))).toMatchObject({ id: '9' });
  expect(await social.votePoll('9', [1])).toMatchObject({ id: '9' });
  await expect(social.votePoll('9', [1])).rejects.toMatchObject({ fault: 'rejected' });
});

test('a deeply nested conversation is read', async () => {
  // Mastodon sends no longer conversation.
  const depth = 4_096;
  const descendants = Array.from({ length: depth }, (_, index) => statusRow(`${index + 10}`, { in_reply_to_id: `${index + 9}` }));
  await using scripted = await scriptMastodon([['GET /api/v1/statuses/9/context', { json: { ancestors: [], descendants } }]]);

  const [thread, ...others] = (await scripted.social.getPostComments('9')).items;

  expect(others).toEqual([]);
  expect(thread?.id).toBe('10');
  expect(thread?.replies.map(({ depth: at, post }) => [at, post.id])).toEqual(
    descendants.slice(1).map((_, index) => [index + 1, `${index + 11}`]),
  );
});

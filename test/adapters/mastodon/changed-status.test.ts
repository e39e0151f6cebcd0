import { describe, expect, test } from 'vitest';
import type { PostVisibility } from '#src/clients/social/enumerations.ts';
import { createPost } from '#src/clients/social/posts.ts';
import type { Exchange } from '../../support/script-http.ts';
import { accountRow, describes, ME, scriptMastodon, statusRow, type ScriptedMastodon } from './script-mastodon.ts';

const LOOKUP: Exchange = ['GET /api/v1/accounts/lookup?acct=ada', { json: accountRow('2', 'ada') }];
const POST = 'POST /api/v1/statuses';
const sendAt = new Date('2026-11-20T19:00:00Z');
const LONG_AGO = statusRow('1', { created_at: '2026-11-19T17:00:00Z' });
const poll = { options: ['Yes', 'No'], durationMinutes: 60 };
const file = { id: '5' };
const compatible: readonly Exchange[] = [
  ['GET /api/v2/instance', { status: 404, json: {} }],
  ['GET /api/v1/instance', { json: { version: '4.2.0 (not true; compatible; snac/2.80)' } }],
];

async function errorOf(write: Promise<unknown>): Promise<unknown> {
  return write.then(
    () => undefined,
    (reason: unknown) => reason,
  );
}

const REMOVED: Exchange = ['DELETE /api/v1/statuses/9', { json: {} }];

/** The error for a status that more people saw than were asked for. */
function removed(shown: string, asked: string): object {
  const message = expect.stringMatching(new RegExp(`with the visibility "${shown}" in place of "${asked}".*removed it`));
  return { name: 'PlatformError', fault: 'rejected', record: undefined, message };
}

/** The error for a status that exists, but not as asked. */
function made(words: string): object {
  return {
    name: 'PlatformError',
    fault: 'rejected',
    message: expect.stringMatching(new RegExp(`published the post ${words}.*It exists: .*9.*does not send it again`)),
    record: expect.objectContaining({ id: '9' }),
  };
}

describe('a post that the server created differently is an error', () => {
  const write = async (options: object, row: object, before: readonly Exchange[] = []): Promise<unknown> => {
    await using scripted = await scriptMastodon([describes(), ...before, [POST, { json: statusRow('9', row) }]]);
    return await errorOf(scripted.social.createPost('Hello', options));
  };

  test('without its poll', async () => {
    expect(await write({ poll }, { poll: null })).toMatchObject(made('without its poll'));
    expect(await write({ poll }, { poll: undefined })).toMatchObject(made('without its poll'));
  });

  test('without one of its files', async () => {
    const row = { media_attachments: [] };

    expect(await write({ files: [file] }, row)).toMatchObject(made('without its file'));
  });

  test('not as a reply', async () => {
    const original: Exchange = ['GET /api/v1/statuses/8', { json: statusRow('8') }];

    expect(await write({ replyTo: '8' }, { in_reply_to_id: null }, [original, ME])).toMatchObject(made('not as a reply'));
  });

  test('without its quote', async () => {
    const quoted: Exchange = ['GET /api/v1/statuses/8', { json: statusRow('8') }];

    expect(await write({ quote: '8' }, { quote: null }, [quoted])).toMatchObject(made('without its quote'));
  });
});

describe('a post with a wider visibility than requested', () => {
  const write = async (visibility: PostVisibility, shown: string | null, after: readonly Exchange[] = []): Promise<unknown> => {
    await using scripted = await scriptMastodon([describes(), [POST, { json: statusRow('9', { visibility: shown }) }], ...after]);
    return await errorOf(scripted.social.createPost('Hello', { visibility }));
  };

  test.for([
    ['unlisted', 'public'],
    ['followers', 'public'],
    ['followers', 'unlisted'],
    ['direct', 'private'],
    ['direct', 'mutuals_only'],
    ['direct', 'public'],
  ] as const)('%s, but created as %s, is removed at once, and is an error', async ([asked, shown]) => {
    const seen = shown === 'public' || shown === 'unlisted' ? shown : 'followers';

    expect(await write(asked, shown, [REMOVED])).toMatchObject(removed(seen, asked));
  });

  test.for([
    ['public', 'unlisted'],
    ['unlisted', 'private'],
    ['followers', 'private'],
    ['direct', 'direct'],
    ['direct', null],
  ] as const)('%s, but created as %s, is kept', async ([asked, shown]) => {
    expect(await write(asked, shown)).toBeUndefined();
  });

  test('is reported with its record if the server does not remove it', async () => {
    const error = await write('direct', 'public', [['DELETE /api/v1/statuses/9', { status: 403, json: {} }]]);

    expect(error).toMatchObject({ fault: 'rejected', message: expect.stringMatching(/could not remove it.*9/), record: { id: '9' } });
  });

  test('is removed after a lost response', async () => {
    const row = statusRow('9', { content: '<p>Hello</p>', visibility: 'private', created_at: '2026-11-20T18:00:01Z' });
    const list: Exchange = ['GET /api/v1/accounts/1/statuses?limit=40&exclude_reblogs=true', { json: [row, LONG_AGO] }];
    await using scripted = await scriptMastodon([ME, list, ...compatible, list, REMOVED]);
    const params = createPost.declared.params.parse({ text: 'Hello', visibility: 'direct' });
    const lost = { key: 'k', since: new Date('2026-11-20T18:00:00Z'), taken: new Set<string>() };

    expect(await errorOf(scripted.platform.recover?.createPost?.(params, lost) ?? Promise.resolve())).toMatchObject(
      removed('followers', 'direct'),
    );
  });

  test('is another post on Mastodon, which keeps to the visibility', async () => {
    const row = statusRow('9', { content: '<p>Hello</p>', visibility: 'public', created_at: '2026-11-20T18:00:01Z' });
    const list: Exchange = ['GET /api/v1/accounts/1/statuses?limit=40&exclude_reblogs=true', { json: [row, LONG_AGO] }];
    await using scripted = await scriptMastodon([ME, list, describes()]);
    const params = createPost.declared.params.parse({ text: 'Hello', visibility: 'followers' });
    const lost = { key: 'k', since: new Date('2026-11-20T18:00:00Z'), taken: new Set<string>() };

    expect(await scripted.platform.recover?.createPost?.(params, lost)).toBe('absent');
  });
});

describe('a message that the server created differently is an error', () => {
  const mentions = [{ id: '2', username: 'ada', acct: 'ada' }];
  const write = async (row: object, after: readonly Exchange[] = []): Promise<unknown> => {
    const inbox: Exchange = ['GET /api/v1/conversations?limit=40', { json: [] }];
    await using scripted = await scriptMastodon([LOOKUP, ME, inbox, [POST, { json: statusRow('9', row) }], inbox, ...after]);
    return await errorOf(scripted.social.sendMessage('ada', 'Hello'));
  };

  test('not to @ada', async () => {
    expect(await write({ visibility: 'direct', mentions: [] })).toMatchObject(made('not to @ada'));
  });

  test('with the visibility "public", and the server removes it', async () => {
    expect(await write({ visibility: 'public', mentions }, [REMOVED])).toMatchObject(removed('public', 'direct'));
  });

  test('a message to its recipient is no error', async () => {
    expect(await write({ visibility: 'direct', mentions })).toBeUndefined();
    expect(await write({ visibility: undefined, mentions })).toBeUndefined();
  });
});

describe('a scheduled post that the server stores differently is an error', () => {
  const write = async (options: object, row: object): Promise<unknown> => {
    const kept = { id: '9', scheduled_at: sendAt.toISOString(), params: { text: 'Hello' }, media_attachments: [], ...row };
    await using scripted = await scriptMastodon([describes(), [POST, { json: kept }]]);
    return await errorOf(scripted.social.createScheduledPost('Hello', sendAt, options));
  };

  test('without its poll or one of its files', async () => {
    expect(await write({ poll }, { params: { text: 'Hello', poll: null } })).toMatchObject(made('without its poll'));
    expect(await write({ files: [file] }, {})).toMatchObject(made('without its file'));
    expect(await write({ poll }, {})).toBeUndefined();
  });
});

test('a scheduled post with a wider visibility than requested is removed, and is an error', async () => {
  const params = { text: 'Hello', visibility: 'public' };
  const kept = { id: '9', scheduled_at: sendAt.toISOString(), params, media_attachments: [] };
  const unscheduled: Exchange = ['DELETE /api/v1/scheduled_statuses/9', { json: {} }];
  await using scripted = await scriptMastodon([describes(), [POST, { json: kept }], unscheduled]);

  expect(await errorOf(scripted.social.createScheduledPost('Hello', sendAt, { visibility: 'unlisted' }))).toMatchObject(
    removed('public', 'unlisted'),
  );
});

describe('a lost post that a server made without its poll', () => {
  const since = new Date('2026-11-20T18:00:00Z');
  const longAgo = statusRow('1', { created_at: '2026-11-19T17:00:00Z' });
  const statuses: Exchange = [
    'GET /api/v1/accounts/1/statuses?limit=40&exclude_reblogs=true',
    { json: [statusRow('9', { created_at: '2026-11-20T18:00:01Z' }), longAgo] },
  ];
  const recover = async ({ platform }: ScriptedMastodon): Promise<unknown> =>
    platform.recover?.createPost?.(createPost.declared.params.parse({ text: 'Hello', poll }), { key: 'k', since, taken: new Set() });

  test('is found, so there is no second post, and is an error', async () => {
    await using scripted = await scriptMastodon([ME, statuses, ...compatible, statuses]);

    expect(await errorOf(recover(scripted))).toMatchObject(made('without its poll'));
  });

  test('is another post on Mastodon, which removes no polls', async () => {
    await using scripted = await scriptMastodon([ME, statuses, describes()]);

    expect(await recover(scripted)).toBe('absent');
  });
});

describe('highlights', () => {
  const PATH = 'GET /api/v1/accounts/2/statuses?limit=40';
  const rows = [statusRow('9', { pinned: false }), statusRow('8', { pinned: true })];

  test('are only the pinned posts if the server lists all posts of the signed-in account', async () => {
    const mine: Exchange = ['GET /api/v1/accounts/verify_credentials', { json: accountRow('2', 'ada') }];
    await using scripted = await scriptMastodon([LOOKUP, [`${PATH}&pinned=true`, { json: rows }], mine]);

    expect((await scripted.social.getUserHighlights('ada')).items.map(({ id }) => id)).toEqual(['8']);
  });

  test('of others are unsupported, if the server lists all of their posts', async () => {
    const all: Exchange = [PATH, { json: rows }];
    await using scripted = await scriptMastodon([LOOKUP, [`${PATH}&pinned=true`, { json: rows }], ME, ...compatible, all]);

    await expect(scripted.social.getUserHighlights('ada')).rejects.toMatchObject({ reason: 'SERVER_DISABLED' });
  });

  test('of others are the listed posts if they are not all posts', async () => {
    const all: Exchange = [PATH, { json: rows }];
    const pinned: Exchange = [`${PATH}&pinned=true`, { json: rows.slice(1) }];
    await using scripted = await scriptMastodon([LOOKUP, pinned, ME, ...compatible, all]);

    expect((await scripted.social.getUserHighlights('ada')).items.map(({ id }) => id)).toEqual(['8']);
  });
});

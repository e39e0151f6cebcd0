import { describe, expect, test } from 'vitest';
import type { PostVisibility } from '#src/clients/social/enumerations.ts';
import { createPost } from '#src/clients/social/posts.ts';
import type { Exchange } from '../../support/script-http.ts';
import { openMastodon } from './open-mastodon.ts';
import { accountRow, describes, ME, scriptMastodon, statusRow, type ScriptedMastodon } from './script-mastodon.ts';

const POST = 'POST /api/v1/statuses';
const LOCAL = accountRow('2', 'Bob');
const FAR = accountRow('3', 'bob', { acct: 'bob@far.example' });
const MINE = accountRow('1', 'fanfare');
const BOB = { id: '2', username: 'bob', acct: 'bob', url: 'https://social.example/@bob' };
const SELF = { id: '1', username: 'fanfare', acct: 'fanfare', url: 'https://social.example/@fanfare' };

function original(row: object): Exchange {
  return ['GET /api/v1/statuses/8', { json: statusRow('8', row) }];
}

function sentBy({ server }: ScriptedMastodon, index = -1): object {
  const bodies = server.seen.filter(({ body }) => body !== undefined && body !== '');
  return JSON.parse(bodies.at(index)?.body ?? '{}');
}

/** The request of a reply to a status. */
async function reply(text: string, row: object, { visibility, me = ME }: { visibility?: PostVisibility; me?: Exchange } = {}) {
  await using scripted = await scriptMastodon([
    describes(),
    original(row),
    me,
    [POST, { json: statusRow('9', { in_reply_to_id: '8', visibility: undefined }) }],
  ]);
  await scripted.social.createPost(text, { replyTo: '8', visibility });
  return sentBy(scripted);
}

describe('a reply mentions the author', () => {
  test.for([
    ['Hello', LOCAL, '@Bob Hello'],
    ['Hello', FAR, '@bob@far.example Hello'],
    ['Hello @grace', LOCAL, '@Bob Hello @grace'],
    // Another account has this handle.
    ['Hello @bob', FAR, '@bob@far.example Hello @bob'],
    ['Hello @bob@far.example', LOCAL, '@Bob Hello @bob@far.example'],
    // An escaped handle is not a mention.
    ['Hello @\u2060bob', LOCAL, '@Bob Hello @\u2060bob'],
    ['mail me@bob.example', LOCAL, '@Bob mail me@bob.example'],
    ['https://social.example/@bob', LOCAL, '@Bob https://social.example/@bob'],
    ['@bobby hello', LOCAL, '@Bob @bobby hello'],
  ] as const)('in front of %j', async ([text, account, status]) => {
    expect(await reply(text, { account })).toMatchObject({ status, in_reply_to_id: '8' });
  });

  test.for([
    ['Hello @bob!', LOCAL],
    ['hello @BOB', LOCAL],
    ['hello @bob@social.example', LOCAL],
    ['hello @Bob@Far.Example.', FAR],
  ] as const)('once, if the text is %j', async ([text, account]) => {
    expect(await reply(text, { account })).toMatchObject({ status: text });
  });

  test('of a boosted post, not the account that boosted it', async () => {
    expect(await reply('Hello', { account: FAR, reblog: statusRow('7', { account: LOCAL }) })).toMatchObject({ status: '@Bob Hello' });
  });
});

describe('a reply to the account itself', () => {
  test('mentions no one', async () => {
    expect(await reply('Part 2', { account: MINE, mentions: [BOB] })).toMatchObject({ status: 'Part 2' });
  });

  test.for(['private', 'direct'] as const)('keeps the readers of a %s post', async (visibility) => {
    expect(await reply('Part 2', { account: MINE, visibility, mentions: [SELF, BOB] })).toMatchObject({
      status: '@bob Part 2',
      visibility,
    });
  });
});

describe('a reply is never more visible than the original post', () => {
  test.for([
    ['public', undefined, undefined],
    ['public', 'unlisted', 'unlisted'],
    ['unlisted', 'public', 'unlisted'],
    ['unlisted', 'followers', 'private'],
    ['private', 'public', 'private'],
    ['private', 'unlisted', 'private'],
    ['private', 'direct', 'direct'],
    ['direct', 'public', 'direct'],
    ['direct', 'followers', 'direct'],
    ['unlisted', undefined, 'unlisted'],
    ['private', undefined, 'private'],
    ['direct', undefined, 'direct'],
    ['mutuals_only', 'unlisted', 'private'],
  ] as const)('%s, with the requested visibility %s', async ([shown, visibility, sent]) => {
    const body = await reply('Hello', { account: LOCAL, visibility: shown }, visibility && { visibility });

    expect(body).toEqual({ status: '@Bob Hello', in_reply_to_id: '8', ...(sent && { visibility: sent }) });
  });

  test('nor than the default visibility of the account', async () => {
    const me: Exchange = [
      'GET /api/v1/accounts/verify_credentials',
      { json: accountRow('1', 'fanfare', { source: { privacy: 'private' } }) },
    ];

    expect(await reply('Hello', { account: LOCAL, visibility: 'unlisted' }, { me })).toMatchObject({ visibility: 'private' });
  });
});

test('a reply is not sent if the original post cannot be read', async () => {
  await using scripted = await scriptMastodon([describes(), ['GET /api/v1/statuses/8', { status: 404, json: {} }]]);

  await expect(scripted.social.createPost('Hello', { replyTo: '8' })).rejects.toMatchObject({ fault: 'missing' });
});

describe('a lost reply', () => {
  const since = new Date('2026-11-20T18:00:00Z');
  const longAgo = statusRow('1', { created_at: '2026-11-19T17:00:00Z' });
  const shown = (content: string, row: object = {}): object =>
    statusRow('9', { account: MINE, content, in_reply_to_id: '8', mentions: [BOB], created_at: '2026-11-20T18:00:01Z', ...row });
  const list = (row: object): Exchange => ['GET /api/v1/accounts/1/statuses?limit=40&exclude_reblogs=true', { json: [row, longAgo] }];
  const link = '<a href="https://social.example/@bob" class="u-url mention">@<span>bob</span></a>';

  async function recover(steps: readonly Exchange[]): Promise<unknown> {
    await using scripted = await scriptMastodon(steps);
    const params = createPost.declared.params.parse({ text: 'Hello', replyTo: '8' });
    return await scripted.platform.recover?.createPost?.(params, { key: 'k', since, taken: new Set() });
  }

  test('is found with its mention', async () => {
    const steps = [original({ account: LOCAL }), ME, describes(), list(shown(`<p>${link} Hello</p>`))];

    expect(await recover(steps)).toMatchObject({ found: { id: '9' } });
  });

  test('is found after the original post was deleted', async () => {
    const gone: Exchange = ['GET /api/v1/statuses/8', { status: 404, json: {} }];

    expect(await recover([gone, ME, list(shown(`<p>${link} Hello</p>`))])).toMatchObject({ found: { id: '9' } });
  });

  test('is not found in a reply with another text', async () => {
    const source: Exchange = ['GET /api/v1/statuses/9/source', { json: { id: '9', text: '@bob Bye' } }];
    const steps = [original({ account: LOCAL }), ME, describes(), list(shown(`<p>${link} Bye</p>`)), source];

    expect(await recover(steps)).toBe('absent');
  });
});

describe('an edit of a reply', () => {
  const edit = async (text: string, row: object): Promise<object> => {
    const stored: Exchange = ['GET /api/v1/statuses/9', { json: statusRow('9', { account: MINE, in_reply_to_id: '8', ...row }) }];
    const changed: Exchange = ['PUT /api/v1/statuses/9', { json: statusRow('9') }];
    const isPlain = !('mentions' in row) || 'in_reply_to_account_id' in row === false;
    await using scripted = await scriptMastodon([stored, ...(isPlain ? [] : [describes()]), changed]);
    await scripted.social.editPost('9', text);
    return sentBy(scripted);
  };

  test('keeps the mention of the author', async () => {
    const row = { in_reply_to_account_id: '2', mentions: [BOB] };

    expect(await edit('Hello again', row)).toMatchObject({ status: '@bob Hello again' });
    expect(await edit('Hello again, @bob', row)).toMatchObject({ status: 'Hello again, @bob' });
  });

  test('keeps the readers of a direct thread', async () => {
    const row = { in_reply_to_account_id: '1', visibility: 'direct', mentions: [BOB] };

    expect(await edit('Part 2', row)).toMatchObject({ status: '@bob Part 2' });
  });

  test('keeps the readers of a thread whose first post is deleted', async () => {
    const row = { in_reply_to_id: null, in_reply_to_account_id: '1', visibility: 'private', mentions: [BOB] };

    expect(await edit('Part 2', row)).toMatchObject({ status: '@bob Part 2' });
  });

  test('adds no mention', async () => {
    expect(await edit('Hello', {})).toMatchObject({ status: 'Hello' });
  });
});

test('only the author of a direct question gets the answer', async () => {
  await using fixture = await openMastodon();
  const [grace, ada] = await Promise.all(['grace', 'ada'].map(async (name) => fixture.as?.(name)));
  const question = await grace?.createPost('@fanfare when is the next stream?', { visibility: 'direct' });

  const answer = await fixture.social.createPost('On Friday!', { replyTo: question?.id, visibility: 'unlisted' });

  expect(answer).toMatchObject({ visibility: 'direct', text: '@grace On Friday!' });
  await expect(grace?.postDetail(answer.id)).resolves.toMatchObject({ id: answer.id });
  await expect(ada?.postDetail(answer.id)).rejects.toMatchObject({ fault: 'missing' });
});

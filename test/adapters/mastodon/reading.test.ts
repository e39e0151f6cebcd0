import { describe, expect, test } from 'vitest';
import type { SocialAsync } from '#src/clients/social/social.ts';
import type { Exchange } from '../../support/script-http.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { accountRow, describes, ME, scriptMastodon, statusRow } from './script-mastodon.ts';

const LOOKUP = ['GET /api/v1/accounts/lookup?acct=ada', { json: accountRow('2', 'ada') }] as const;

describe('a status', () => {
  test('becomes a post', async () => {
    await using scripted = await scriptMastodon([['GET /api/v1/statuses/9', { json: statusRow('9') }]]);

    expect(await scripted.social.postDetail('9')).toEqual({
      platform: 'mastodon',
      id: '9',
      url: 'https://social.example/@ada/9',
      author: { platform: 'mastodon', id: '2', url: 'https://social.example/@ada', handle: 'ada', displayName: 'ADA', bot: false },
      text: 'Hello',
      entities: [],
      language: 'en',
      createdAt: new Date('2026-11-20T17:00:00Z'),
      conversationId: '9',
      media: [],
      sensitive: false,
      visibility: 'public',
      replyAudience: 'everyone',
      counts: { likes: 3, reposts: 2, replies: 1, quotes: 0 },
      viewer: { liked: false, reposted: false, bookmarked: false, pinned: false },
      fetchedAt: new Date('2026-11-20T18:00:00Z'),
    });
  });

  test('with only the required fields becomes a post', async () => {
    const bare = {
      id: '01JDEXAMPLEEXAMPLEEXAMPLE0',
      account: { id: 7, acct: 'ada@far.example', display_name: '', fields: null },
      content: null,
      created_at: '2026-11-20 02:14:17',
      visibility: 'mutuals_only',
      media_attachments: null,
      mentions: null,
      emojis: null,
    };
    await using scripted = await scriptMastodon([[`GET /api/v1/statuses/${bare.id}`, { json: bare }]]);

    expect(await scripted.social.postDetail(bare.id)).toMatchObject({
      id: bare.id,
      author: { id: '7', handle: 'ada@far.example', displayName: 'ada@far.example' },
      text: '',
      createdAt: new Date('2026-11-20T02:14:17Z'),
      visibility: 'followers',
      counts: { likes: 0, reposts: 0, replies: 0, quotes: 0 },
    });
  });

  test('with a content warning begins with the warning, and its entities are after it', async () => {
    const content = '<p>Hello <a href="https://example.org/">example.org</a></p>';
    const quote = { state: 'accepted', quoted_status: { id: '7', content: '<p>It ends</p>', spoiler_text: 'Ending' } };
    await using scripted = await scriptMastodon([
      ['GET /api/v1/statuses/9', { json: statusRow('9', { content, spoiler_text: 'Spoiler', quote }) }],
    ]);

    const post = await scripted.social.postDetail('9');

    expect(post).toMatchObject({
      text: 'Spoiler\n\nHello example.org',
      warning: 'Spoiler',
      quoted: { text: 'Ending\n\nIt ends', warning: 'Ending' },
    });
    expect(post.entities.map(({ start, end }) => post.text.slice(start, end))).toEqual(['example.org']);
  });

  test('that only followers read has no text in a quote, and its boost is for followers too', async () => {
    const quote = { state: 'accepted', quoted_status: { id: '7', content: '<p>Between us</p>', visibility: 'private' } };
    const reblog = statusRow('8', { content: '<p>Between us</p>', visibility: 'private' });
    await using scripted = await scriptMastodon([
      ['GET /api/v1/statuses/9', { json: statusRow('9', { quote }) }],
      ['GET /api/v1/statuses/10', { json: statusRow('10', { content: '', reblog, visibility: 'public' }) }],
    ]);

    expect((await scripted.social.postDetail('9')).quoted).toEqual({ postId: '7', state: 'accepted', text: undefined });
    expect(await scripted.social.postDetail('10')).toMatchObject({ text: 'Between us', visibility: 'followers' });
  });

  test('that is a boost has the text and counts of the boosted post, but its own author and time', async () => {
    const reblog = statusRow('8', { content: '<p>Read this</p>', account: accountRow('3', 'grace'), favourites_count: 99 });
    await using scripted = await scriptMastodon([['GET /api/v1/statuses/9', { json: statusRow('9', { content: '', reblog }) }]]);

    expect(await scripted.social.postDetail('9')).toMatchObject({
      id: '9',
      repostOf: '8',
      author: { handle: 'ada' },
      text: 'Read this',
      counts: { likes: 99 },
    });
  });

  test.for([
    ['has the quoted post', { quote: statusRow('8', { content: '<p>Quoted</p>' }) }, { postId: '8', state: 'accepted', text: 'Quoted' }],
    ['has an unavailable quote with the id', { quote: null }, { postId: '8', state: 'unavailable' }],
    [
      'has a pending quote from either field',
      { quote: { ...statusRow('8'), state: 'pending', quoted_status: null } },
      { postId: '8', state: 'pending' },
    ],
  ] as const)('of Akkoma with a quote: it %s', async ([, row, expected]) => {
    await using scripted = await scriptMastodon([['GET /api/v1/statuses/9', { json: statusRow('9', { quote_id: '8', ...row }) }]]);

    expect((await scripted.social.postDetail('9')).quoted).toEqual(expected);
  });

  test('of Akkoma with an unknown quote has an unavailable quote', async () => {
    await using scripted = await scriptMastodon([['GET /api/v1/statuses/9', { json: statusRow('9', { quote_id: '_', quote: null }) }]]);

    expect((await scripted.social.postDetail('9')).quoted).toEqual({ postId: '', state: 'unavailable' });
  });

  test.for([
    ['accepted', 'accepted'],
    ['pending', 'pending'],
    ['revoked', 'unavailable'],
    ['muted_account', 'blocked'],
    ['something new', 'unavailable'],
  ] as const)('with a quote: %s is %s', async ([state, expected]) => {
    const quoted_status = state === 'accepted' ? statusRow('8', { content: '<p>Quoted</p>' }) : null;
    const content = '<p class="quote-inline">RE: <a href="https://social.example/@ada/8">…</a></p><p>Look</p>';
    await using scripted = await scriptMastodon([
      ['GET /api/v1/statuses/9', { json: statusRow('9', { content, quote: { state, quoted_status } }) }],
    ]);

    const post = await scripted.social.postDetail('9');

    expect(post.text).toBe('Look');
    expect(post.quoted).toMatchObject({ state: expected, postId: quoted_status ? '8' : 'https://social.example/@ada/8' });
  });

  test('has its poll and its files', async () => {
    const row = statusRow('9', {
      poll: {
        id: 5,
        expires_at: null,
        expired: false,
        multiple: true,
        votes_count: 3,
        voters_count: null,
        options: [{ title: 'a', votes_count: null }],
        own_votes: null,
      },
      media_attachments: [
        {
          id: 1,
          type: 'gifv',
          url: 'https://files.example/1.mp4',
          preview_url: null,
          description: 'A cat',
          meta: { original: { width: 10, height: 20, duration: 1.5 } },
        },
        { id: '2', type: 'unknown', url: null, remote_url: 'https://far.example/2.xyz', meta: null },
      ],
    });
    await using scripted = await scriptMastodon([['GET /api/v1/statuses/9', { json: row }]]);

    const { poll, media } = await scripted.social.postDetail('9');

    expect(poll).toMatchObject({ id: '5', multiple: true, closed: false, totalVotes: 3, options: [{ index: 0, label: 'a' }] });
    expect(media).toMatchObject([
      { id: '1', kind: 'gif', altText: 'A cat', width: 10, height: 20, durationMs: 1500, state: 'ready' },
      { id: '2', kind: 'image', url: 'https://far.example/2.xyz', state: 'ready' },
    ]);
  });

  test('has only web addresses, because others would name local files', async () => {
    const local = '/home/ada/private.png';
    const row = statusRow('9', {
      url: 'javascript:alert(1)',
      account: { ...accountRow('2', 'ada'), avatar: local, header: 'file:///etc/passwd' },
      media_attachments: [{ id: '1', type: 'image', url: local, preview_url: local, remote_url: local }],
    });
    await using scripted = await scriptMastodon([['GET /api/v1/statuses/9', { json: row }]]);

    const post = await scripted.social.postDetail('9');

    expect(post.media).toMatchObject([{ id: '1', url: undefined, previewUrl: undefined }]);
    expect(JSON.stringify(post)).not.toMatch(/private|javascript|file:/);
  });

  test('at an address with invalid encoding is requested unchanged', async () => {
    await using scripted = await scriptMastodon([['GET /api/v1/statuses/%25zz', { json: statusRow('9') }]]);

    expect((await scripted.social.postDetail(`${scripted.server.url}/@ada/%zz`)).id).toBe('9');
  });

  test('of another server is found by its address through the search', async () => {
    const url = 'https://far.example/@grace/8';
    await using scripted = await scriptMastodon([
      [
        `GET /api/v2/search?q=${encodeURIComponent(url)}&type=statuses&resolve=true&limit=1`,
        { json: { accounts: null, statuses: [statusRow('9')] } },
      ],
    ]);

    expect((await scripted.social.postDetail(url)).id).toBe('9');
  });
});

describe('a search for an address', () => {
  const url = 'https://far.example/@grace/8';
  const finds = (row: object) =>
    [
      `GET /api/v2/search?q=${encodeURIComponent(url)}&type=statuses&resolve=true&limit=1`,
      { json: { statuses: [statusRow('9', row)] } },
    ] as const;
  const content = `<p>Look: <a href="${url}">${url}</a></p>`;

  test('does not find a post that only contains it', async () => {
    await using scripted = await scriptMastodon([finds({ content })]);

    await expect(scripted.social.postDetail(url)).rejects.toMatchObject({ fault: 'missing' });
  });

  test('finds the post at it, even if the post contains its address', async () => {
    await using scripted = await scriptMastodon([
      finds({ content, url }),
      finds({ content, uri: url }),
      finds({ content: '<p>Hello</p>' }),
    ]);

    for (const _ of ['url', 'uri', 'neither']) expect((await scripted.social.postDetail(url)).id).toBe('9');
  });
});

describe('a list', () => {
  test('continues at the address that the server states, on any domain', async () => {
    await using scripted = await scriptMastodon([
      LOOKUP,
      [
        'GET /api/v1/accounts/2/statuses?limit=40&exclude_replies=true',
        {
          json: [statusRow('9')],
          headers: { link: '<http://puma:3000/api/v1/accounts/2/statuses?limit=40&exclude_replies=true&max_id=9>; rel="next"' },
        },
      ],
      ['GET /api/v1/accounts/2/statuses?limit=40&exclude_replies=true&max_id=9', { json: [statusRow('8')] }],
    ]);

    const posts = await scripted.social.getPosts('ada', { pages: 'all', waitTime: 0 });

    expect(posts.items.map(({ id }) => id)).toEqual(['9', '8']);
    expect(posts.hasNext).toBe(false);
  });

  test('that is null is empty', async () => {
    await using scripted = await scriptMastodon([['GET /api/v1/bookmarks?limit=40', { json: null }]]);

    expect((await scripted.social.getBookmarks()).length).toBe(0);
  });

  test('of notifications has only the requested kind', async () => {
    await using scripted = await scriptMastodon([
      [
        'GET /api/v1/notifications?types%5B%5D=mention&limit=40',
        {
          json: [
            { type: 'favourite', status: statusRow('7') },
            { type: 'mention', status: statusRow('8') },
            { type: 'mention', status: null },
          ],
        },
      ],
    ]);

    const mentions = await scripted.social.getMentions();

    expect(mentions.items.map(({ id }) => id)).toEqual(['8']);
  });
});

describe('a user', () => {
  test('has the relation to the signed-in account', async () => {
    await using scripted = await scriptMastodon([
      LOOKUP,
      ME,
      [
        'GET /api/v1/accounts/relationships?id%5B%5D=2',
        { json: [{ id: '2', following: false, requested: true, followed_by: true, blocking: false, blocked_by: false, notifying: null }] },
      ],
    ]);

    expect(await scripted.social.getUserInfo('@ada')).toMatchObject({
      id: '2',
      handle: 'ada',
      bio: 'Plays chess.',
      followerCount: 3,
      verified: 'none',
      viewer: { following: false, followedBy: true, blocking: false, notifying: false, canDm: true },
    });
  });

  test('of another server is fetched', async () => {
    const grace = accountRow('3', 'grace', { acct: 'grace@far.example' });
    await using scripted = await scriptMastodon([
      ['GET /api/v1/accounts/lookup?acct=grace%40far.example', { status: 404, json: { error: 'Record not found' } }],
      ['GET /api/v1/accounts/search?q=grace%40far.example&resolve=true&limit=5', { json: [grace] }],
    ]);

    expect(await scripted.social.getUserId('@grace@far.example')).toBe('3');
  });

  test.for([
    ['@grace', 'grace'],
    ['users/grace', 'grace'],
    ['@grace@far.example', 'grace%40far.example'],
  ] as const)('at an address of this server is looked up by name: %s', async ([path, acct]) => {
    await using scripted = await scriptMastodon([[`GET /api/v1/accounts/lookup?acct=${acct}`, { json: accountRow('3', 'grace') }]]);

    expect(await scripted.social.getUserId(`${scripted.server.url}/${path}`)).toBe('3');
  });

  test('at an address of another server is only the user at this address', async () => {
    const found = (url: string, accounts: readonly object[] | null) =>
      [`GET /api/v2/search?q=${encodeURIComponent(url)}&type=accounts&resolve=true&limit=2`, { json: { accounts } }] as const;
    const at = (name: string): string => `https://far.example/${name}`;
    const [grace, adas, nobody, other, gone] = [at('users/grace'), at('@ada'), at('@nobody'), at('@other'), at('@Gone')];
    await using scripted = await scriptMastodon([
      found(grace, [accountRow('3', 'grace', { url: 'https://far.example/@grace' })]),
      found(adas, [accountRow('4', 'far_ada', { url: at('@far_ada') }), accountRow('5', 'adaline', { url: at('@adaline') })]),
      found(nobody, null),
      found(other, [accountRow('6', 'other')]),
      found(gone, [accountRow('7', 'ada@far.example', { username: 'ada', url: at('users/ada') })]),
      found(gone, [accountRow('8', 'gone@far.example', { username: 'gone', url: at('users/gone') })]),
    ]);

    expect(await scripted.social.getUserId(grace)).toBe('3');
    await expect(scripted.social.getUserId(adas)).rejects.toMatchObject({ fault: 'missing' });
    await expect(scripted.social.getUserId(nobody)).rejects.toMatchObject({ fault: 'missing' });
    await expect(scripted.social.getUserId(other)).rejects.toMatchObject({ fault: 'missing' });
    await expect(scripted.social.getUserId(gone)).rejects.toMatchObject({ fault: 'missing' });
    expect(await scripted.social.getUserId(gone)).toBe('8');
  });

  test('is read with a hundred others in batches', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => String(index + 100));
    const batch = (some: readonly string[]) => `${some.map((id) => `id%5B%5D=${id}`).join('&')}`;
    const parts = [ids.slice(0, 40), ids.slice(40, 80), ids.slice(80)];
    const reads = (path: string, toRow: (id: string) => object) => ({
      together: parts.map((some) => [`GET ${path}?${batch(some)}`, { json: some.map(toRow) }] as const),
    });
    await using scripted = await scriptMastodon([
      describes(),
      reads('/api/v1/accounts', (id) => accountRow(id, `u${id}`)),
      ME,
      reads('/api/v1/accounts/relationships', (id) => ({ id })),
    ]);

    expect((await scripted.social.getUserInfo(ids)).map(({ id }) => id)).toEqual(ids);
  });

  test.for([
    ['without an account', [null, null], 'missing', 'mastodon has no user "grace": check the spelling'],
    ['that is suspended', [accountRow('3', 'grace', { suspended: true })], 'forbidden', 'mastodon: the server has suspended user "grace".'],
  ] as const)('%s fails a list of users, and is not left out', async ([, found, fault, message]) => {
    const lines = [
      'GET /api/v1/accounts/lookup?acct=grace',
      'GET /api/v1/accounts/search?q=grace&resolve=false&limit=5',
      'GET /api/v1/accounts/grace',
    ];
    const gone = { status: 404, json: { error: 'Record not found' } };
    const answers = lines.slice(0, found.length === 1 ? 1 : 3).map((line) => [line, found[0] ? { json: found[0] } : gone] as const);
    await using scripted = await scriptMastodon([describes(), ...answers]);

    await expect(scripted.social.getUserInfo(['grace'])).rejects.toMatchObject({ fault, message: expect.stringContaining(message) });
  });

  test.for([
    ['suspends', { suspended: true }, {}, 'mastodon: the server has suspended user "2".'],
    ['does not show because the user has blocked the account', {}, { blocked_by: true }, 'mastodon: user "2" has blocked this account.'],
  ] as const)('whom the server %s has no empty lists', async ([, row, relationship, message]) => {
    const reads: readonly (readonly [string, (social: SocialAsync) => PromiseLike<unknown>])[] = [
      ['statuses?limit=40&exclude_replies=true', (social) => social.getPosts('2')],
      ['statuses?limit=40', (social) => social.getPosts('2', { replies: true })],
      ['statuses?limit=40&only_media=true&exclude_reblogs=true', (social) => social.getUserMedia('2')],
      ['statuses?limit=40&pinned=true', (social) => social.getUserHighlights('2')],
      ['followers?limit=80', (social) => social.getUserFollowers('2')],
      ['following?limit=80', (social) => social.getUserFollowings('2')],
    ];
    const account: Exchange = ['GET /api/v1/accounts/2', { json: accountRow('2', 'grace', row) }];
    const relationships: Exchange = ['GET /api/v1/accounts/relationships?id%5B%5D=2', { json: [{ id: '2', ...relationship }] }];
    const why = { together: [account, relationships] };
    await using scripted = await scriptMastodon([
      account,
      ...reads.flatMap(([line], index) => [[`GET /api/v1/accounts/2/${line}`, { json: [] }] as const, ...(index === 0 ? [ME] : []), why]),
    ]);

    for (const [, read] of reads) await expect(read(scripted.social)).rejects.toMatchObject({ fault: 'forbidden', message });
  });

  test('who approves followers is requested, which succeeds', async () => {
    await using scripted = await scriptMastodon([
      LOOKUP,
      ['GET /api/v1/accounts/relationships?id%5B%5D=2', { json: [{ id: '2', following: false }] }],
      ['POST /api/v1/accounts/2/follow', { json: { id: '2', following: false, requested: true } }],
    ]);

    expect((await scripted.social.followUser('ada')).viewer?.following).toBe(false);
  });

  test('has notifications only if followed, because the request would follow them', async () => {
    await using scripted = await scriptMastodon([
      LOOKUP,
      ['GET /api/v1/accounts/relationships?id%5B%5D=2', { json: [{ id: '2', following: false }] }],
    ]);

    await expect(scripted.social.enableUserNotification('ada')).rejects.toMatchObject({
      fault: 'rejected',
      message: expect.stringContaining('follow ada first'),
    });
  });
});

describe('an invalid response', () => {
  test.for([
    ['a web page', { text: '<html>Maintenance</html>' }, 'malformed'],
    ['nothing', { text: '' }, 'malformed'],
    ['a way elsewhere', { status: 301, headers: { location: 'https://other.example' } }, 'malformed'],
    ['a page in front of the server', { status: 502, text: '<html>nginx</html>' }, 'unavailable'],
    ['something that is gone', { status: 410, json: { error: 'Gone' } }, 'missing'],
  ] as const)('%s has the right fault', async ([, reply, fault]) => {
    const times = fault === 'unavailable' ? 3 : 1;
    await using scripted = await scriptMastodon(Array.from({ length: times }, () => ['GET /api/v1/statuses/9', reply] as const));

    const error: unknown = await whileSleeping(
      scripted.clock,
      scripted.social.postDetail('9').catch((reason: unknown) => reason),
    );

    expect(error).toMatchObject({ name: 'PlatformError', fault });
    expect(String(error)).not.toMatch(/nginx|Maintenance|tr0ub4dor/);
  });
});

import { describe, expect, test } from 'vitest';
import { createPost } from '#src/clients/social/posts.ts';
import type { Exchange, Reply } from '../../support/script-http.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { describes, ME, scriptMastodon, statusRow, type ScriptedMastodon } from './script-mastodon.ts';

const since = new Date('2026-11-20T18:00:00Z');
const lost = { key: 'k', since, taken: new Set<string>() };
const STATUSES = 'GET /api/v1/accounts/1/statuses?limit=40&exclude_reblogs=true';
const at = (id: string, row: object = {}): object => statusRow(id, { created_at: '2026-11-20T18:00:01Z', ...row });
/** The status that ends the search. */
const longAgo = statusRow('1', { content: '<p>Hello</p>', created_at: '2026-11-19T17:00:00Z' });

async function recover(scripted: ScriptedMastodon, params: object, options = lost): Promise<unknown> {
  return scripted.platform.recover?.createPost?.(createPost.declared.params.parse(params), options);
}

describe('a lost post', () => {
  test('is the post with the same text, parent and number of files', async () => {
    const rows = [
      at('14', { content: '<p>Hello</p>', in_reply_to_id: '3' }),
      at('13', { content: '<p>Hello</p>', visibility: 'direct' }),
      at('12', { content: '<p>Hello</p>' }),
      at('11', { content: '<p>Hello</p>' }),
      at('10', { content: '<p>Hello</p>', media_attachments: [{ id: '1', type: 'image' }] }),
      longAgo,
    ];
    await using scripted = await scriptMastodon([ME, [STATUSES, { json: rows }], [STATUSES, { json: rows }], [STATUSES, { json: rows }]]);

    expect(await recover(scripted, { text: 'Hello' })).toMatchObject({ found: { id: '11' } });
    expect(await recover(scripted, { text: 'Hello' }, { ...lost, taken: new Set(['11']) })).toMatchObject({ found: { id: '12' } });
    expect(await recover(scripted, { text: 'Hello' }, { ...lost, taken: new Set(['11', '12']) })).toBe('absent');
  });

  test('is recognized by its source if the server shows it differently', async () => {
    await using scripted = await scriptMastodon([
      ME,
      [STATUSES, { json: [at('12', { content: '<p><strong>Hello</strong> 🙂</p>' }), longAgo] }],
      ['GET /api/v1/statuses/12/source', { json: { id: '12', text: '**Hello** :)', spoiler_text: '' } }],
    ]);

    expect(await recover(scripted, { text: '**Hello** :)' })).toMatchObject({ found: { id: '12' } });
  });

  test('stays open beside a post without a source', async () => {
    await using scripted = await scriptMastodon([
      ME,
      [STATUSES, { json: [at('12', { content: '<p><strong>Hello</strong> 🙂</p>' }), longAgo] }],
      ['GET /api/v1/statuses/12/source', { status: 404, json: { error: 'Not Found' } }],
    ]);

    expect(await recover(scripted, { text: '**Hello** :)' })).toBe('cannotTell');
  });

  test('is recognized by its poll, without the spaces around options that servers remove', async () => {
    const poll = { id: '6', expires_at: null, options: [{ title: 'Yes' }, { title: 'No' }] };
    await using scripted = await scriptMastodon([ME, [STATUSES, { json: [at('12', { content: '<p>Hello</p>', poll }), longAgo] }]]);

    const recovery = await recover(scripted, { text: 'Hello', poll: { options: [' Yes', 'No ', ' '], durationMinutes: 60 } });

    expect(recovery).toMatchObject({ found: { id: '12' } });
  });

  test('that answers a boost is recognized by the reply to the boosted post', async () => {
    await using scripted = await scriptMastodon([
      ['GET /api/v1/statuses/8', { json: statusRow('8', { reblog: statusRow('7') }) }],
      ME,
      describes(),
      [STATUSES, { json: [at('12', { content: '<p>@ada Hello</p>', in_reply_to_id: '7' }), longAgo] }],
    ]);

    expect(await recover(scripted, { text: 'Hello', replyTo: '8' })).toMatchObject({ found: { id: '12' } });
  });

  test('that answers a deleted post is recognized by its text', async () => {
    await using scripted = await scriptMastodon([
      ['GET /api/v1/statuses/8', { status: 404, json: { error: 'Record not found' } }],
      ME,
      [STATUSES, { json: [at('12', { content: '<p>Hello</p>', in_reply_to_id: '8' }), longAgo] }],
    ]);

    expect(await recover(scripted, { text: 'Hello', replyTo: '8' })).toMatchObject({ found: { id: '12' } });
  });

  test('stays open if a newer post is unreadable', async () => {
    const rows = [at('13', { account: { id: '1', acct: null } }), at('12', { content: '<p>Bye</p>' }), longAgo];
    const source = ['GET /api/v1/statuses/12/source', { json: { id: '12', text: 'Bye' } }] as const;
    await using scripted = await scriptMastodon([ME, [STATUSES, { json: rows }], source, [STATUSES, { json: rows }]]);

    expect(await recover(scripted, { text: 'Hello' })).toBe('cannotTell');
    expect(await recover(scripted, { text: 'Bye' })).toMatchObject({ found: { id: '12' } });
  });

  describe('with an unreadable newer post', () => {
    const unreadable = { content: '<p>Hello</p>', account: { id: '1', acct: null } };
    const source = (id: string): Exchange => [`GET /api/v1/statuses/${id}/source`, { json: { text: 'Bye' } }];

    test.for([
      ['is from before', { created_at: '2026-11-19T17:00:00Z' }],
      ['is private', { visibility: 'direct' }],
      ['is a reply', { in_reply_to_id: '3' }],
      ['has a file', { media_attachments: [{ id: '1' }] }],
      ['has a poll', { poll: { options: [{ title: 'Yes' }] } }],
      ['is a quote', { quote: { state: 'accepted' } }],
      ['is the record of another delivery', { id: '7' }],
    ] as const)('is absent if that post %s', async ([, row]) => {
      await using scripted = await scriptMastodon([ME, [STATUSES, { json: [at('13', { ...unreadable, ...row }), longAgo] }]]);

      expect(await recover(scripted, { text: 'Hello' }, { ...lost, taken: new Set(['7']) })).toBe('absent');
    });

    test('is absent if that post has another text', async () => {
      const rows = [at('13', { ...unreadable, content: '<p>Bye</p>' }), at('12', { content: '<p>Bye</p>' }), longAgo];
      await using scripted = await scriptMastodon([ME, [STATUSES, { json: rows }], source('12'), source('13')]);

      expect(await recover(scripted, { text: 'Hello' })).toBe('absent');
    });

    test.for([
      ['any field', 'not a status'],
      ['the text of that post', at('13', { content: { html: 'Hello' } })],
      ['its number of files, if its text is the same', at('13', { content: '<p>Hello</p>', media_attachments: 'some' })],
    ] as const)('stays open without %s', async ([, row]) => {
      const asked: Exchange[] =
        row === 'not a status' || JSON.stringify(row).includes('some')
          ? []
          : [['GET /api/v1/statuses/13/source', { status: 404, json: {} }]];
      await using scripted = await scriptMastodon([ME, [STATUSES, { json: [row, longAgo] }], ...asked]);

      expect(await recover(scripted, { text: 'Hello' })).toBe('cannotTell');
    });
  });

  describe('with too many newer posts', () => {
    const page = { json: [at('12', { content: '<p>other</p>' })], headers: { link: '<https://social.example/x?max_id=12>; rel="next"' } };
    const pages: readonly Exchange[] = [ME, [STATUSES, page], ...Array.from({ length: 9 }, () => [`${STATUSES}&max_id=12`, page] as const)];
    const compatible: readonly Exchange[] = [
      ['GET /api/v2/instance', { status: 404, json: {} }],
      ['GET /api/v1/instance', { json: { uri: 'social.example', version: '2.7.2 (compatible; Pleroma 2.6.0)' } }],
    ];

    test.for([
      ['is repeated on Mastodon within an hour, because Mastodon deduplicates by the key', [describes()], 54, 'absent'],
      ['stays open on another server, which may ignore the key', compatible, 54, 'cannotTell'],
      ['stays open after almost an hour', [], 56, 'cannotTell'],
    ] as const)('%s', async ([, asked, minutes, outcome]) => {
      await using scripted = await scriptMastodon([...pages, ...asked]);
      scripted.clock.set(since.getTime() + minutes * 60_000);

      expect(await recover(scripted, { text: 'Hello' })).toBe(outcome);
    });
  });
});

describe('a lost post, with a clock ahead of the server', () => {
  const earlier = (row: object = {}): object => statusRow('9', { content: '<p>Hello</p>', created_at: '2026-11-20T17:58:30Z', ...row });

  test('stays open if the account posted the same text shortly before', async () => {
    await using scripted = await scriptMastodon([ME, [STATUSES, { json: [earlier(), longAgo] }]]);

    expect(await recover(scripted, { text: 'Hello' })).toBe('cannotTell');
  });

  test.for([
    ['has another text', { content: '<p>Bye</p>' }, lost],
    ['has a file', { media_attachments: [{ id: '1', type: 'image' }] }, lost],
    ['is the record of another delivery', {}, { ...lost, taken: new Set(['9']) }],
  ] as const)('is absent if the earlier post %s', async ([, row, options]) => {
    await using scripted = await scriptMastodon([ME, [STATUSES, { json: [earlier(row), longAgo] }]]);

    expect(await recover(scripted, { text: 'Hello' }, options)).toBe('absent');
  });

  test('is searched for on two more pages', async () => {
    const page = (id: string, content: string, next: string): Reply => ({
      json: [earlier({ id, content })],
      headers: { link: `<https://social.example/x?max_id=${next}>; rel="next"` },
    });
    const pages = (last: string): readonly Exchange[] => [
      [STATUSES, page('30', '<p>one</p>', '30')],
      [`${STATUSES}&max_id=30`, page('20', '<p>two</p>', '20')],
      [`${STATUSES}&max_id=20`, page('10', last, '10')],
    ];
    await using scripted = await scriptMastodon([ME, ...pages('<p>Hello</p>'), ...pages('<p>three</p>')]);

    expect(await recover(scripted, { text: 'Hello' })).toBe('cannotTell');
    expect(await recover(scripted, { text: 'Hello' })).toBe('absent');
  });
});

describe('a lost post that was edited since', () => {
  const edited = (row: object = {}): object => at('9', { content: '<p>Hello, all</p>', edited_at: '2026-11-20T18:10:00Z', ...row });
  const history = 'GET /api/v1/statuses/9/history';
  const source: Exchange = ['GET /api/v1/statuses/9/source', { json: { id: '9', text: 'Hello, all' } }];
  const versions = (...contents: readonly string[]): object[] =>
    contents.map((content, index) => ({ content: `<p>${content}</p>`, created_at: `2026-11-20T18:0${index}:01Z`, media_attachments: [] }));

  test('is recognized by its first version', async () => {
    const rows = [STATUSES, { json: [edited(), longAgo] }] as const;
    await using scripted = await scriptMastodon([ME, rows, [history, { json: versions('Hello', 'Hello, al', 'Hello, all') }]]);

    expect(await recover(scripted, { text: 'Hello' })).toMatchObject({ found: { id: '9', text: 'Hello, all' } });
  });

  test('is recognized by its first poll and files', async () => {
    const [first, ...later] = versions('Hello', 'Hello, all');
    const stood = { ...first, poll: { options: [{ title: 'Yes' }, { title: 'No' }] } };
    const rows = [STATUSES, { json: [edited({ media_attachments: [{ id: '5', type: 'image' }] }), longAgo] }] as const;
    await using scripted = await scriptMastodon([ME, rows, [history, { json: [stood, ...later] }]]);

    const recovery = await recover(scripted, { text: 'Hello', poll: { options: ['Yes', 'No'], durationMinutes: 60 } });

    expect(recovery).toMatchObject({ found: { id: '9' } });
  });

  describe('on GoToSocial, with polls without ids in the history', () => {
    const poll = (...titles: readonly string[]): object => ({
      id: '',
      expires_at: null,
      multiple: false,
      votes_count: 0,
      options: titles.map((title) => ({ title, votes_count: null })),
    });
    const rows = [STATUSES, { json: [edited({ poll: { ...poll('Red', 'Green'), id: '01A' } }), longAgo] }] as const;
    const stood = versions('Hello', 'Hello, all').map((version, index) => ({
      ...version,
      poll: poll('Red', index === 0 ? 'Blue' : 'Green'),
    }));
    const answers = (...options: readonly string[]): object => ({ text: 'Hello', poll: { options, durationMinutes: 60 } });

    test('is recognized by its first poll', async () => {
      await using scripted = await scriptMastodon([ME, rows, [history, { json: stood }]]);

      expect(await recover(scripted, answers('Red', 'Blue'))).toMatchObject({ found: { id: '9' } });
    });

    test('is absent if the edited poll is different', async () => {
      await using scripted = await scriptMastodon([ME, rows, [history, { json: stood }], describes()]);

      expect(await recover(scripted, answers('Yes', 'No'))).toBe('absent');
    });

    test('is absent without a poll', async () => {
      await using scripted = await scriptMastodon([ME, rows, [history, { json: stood }]]);

      expect(await recover(scripted, { text: 'Something else' })).toBe('absent');
    });
  });

  test('is absent beside an edited reply without a history', async () => {
    await using scripted = await scriptMastodon([ME, [STATUSES, { json: [edited({ in_reply_to_id: '3' }), longAgo] }]]);

    expect(await recover(scripted, { text: 'Hello' })).toBe('absent');
  });

  test('is absent beside another edited post', async () => {
    const rows = [STATUSES, { json: [edited(), longAgo] }] as const;
    await using scripted = await scriptMastodon([ME, rows, [history, { json: versions('Hi', 'Hello, all') }], source]);

    expect(await recover(scripted, { text: 'Hello' })).toBe('absent');
  });

  test('stays open if the server shows texts differently', async () => {
    const rows = [STATUSES, { json: [edited({ content: '<p>Hello <b>all</b> 🙂</p>' }), longAgo] }] as const;
    const written: Exchange = ['GET /api/v1/statuses/9/source', { json: { id: '9', text: 'Hello *all* :)' } }];
    await using scripted = await scriptMastodon([ME, rows, [history, { json: versions('Hello', 'Hello all') }], written]);

    expect(await recover(scripted, { text: 'Hello :)' })).toBe('cannotTell');
  });

  test.for([
    ['has no history of posts', { status: 404, json: { error: 'Record not found' } }],
    ['keeps the last version only', { json: versions('Hello, all') }],
  ] as const)('stays open if the server %s', async ([, reply]) => {
    const rows = [STATUSES, { json: [edited(), longAgo] }] as const;
    await using scripted = await scriptMastodon([ME, rows, [history, reply], source]);

    expect(await recover(scripted, { text: 'Hello' })).toBe('cannotTell');
  });
});

describe('a lost post, on a server without links to next pages', () => {
  test('is searched for after the last post of the page', async () => {
    const rows = Array.from({ length: 40 }, (_, index) => at(String(60 - index), { in_reply_to_id: '3' }));
    const found = at('20', { content: '<p>Hello</p>' });
    await using scripted = await scriptMastodon([ME, [STATUSES, { json: rows }], [`${STATUSES}&max_id=21`, { json: [found, longAgo] }]]);

    expect(await recover(scripted, { text: 'Hello' })).toMatchObject({ found: { id: '20' } });
  });

  test('is absent without further posts', async () => {
    await using scripted = await scriptMastodon([
      ME,
      [STATUSES, { json: [at('21', { in_reply_to_id: '3' })] }],
      [`${STATUSES}&max_id=21`, { json: [] }],
    ]);

    expect(await recover(scripted, { text: 'Hello' })).toBe('absent');
  });

  test('is found if the server returns the same posts again', async () => {
    const page = { json: [at('22', { content: '<p>Hello</p>' }), at('21', { in_reply_to_id: '3' })] };
    const again = [[STATUSES, page] as const, [`${STATUSES}&max_id=21`, page] as const];
    await using scripted = await scriptMastodon([ME, ...again, ...again]);

    expect(await recover(scripted, { text: 'Hello' })).toMatchObject({ found: { id: '22' } });
    expect(await recover(scripted, { text: 'Hello' }, { ...lost, taken: new Set(['22']) })).toBe('cannotTell');
  });
});

describe('a lost post, while a proxy responds for the server', () => {
  const away = { status: 404, text: '404 page not found', headers: { 'content-type': 'text/plain' } };
  const thrice = (line: string): readonly Exchange[] => [line, line, line].map((one) => [one, away]);

  test.for([
    ['the signed-in account', thrice('GET /api/v1/accounts/verify_credentials')],
    ['its posts', [ME, ...thrice(STATUSES)]],
  ] as const)('is reconciled later without %s', async ([, steps]) => {
    await using scripted = await scriptMastodon(steps);

    await expect(whileSleeping(scripted.clock, recover(scripted, { text: 'Hello' }))).rejects.toMatchObject({ fault: 'unavailable' });
  });
});

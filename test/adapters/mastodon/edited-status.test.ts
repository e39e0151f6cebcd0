import { describe, expect, test } from 'vitest';
import { createPost } from '#src/clients/social/posts.ts';
import type { Exchange } from '../../support/script-http.ts';
import { ME, scriptMastodon, statusRow } from './script-mastodon.ts';

const since = new Date('2026-11-20T18:00:00Z');
const STATUSES = 'GET /api/v1/accounts/1/statuses?limit=40&exclude_reblogs=true';
const longAgo = statusRow('1', { created_at: '2026-11-19T17:00:00Z' });
const mention = '<span class="h-card"><a href="https://far.example/@grace" class="u-url mention">@<span>grace</span></a></span>';
const link = '<a href="https://twitch.tv/videos/123456789?t=1h" rel="nofollow">twitch.tv/videos/1234…</a>';

const OVER = { shown: '<p>The stream is over</p>', source: 'The stream is over' };

/** Texts, and their HTML in the history of a status. */
const DISPLAYS = [
  ['a mention without its host', 'Live with @grace@far.example.', `<p>Live with ${mention}.</p>`],
  ['escaped characters', 'It\'s "live" & new', '<p>It&#39;s &#34;live&#34; &amp; new</p>'],
  ['characters that are escaped twice', 'It\'s "live" & new', '<p>It&amp;#39;s &amp;quot;live&amp;quot; &amp;amp; new</p>'],
  ['a link that is cut', 'Watch https://twitch.tv/videos/123456789?t=1h now', `<p>Watch ${link} now</p>`],
  ['a link without its protocol', 'Watch https://www.twitch.tv/ada', '<p>Watch <a href="https://www.twitch.tv/ada">twitch.tv/ada</a></p>'],
] as const;

/** The last version. Without a source, the search needs none. */
interface Last {
  readonly shown: string;
  readonly source?: string;
}

/** The outcome of the search for `text`, on a server with one edited status that began with `first`. */
async function recover(text: string, first: string, { shown, source }: Last = { shown: '<p>The stream is over</p>' }): Promise<unknown> {
  const row = statusRow('9', { content: shown, created_at: '2026-11-20T18:00:01Z', edited_at: '2026-11-20T18:10:00Z' });
  const versions = [first, shown].map((content, index) => ({ content, created_at: `2026-11-20T18:0${index}:01Z` }));
  const written: Exchange = ['GET /api/v1/statuses/9/source', { json: { id: '9', text: source } }];
  await using scripted = await scriptMastodon([
    ME,
    [STATUSES, { json: [row, longAgo] }],
    ['GET /api/v1/statuses/9/history', { json: versions }],
    ...(source === undefined ? [] : [written]),
  ]);
  return await scripted.platform.recover?.createPost?.(createPost.declared.params.parse({ text }), { key: 'k', since, taken: new Set() });
}

describe('a lost post that was edited, on a server that shows its first version with', () => {
  test.for(DISPLAYS)('%s', async ([, text, shown]) => {
    expect(await recover(text, shown)).toMatchObject({ found: { id: '9' } });
  });
});

describe('another post is absent beside an edited post that the server shows with', () => {
  test.for(DISPLAYS)('%s', async ([, text, shown]) => {
    expect(await recover('Grace plays chess', shown, { shown, source: text })).toBe('absent');
  });
});

test('another post is absent beside an edited post whose characters the server shows differently', async () => {
  const last = { shown: '<p><strong>Hello</strong> all 🙂</p>', source: '**Hello** all :)' };

  expect(await recover('Grace plays chess', '<p>Hello</p>', last)).toBe('absent');
});

test.for([
  ['another name', 'Live with @grace@far.example.', 'Live with @ada@far.example.'],
  ['another number', 'Watch https://twitch.tv/ada, 12 viewers', 'Watch https://twitch.tv/ada, 13 viewers'],
  ['another link', 'Watch https://twitch.tv/ada', 'Watch https://twitch.tv/grace'],
  ['another end of a link', 'Watch https://twitch.tv/videos/123456789?t=1h', 'Watch https://twitch.tv/videos/123456789?t=2h'],
  ['other signs', 'Live: 1.25 hours', 'Live: 12.5 hours'],
] as const)('an edited post with %s is never the lost post', async ([, text, first]) => {
  for (const shown of [`<p>${first}</p>`, `<p>${first.replace('https://', '').replace('videos/123456789?t=2h', 'videos/1234…')}</p>`]) {
    const recovery = await recover(text, shown, OVER);
    expect(recovery).toSatisfy((one: unknown) => one === 'absent' || one === 'cannotTell');
  }
});

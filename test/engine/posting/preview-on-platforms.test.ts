import { resolve } from 'node:path';
import { RichText } from '@atproto/api';
import twitterText from 'twitter-text';
import { expect, test } from 'vitest';
import { bluesky } from '#adapters/bluesky/index.ts';
import { mastodon } from '#adapters/mastodon/index.ts';
import { x } from '#adapters/x/index.ts';
import { accountsOf } from '#src/app/accounts.ts';
import { createClients } from '#src/clients/clients.ts';
import { previewPost } from '#src/engine/posting/preview-post.ts';
import { previewAccounts } from '#src/app/preview-accounts.ts';
import { previewRule } from '#src/engine/simulation/preview/preview-rule.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { silentLog } from '#src/log.ts';
import { countedByServer } from '../../adapters/mastodon/mastodon-counts.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { fileWith, MP4, PNG } from '../../support/media-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { check } from '../../support/rule-language.ts';

const ACCOUNTS = ['x', 'bluesky', 'mastodon'] as const;
const clock = new ManualClock();

/** An account on each platform. The tests send no requests. */
function everywhere() {
  const keys = { apiKey: 'k', apiSecret: 's', accessToken: 't', accessSecret: 'u' };
  const social = [
    x({ ...keys, clock }),
    bluesky({ handle: 'ada.example.org', appPassword: 'p', clock }),
    mastodon({ url: 'https://example.social', token: 'm', clock }),
  ];
  return createClients({ streaming: [], social, discord: [] }, clock);
}

const LENGTHS: Readonly<Record<string, (text: string) => number>> = {
  x: (text) => twitterText.parseTweet(text).weightedLength,
  bluesky: (text) => new RichText({ text }).graphemeLength,
  mastodon: countedByServer,
};
const MOST: Readonly<Record<string, number>> = { x: 280, bluesky: 300, mastodon: 500 };

const long = `${'日本語 👩‍👩‍👧‍👦 chess. '.repeat(16)}https://www.twitch.tv/ada_/${'v'.repeat(80)}`;

function previewOf(text: string, account: string, clients: ReturnType<typeof everywhere>) {
  const { textLimit } = clients.social.get(account) ?? {};
  return previewPost({ text, accounts: ACCOUNTS }, { account, textLimit, now: new Date(clock.nowMs()) });
}

const NAMES = 'with @ada, @grace.bsky.social and @linus@example.social';
const CALLED = [
  ['x', ['@ada'], ['@grace.bsky.social', '@linus@example.social']],
  ['bluesky', ['@grace.bsky.social'], ['@ada', '@linus@example.social']],
  ['mastodon', ['@ada', '@linus@example.social'], ['@grace.bsky.social']],
] as const;

test('the preview of a post shows which names notify someone on the platform of the account', () => {
  const clients = everywhere();

  const previews = CALLED.map(([account]) => previewOf(NAMES, account, clients).mentions);

  expect(previews).toEqual(CALLED.map(([, called, uncalled]) => ({ called, uncalled })));
});

test('the preview of a rule shows which names notify someone on the platform of the account', async () => {
  const source = `id: r\nwhen: { at: "2030-01-01T00:00:00Z" }\nthen:\n  - { do: social.createPost, as: [x, bluesky, mastodon], with: { text: "${NAMES}" } }\n`;
  const { rules } = check(source, { accounts: { ...accountsOf(configOfEnvironment({})), social: { all: ACCOUNTS, defaults: [] } } });
  const [rule] = rules;
  if (!rule) throw new Error('the rule is wrong');

  const { scenarios } = await previewRule(rule, { accounts: previewAccounts(everywhere()), items: 1, clock, log: silentLog });

  const pinged = scenarios.flatMap(({ steps }) =>
    steps.map(({ account, messages: [message] }) => [account, message?.pings, message?.onlyText]),
  );
  expect(pinged).toEqual(CALLED);
});

test('the preview of a post has the text and the length for each account, as its platform counts', () => {
  const clients = everywhere();

  const previews = ACCOUNTS.map((account) => previewOf(long, account, clients));

  for (const { account, posts, most, problem } of previews) {
    expect([most, problem]).toEqual([MOST[account], undefined]);
    for (const { text, length } of posts) expect(length).toBe(LENGTHS[account]?.(text));
    expect(Math.max(...posts.map(({ length }) => length))).toBeLessThanOrEqual(MOST[account] ?? 0);
  }
  expect(previews.map(({ posts }) => posts.length)).toEqual([2, 2, 1]);
});

test('the preview of a rule has the text for each platform, with room for the address of a quote', async () => {
  const source = `id: r\nwhen: { at: "2030-01-01T00:00:00Z" }\nthen:\n  - { do: social.createPost, as: [x, bluesky, mastodon], with: { text: "${long}", quote: "1" } }\n`;
  const { rules } = check(source, { accounts: { ...accountsOf(configOfEnvironment({})), social: { all: ACCOUNTS, defaults: [] } } });
  const [rule] = rules;
  if (!rule) throw new Error('the rule is wrong');

  const { scenarios } = await previewRule(rule, { accounts: previewAccounts(everywhere()), items: 1, clock, log: silentLog });

  const shown = scenarios.flatMap(({ steps }) => steps).map(({ account, messages }) => ({ account, ...messages[0] }));
  expect(shown.map(({ account }) => account)).toEqual(ACCOUNTS);
  for (const { account, text = '', lengths = [] } of shown) {
    const [{ length, most = 0 } = { length: 0 }] = lengths;
    expect(length).toBe(LENGTHS[account]?.(text));
    expect(length).toBeLessThanOrEqual(most);
    expect(text).toMatch(/https:\/\/www\.twitch\.tv\/ada_\/v{80}$/u);
    // Quotes on Bluesky are public.
    expect(most === MOST[account]).toBe(account === 'bluesky');
  }
});

test('the preview of a rule names a file that cannot be sent, by its resolved path', async () => {
  const source =
    'id: r\nwhen: { at: "2030-01-01T00:00:00Z" }\nthen:\n  - { do: social.createPost, as: x, with: { text: hi, files: [{ path: "no-such-folder/${{ rule.id }}.png" }] } }\n';
  const { rules } = check(source, { accounts: { ...accountsOf(configOfEnvironment({})), social: { all: ACCOUNTS, defaults: [] } } });
  const [rule] = rules;
  if (!rule) throw new Error('the rule is wrong');

  const { scenarios } = await previewRule(rule, { accounts: previewAccounts(everywhere()), items: 1, clock, log: silentLog });

  expect(scenarios.flatMap(({ steps }) => steps.flatMap(({ remarks }) => remarks))).toEqual([
    {
      kind: 'without',
      fails: false,
      omission: { parameter: 'files', index: 0, message: expect.stringContaining(resolve('no-such-folder/r.png')) },
    },
  ]);
});

test('the lengths in the preview of a post include its warning, because the text leaves room for it', () => {
  const clients = everywhere();
  const { textLimit } = clients.social.get('x') ?? {};
  const [text, warning] = ['word '.repeat(54).trim(), 'Spoilers for the finale'];
  const about = { account: 'x', textLimit, now: new Date(clock.nowMs()) };

  const previews = (['thread', 'truncate'] as const).map((tooLong) => previewPost({ text, warning, accounts: ['x'], tooLong }, about));
  const whole = previewPost({ text, accounts: ['x'] }, about);

  expect(whole).toMatchObject({ length: 269, posts: [{ length: 269 }] });
  expect(previews).toMatchObject([
    { length: 269 + 25, most: 280, posts: [{ length: 254 + 25 }, { length: 14 + 25 }] },
    { length: 269 + 25, most: 280, posts: [{ length: expect.toSatisfy((length: number) => length > 270 && length <= 280) }] },
  ]);
});

test.each([
  ['Spoilers', false],
  ['Spoilers for the finale '.repeat(7), true],
])('the preview of a post says whether an account cuts its warning: %s', (warning, isWarningCut) => {
  const { textLimit } = everywhere().social.get('x') ?? {};
  const about = { account: 'x', textLimit, now: new Date(clock.nowMs()) };

  expect(previewPost({ text: 'Ada is live', warning, accounts: ['x'] }, about)).toMatchObject({ isWarningCut });
});

test.for([
  ['x', [{ parameter: 'altText', index: 0, message: 'X has no alternative text for videos' }]],
  ['bluesky', []],
] as const)('the preview of a video on %s says whether its description is left out', async ([account, missing]) => {
  using folder = temporaryFolder();
  const video = { path: fileWith(MP4, { folder, name: 'clip.mp4' }), altText: 'A clip' };
  const { missingParts } = previewAccounts(everywhere());

  expect(await missingParts('social.createPost', account, { text: 'Look', files: [video] }, new AbortController().signal)).toEqual(missing);
});

test.for([
  ['x', 'X accepts up to four pictures, one video or one GIF in a post: use several posts'],
  ['bluesky', 'can have up to four pictures or one video: use several posts'],
] as const)('the dry run on %s refuses a video beside a picture, but not beside a file that is missing', async ([account, message]) => {
  using folder = temporaryFolder();
  const [video, picture] = [fileWith(MP4, { folder, name: 'clip.mp4' }), fileWith(PNG, { folder, name: 'card.png' })];
  const { signal } = new AbortController();
  const dryRun = (files: readonly string[]) =>
    previewAccounts(everywhere()).dryRun?.('social.createPost', account, { text: 'Look', files }, signal);

  expect(await dryRun([picture, video])).toEqual({ refusal: expect.stringContaining(message) });
  expect(await dryRun([video, `${picture}.missing`])).toHaveProperty('params');
  expect(await dryRun([picture, picture])).toHaveProperty('params');
});

test.for([
  ['a poll', { poll: { options: ['Yes', 'No'], durationMinutes: 60 } }],
  ['files', { files: ['https://a.test/1.png'] }],
] as const)('the dry run on x has a quote beside %s as a link', async ([, other]) => {
  const { signal } = new AbortController();
  const dryRun = (quote: string) =>
    previewAccounts(everywhere()).dryRun?.('social.createPost', 'x', { text: 'Look', quote, ...other }, signal);

  expect(await dryRun('https://x.com/ada/status/1')).toEqual({ params: { text: 'Look\nhttps://x.com/ada/status/1', ...other } });
  expect(await dryRun('1')).toEqual({ params: { text: 'Look', ...other } });
});

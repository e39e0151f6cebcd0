import { expect, test } from 'vitest';
import { perform, recoverWrite } from '#src/clients/operation/client.ts';
import { tokensInMemory } from '#src/http/secrets/account-tokens.ts';
import { createLog, type Log } from '#src/log.ts';
import { createList } from '#src/clients/social/lists.ts';
import { createPost } from '#src/clients/social/posts.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { fileWith, PNG } from '../../support/media-files.ts';
import { bytes, servePages } from '../../support/pages.ts';
import { near } from '../../support/same-origin.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { cutAt } from './cutting.ts';
import { openBluesky, type BlueskyFixture } from './open-bluesky.ts';

const since = new Date('2026-11-20T17:59:58.123Z');
const MOST_REQUESTS = 20;

/** A kill before a request leaves the same post as one after the request before it. */
const KILLS: readonly Pick<Kill, 'at' | 'when'>[] = [
  { at: 1, when: 'before' },
  ...Array.from({ length: MOST_REQUESTS }, (_, index) => ({ at: index + 1, when: 'after' as const })),
];

interface Kill {
  /** Receives the warnings of the program after its restart. */
  readonly log?: Log | undefined;
  readonly key: string;
  readonly at: number;
  readonly when: 'before' | 'after';
}

/** Creates a post, kills the program at a request, and restarts it. The program recovers the post, and creates it again if it is absent. */
async function killed(fixture: BlueskyFixture, params: object, { key, at, when, log }: Kill): Promise<boolean> {
  const kill = new AbortController();
  const tokens = tokensInMemory();
  await using cutter = cutAt(at, when, () => kill.abort(new Error('killed')));
  const first = new SocialAsync({ platform: fixture.adapter({ tokens, dispatcher: cutter.dispatcher }), clock: fixture.clock });

  const reason: unknown = await perform(first, createPost.declared, params, { key, since, signal: kill.signal }).then(
    () => undefined,
    (error: unknown) => error,
  );

  const again = new SocialAsync({ platform: fixture.adapter({ tokens, log }), clock: fixture.clock });
  const recovery = await recoverWrite(again, createPost.declared, params, { key, since, taken: new Set() });
  expect(recovery).not.toBe('cannotTell');
  if (recovery === 'absent') await perform(again, createPost.declared, params, { key, since });
  expect(reason).toBe(kill.signal.aborted ? kill.signal.reason : undefined);
  return kill.signal.aborted;
}

test.each([
  ['plain', false, 5],
  ['with a quote, files and reply rules', true, 9],
])(
  'a post %s is created exactly once after a kill at any request',
  async (_, isFull, atLeast) => {
    using folder = temporaryFolder();
    const card = fileWith(PNG, { folder, name: 'card.png' });
    await using fixture = await openBluesky();
    const quote = (await fixture.social.createPost(`hello @${fixture.other}`)).id;
    const more = isFull ? { quote, filter: 'Followers', files: [card, { path: card, altText: 'again' }] } : {};
    const embed = { media: { images: [{}, {}] }, record: { record: { uri: quote } } };
    let kills = 0;

    for (const { at, when } of KILLS) {
      const text = `@${fixture.other} once, killed ${when} request ${at}`;
      const wasKilled = await killed(fixture, { text, ...more }, { key: text, at, when });

      const posts = (await fixture.records()).filter((post) => post.text === text);
      expect(posts, text).toMatchObject([{ record: isFull ? { embed } : { text } }]);
      const uri = posts[0]?.uri ?? '';
      const gate = await fixture.readRecord(uri.replace('feed.post', 'feed.threadgate'));
      expect(gate ?? {}).toMatchObject(isFull ? { post: uri } : {});
      if (!wasKilled) break;
      kills += 1;
    }

    expect(kills).toBeGreaterThanOrEqual(atLeast);
  },
  60_000,
);

test.each(['createPost', 'createList'] as const)(
  '%s with one key creates one record, even if the time of its first attempt was lost',
  async (name) => {
    await using fixture = await openBluesky();
    const identity = { key: 'slot', decidedAt: since };
    const [declared, params] =
      name === 'createPost' ? ([createPost.declared, { text: 'once' }] as const) : ([createList.declared, { name: 'once' }] as const);
    const social = new SocialAsync({ platform: fixture.adapter({ tokens: tokensInMemory() }), clock: fixture.clock });
    const first = await perform(social, declared, params, { ...identity, since: new Date(since.getTime() + 60_000) });

    const later = { ...identity, since: new Date(since.getTime() + 120_000) };
    const again = await perform(social, declared, params, later);
    const recovery = await recoverWrite(social, declared, params, { ...later, taken: new Set() });

    expect(again).toMatchObject({ id: Object(first).id });
    expect(recovery).toMatchObject({ found: { id: Object(first).id } });
  },
);

test('a post of an earlier version, whose address has the time of its first attempt, is found', async () => {
  await using fixture = await openBluesky();
  const { id } = await fixture.social.createPost('once', { key: 'slot', since });

  const options = { key: 'slot', since, decidedAt: new Date(since.getTime() - 60_000), taken: new Set<string>() };
  const recovery = await recoverWrite(fixture.social, createPost.declared, { text: 'once' }, options);

  expect(recovery).toMatchObject({ found: { id } });
});

test('a post with a card is created exactly once after a kill at any request', async () => {
  await using server = await servePages({
    '/': '<title>Ada</title><meta property=og:image content=card.png>',
    '/card.png': bytes(PNG, { 'content-type': 'image/png' }),
  });
  await using fixture = await openBluesky();
  const embed = { external: { uri: `${near(fixture, server)}/`, title: 'Ada', thumb: { size: PNG.length } } };
  // The first card also loads modules, which takes longer than the time limit of a card if the machine is busy.
  await fixture.social.createPost(`${near(fixture, server)}/`);
  let kills = 0;

  for (const { at, when } of KILLS) {
    const text = `${near(fixture, server)}/ once, killed ${when} request ${at}`;
    let warnings = '';
    const log = createLog({ level: 'warn', secrets: [], write: (line) => (warnings += line), color: false });
    const wasKilled = await killed(fixture, { text }, { key: text, at, when, log });

    const posts = (await fixture.records()).filter((post) => post.text === text);
    expect(posts, `${text} ${warnings}`).toMatchObject([{ record: { text, embed } }]);
    if (!wasKilled) break;
    kills += 1;
  }

  expect(kills).toBeGreaterThanOrEqual(5);
}, 60_000);

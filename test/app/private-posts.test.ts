import { expect, test } from 'vitest';
import { createClients } from '#src/clients/clients.ts';
import { performStep, renderDueStep } from '#src/engine/delivery/steps.ts';
import { toItem } from '#src/engine/planner/poll-results.ts';
import type { Item } from '#src/rules/poll.ts';
import type { World } from '#src/engine/testing/world/world.ts';
import { Simulation } from '#src/engine/simulation/simulation.ts';
import type { SocialAsync } from '#src/clients/social/social.ts';
import { openMastodon, type MastodonFixture } from '../adapters/mastodon/open-mastodon.ts';
import { catalogue, ruleOf } from '../support/rule-language.ts';

const MINUTE = 60_000;
const START_MS = Date.parse('2026-11-20T18:00:00Z');

const mirror = (include: string): string => `id: mirror
when: { every: 5m, watch: social.getPosts, with: { user: grace }, account: mastodon, where: item.repostOf == ""${include} }
then:
  - do: discord.send
    with: { channel: general, content: "\${{ plain(item.text) }}" }
`;

const answer = `id: answer
when: { every: 2m, watch: social.getMentions, account: mastodon, include: [followers, direct] }
then:
  - id: draft
    do: assistant.ask
    with: { text: "\${{ plain(item.text) }}" }
  - do: social.createPost
    as: mastodon
    with: { replyTo: "\${{ item.id }}", text: "\${{ steps.draft.message.text }}" }
  - do: social.createPost
    as: mastodon
    with: { text: "\${{ steps.draft.message.text }}" }
`;

async function graceOf(fixture: MastodonFixture): Promise<SocialAsync> {
  const grace = await fixture.as?.('grace');
  if (!grace) throw new Error('the sandbox signs nobody else in');
  return grace;
}

/** The texts that a rule sends because of new items. */
async function sentBy(source: string, { platform, clock }: MastodonFixture, items: readonly Item[]): Promise<readonly unknown[]> {
  const clients = createClients({ streaming: [], social: [platform], discord: [] }, clock);
  const world: World = {
    async resultOf({ key, account, step }, _nowMs, { params }) {
      if (step.do === 'assistant.ask') return { message: { text: `You wrote: ${JSON.stringify(params['text'])}` } };
      return step.do === 'discord.send'
        ? { id: 'm' }
        : performStep(clients, { do: step.do, account, params, key, since: new Date(clock.nowMs()), signal: new AbortController().signal });
    },
  };
  const simulation = new Simulation({
    rule: ruleOf(source),
    catalogue,
    world,
    replyFactsOf: () => ({ platform: 'mastodon', keepAudience: true }),
  });
  await simulation.slot({ slotMs: START_MS, poll: { items: [], complete: true } });
  const { done, undone } = await simulation.slot({ slotMs: START_MS + 5 * MINUTE, poll: { items, complete: true } });
  const texts = done.filter(({ reads }) => !reads).map(({ params }) => params['content'] ?? params['text']);
  return [...texts, ...undone.map(({ reason }) => reason?.kind)];
}

test('on Mastodon, a direct post and a post for followers are not copied', async () => {
  await using fixture = await openMastodon();
  const grace = await graceOf(fixture);
  await fixture.social.followUser('grace');
  await grace.createPost('For everyone @fanfare');
  await grace.createPost('Between us @fanfare', { visibility: 'direct' });
  await grace.createPost('For my followers', { visibility: 'followers' });
  const posts = (await fixture.social.getPosts('grace')).items.slice(0, 3).map(toItem);
  expect(posts.map(({ visibility }) => visibility)).toEqual(['followers', 'direct', 'public']);

  expect(await sentBy(mirror(''), fixture, posts)).toEqual(['For everyone fanfare']);
  expect(await sentBy(mirror(', include: [followers, direct]'), fixture, posts)).toEqual([
    'For everyone fanfare',
    'widerAudience',
    'widerAudience',
  ]);
});

const upcoming = (include = ''): string => `id: upcoming
when: { every: 5m, watch: social.getScheduledPosts, account: mastodon, with: { pages: all }${include} }
then:
  - do: discord.send
    with: { channel: general, content: "Soon: \${{ item.text }}" }
`;

test('on Mastodon, a scheduled post for followers or for some people is not announced', async () => {
  await using fixture = await openMastodon();
  const sendAt = new Date(fixture.clock.nowMs() + 3_600_000);
  await fixture.social.createScheduledPost('for all', sendAt, { visibility: 'public' });
  await fixture.social.createScheduledPost('as the account', sendAt);
  await fixture.social.createScheduledPost('for followers', sendAt, { visibility: 'followers' });
  await fixture.social.createScheduledPost('between us', sendAt, { visibility: 'direct' });
  const posts = (await fixture.social.getScheduledPosts({ pages: 'all' })).items.map(toItem);

  expect(new Set(await sentBy(upcoming(), fixture, posts))).toEqual(new Set(['Soon: for all', 'Soon: as the account']));
  expect(await sentBy(upcoming(', include: [direct]'), fixture, posts)).toContain('widerAudience');
});

test('on Mastodon, an answer to a direct mention is a direct post to its author', async () => {
  await using fixture = await openMastodon();
  const grace = await graceOf(fixture);
  const question = await grace.createPost('@fanfare Between us?', { visibility: 'direct' });
  const mentions = (await fixture.social.getMentions()).items.filter(({ id }) => id === question.id).map(toItem);

  const sent = await sentBy(answer, fixture, mentions);

  expect(sent.at(-1)).toBe('widerAudience');
  const [reply] = (await grace.getMentions()).items;
  expect(reply).toMatchObject({ visibility: 'direct', replyTo: { postId: question.id }, author: { handle: 'fanfare' } });
  expect(await fixture.postTexts()).toHaveLength(1);
});

test('the account of a step decides whether a reply keeps the audience', async () => {
  await using fixture = await openMastodon();
  const clients = createClients({ streaming: [], social: [fixture.platform], discord: [] }, fixture.clock);
  const { then, names } = ruleOf(answer);
  const item = { platform: 'mastodon', id: '1', text: 'hi', visibility: 'direct', author: { id: '2', handle: 'grace' } };
  const [, step] = then;
  const rendered = async (platform: string) =>
    step &&
    (await renderDueStep(
      clients,
      {
        delivery: { section: 'then', account: 'mastodon' } as never, // the part of a delivery that rendering reads
        step,
        names,
        scope: { item: { ...item, platform }, rule: { id: 'answer' }, now: '2026-11-20T18:00:00Z' },
      },
      { draft: [{ account: 'assistant', result: { message: { text: 'hello' } } }] },
      () => Promise.resolve(undefined),
    ));

  expect(await rendered('mastodon')).toMatchObject({ params: { replyTo: '1', text: 'hello' } });
  expect(await rendered('x')).toEqual({ skip: { kind: 'widerAudience', restriction: 'direct' } });
});

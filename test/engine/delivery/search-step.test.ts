import { describe, expect, test } from 'vitest';
import { createClients, type Clients } from '#src/clients/clients.ts';
import { searchStep, stepsThrough } from '#src/engine/delivery/steps.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { openBluesky } from '../../adapters/bluesky/open-bluesky.ts';
import { openMastodon } from '../../adapters/mastodon/open-mastodon.ts';
import { openSocial } from '../../adapters/sandbox/open-social.ts';
import { openX } from '../../adapters/x/open-x.ts';
import type { SocialFixture } from '../../contract/social.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';

const FIXTURES = [
  ['sandbox', () => openSocial()],
  ['bluesky', () => openBluesky()],
  ['mastodon', () => openMastodon()],
  ['x', () => openX()],
] as const satisfies readonly (readonly [string, () => Promise<SocialFixture>])[];

/** A platform on which a lost state wrote, and the search of the restored state. */
async function open(start: () => Promise<SocialFixture>) {
  const fixture = await start();
  const { platform, clock } = fixture;
  const clients: Clients = createClients({ streaming: [], social: [platform], discord: [] }, clock);
  const client = clients.social.get(platform.account);
  if (!client) throw new Error('there is no client');
  const since = new Date(clock.nowMs());
  const post = async (text: string, replyTo?: string): Promise<string> => {
    const { id } = await whileSleeping(clock, client.createPost(text, { replyTo, key: `lost ${text}`, since: new Date(clock.nowMs()) }));
    await clock.advance(1_000);
    return id;
  };
  const search = async (params: JsonObject, { about = [], taken = [] }: { about?: readonly string[]; taken?: readonly string[] } = {}) => {
    await clock.advance(fixture.settlesWithinMs ?? 0);
    const { signal } = new AbortController();
    const attempt = { do: 'social.createPost', account: platform.account, params, key: 'of the copy', since, lostAt: since };
    return await whileSleeping(clock, searchStep(clients, { ...attempt, taken: new Set(taken), about, signal }));
  };
  return { fixture, client, post, search, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() };
}

describe.for(FIXTURES)('after a restore, on %s', ([name, start]) => {
  test('a post without a name is found by its text, and another text is not', async () => {
    await using opened = await open(start);
    const id = await opened.post('The week ahead');

    expect(await opened.search({ text: 'The week ahead' })).toMatchObject({ found: { id } });
    expect(await opened.search({ text: 'The week behind us' })).not.toHaveProperty('found');
  });

  // X allows apps to reply only to users who mentioned the account.
  test.runIf(name !== 'x')('a reply to another account is found, and not beside another post', async () => {
    await using opened = await open(start);
    const [one, other] = (await opened.client.getPosts(opened.fixture.other)).items;
    const id = await opened.post('We begin at eight', one?.id);

    expect(await opened.search({ text: 'We begin at eight', replyTo: one?.id ?? '' })).toMatchObject({ found: { id } });
    expect(await opened.search({ text: 'We begin at eight', replyTo: other?.id ?? '' })).toBe('absent');
    expect(await opened.search({ text: 'We begin at eight' })).toBe('absent');
  });

  test('a reply and the parts of a thread are found, each under its parent', async () => {
    await using opened = await open(start);
    const first = await opened.post('Part one of ada');
    const second = await opened.post('Part two of ada', first);
    const third = await opened.post('Part three of ada', second);
    const about = ['ada'];

    expect(await opened.search({ text: 'Part two of ada', replyTo: first }, { about })).toMatchObject({ found: { id: second } });
    expect(await opened.search({ text: 'Part three of ada', replyTo: second }, { about, taken: [second] })).toMatchObject({
      found: { id: third },
    });
    // Names find a post that was edited since, but not beside another parent.
    expect(await opened.search({ text: 'Part two of ada, again', replyTo: first }, { about })).toMatchObject({ found: { id: second } });
    expect(await opened.search({ text: 'Part four of ada', replyTo: third }, { about })).not.toHaveProperty('found');
    expect(await opened.search({ text: 'Ada, ada is live' }, { about, taken: [first] })).not.toHaveProperty('found');
  });
});

test('a lost write that the platform has ends the outage of the writes', async () => {
  await using opened = await open(openMastodon);
  const { platform, clock } = opened.fixture;
  const succeeded: string[] = [];
  const { recover } = stepsThrough({
    clients: createClients({ streaming: [], social: [platform], discord: [] }, clock),
    async watch(account, use, access) {
      const result = await use();
      succeeded.push(access);
      return result;
    },
  });
  const since = new Date(clock.nowMs());
  const about = {
    do: 'social.createPost',
    account: platform.account,
    since,
    lostAt: since,
    taken: new Set<string>(),
    signal: new AbortController().signal,
  };
  const find = (text: string) => whileSleeping(clock, recover({ ...about, params: { text }, key: `lost ${text}` }));

  expect(await find('The week behind us')).toBe('absent');
  expect(succeeded).toEqual(['read']);
  const id = await opened.post('The week ahead');
  expect(await find('The week ahead')).toMatchObject({ found: { id } });
  expect(succeeded).toEqual(['read', 'read', 'write']);
});

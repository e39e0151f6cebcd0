import { fetch } from 'undici';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { WriteOptions } from '#src/clients/operation/call.ts';
import type { Sandbox } from '#sandbox/server.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { newest, type SocialFixture } from '../contract/social-fixture.ts';
import { whileSleeping } from '../support/while-sleeping.ts';
import { openBluesky } from './bluesky/open-bluesky.ts';
import { openMastodon } from './mastodon/open-mastodon.ts';
import { openX } from './x/open-x.ts';

const LOST = 3;
const LATE_MS = 60_000;

type Fixture = SocialFixture & { readonly sandbox: Sandbox };
type Options = WriteOptions;

/** A write that sets a state, its reversal, and its effects. */
interface Setting {
  /** Prepares both. */
  readonly subject: (social: SocialAsync, fixture: Fixture) => Promise<string>;
  readonly set: (social: SocialAsync, subject: string, options: Options) => Promise<unknown>;
  readonly end: (social: SocialAsync, subject: string, options: Options) => Promise<unknown>;
  /** The write of Mastodon's API, and its parameters. */
  readonly path: (id: string) => string;
  readonly json?: (ids: readonly string[]) => object;
  /** Its records on Bluesky. */
  readonly collection?: string;
}

const ofOther = async (social: SocialAsync, { other }: Fixture): Promise<string> => (await newest(social, other)).id;
const user = async (_: SocialAsync, { other }: Fixture): Promise<string> => other;

const settings = {
  repostPost: {
    path: (id) => `statuses/${id}/reblog`,
    subject: ofOther,
    set: (social, post, options) => social.repostPost(post, options),
    end: (social, post, options) => social.deleteRepost(post, options),
    collection: 'app.bsky.feed.repost',
  },
  likePost: {
    path: (id) => `statuses/${id}/favourite`,
    subject: ofOther,
    set: (social, post, options) => social.likePost(post, options),
    end: (social, post, options) => social.unlikePost(post, options),
    collection: 'app.bsky.feed.like',
  },
  bookmarkPost: {
    path: (id) => `statuses/${id}/bookmark`,
    subject: ofOther,
    set: (social, post, options) => social.bookmarkPost(post, options),
    end: (social, post, options) => social.unbookmarkPost(post, options),
  },
  pinPost: {
    path: (id) => `statuses/${id}/pin`,
    subject: async (social) => (await social.createPost('pinned')).id,
    set: (social, post, options) => social.pinPost(post, options),
    end: (social, post, options) => social.unpinPost(post, options),
  },
  followUser: {
    path: (id) => `accounts/${id}/follow`,
    subject: user,
    set: (social, other, options) => social.followUser(other, options),
    end: (social, other, options) => social.unfollowUser(other, options),
    collection: 'app.bsky.graph.follow',
  },
  blockUser: {
    path: (id) => `accounts/${id}/block`,
    subject: user,
    set: (social, other, options) => social.blockUser(other, options),
    end: (social, other, options) => social.unblockUser(other, options),
    collection: 'app.bsky.graph.block',
  },
  addListMember: {
    path: (id) => `lists/${id}/accounts`,
    json: ([, member]) => ({ account_ids: [member] }),
    async subject(social, { other, platform }) {
      if (platform.name === 'mastodon') await social.followUser(other);
      return `${(await social.createList('Runners')).id} ${other}`;
    },
    set: (social, names, options) => social.addListMember(...pairOf(names), options),
    end: (social, names, options) => social.removeListMember(...pairOf(names), options),
    collection: 'app.bsky.graph.listitem',
  },
} satisfies Readonly<Partial<Record<keyof SocialAsync, Setting>>>;

function pairOf(names: string): readonly [string, string] {
  const [list = '', member = ''] = names.split(' ');
  return [list, member];
}

const Records = z.object({ records: z.array(z.object({ uri: z.string(), value: z.looseObject({}) })) });

async function recordsOf({ sandbox, handle }: Fixture, collection: string): Promise<z.output<typeof Records>['records']> {
  const query = new URLSearchParams({ repo: handle, collection });
  const response = await fetch(`${sandbox.onRequest['bluesky']?.['BLUESKY_URL']}/xrpc/com.atproto.repo.listRecords?${query.toString()}`);
  return Records.parse(await response.json()).records;
}

/** A platform on which a state can be set twice. */
interface Contender {
  readonly open: () => Promise<Fixture>;
  /** Makes a repeat have another effect, if the platform does not. */
  readonly prepare: (fixture: Fixture) => void;
  /** The number of further effects; undefined if there can be only one. */
  readonly effects: (fixture: Fixture, setting: Setting) => Promise<number | undefined>;
  /** Makes a second effect without the adapter; false if there can be only one. */
  readonly double: (fixture: Fixture, setting: Setting, subject: string) => Promise<boolean>;
}

const contenders: Readonly<Record<string, Contender>> = {
  'on Mastodon, on a server that does not deduplicate': {
    open: openMastodon,
    prepare: ({ sandbox }) => sandbox.faults.add({ platform: 'mastodon', kind: 'duplicateEffects' }),
    async effects({ sandbox }) {
      const response = await fetch(`${sandbox.url}/control/mastodon/repeats`);
      const repeats = z.record(z.string(), z.number()).parse(await response.json());
      return Object.values(repeats).reduce((sum, count) => sum + count, 0);
    },
    async double({ sandbox, platform, clock }, { path, json = () => ({}) }, subject) {
      const { MASTODON_URL: url, MASTODON_TOKEN: token } = sandbox.onRequest['mastodon'] ?? {};
      const ids = await Promise.all(
        subject.split(' ').map(async (name) => (/^\d/u.test(name) ? name : new SocialAsync({ platform, clock }).getUserId(name))),
      );
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const response = await fetch(`${url}/api/v1/${path(ids[0] ?? '')}`, { method: 'POST', headers, body: JSON.stringify(json(ids)) });
      return response.ok;
    },
  },
  'on Bluesky': {
    open: openBluesky,
    prepare: () => undefined,
    effects: async (fixture, { collection }) => (collection === undefined ? undefined : (await recordsOf(fixture, collection)).length - 1),
    async double(fixture, { collection }) {
      const [first] = collection === undefined ? [] : await recordsOf(fixture, collection);
      if (!first || collection === undefined) return false;
      const { BLUESKY_URL: url = '' } = fixture.sandbox.onRequest['bluesky'] ?? {};
      await putRecord(fixture, { url, collection, rkey: '3zzzzzzzzzzzz', record: first.value });
      return true;
    },
  },
};

/** Writes a record of the account without the adapter. */
async function putRecord(
  { sandbox }: Fixture,
  { url, ...record }: { readonly url: string; readonly collection: string; readonly rkey: string; readonly record: object },
): Promise<void> {
  const ask = async (method: string, json: object, headers: Record<string, string> = {}): Promise<unknown> => {
    const options = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(json) };
    return (await fetch(`${url}/xrpc/${method}`, options)).json();
  };
  const { BLUESKY_HANDLE: identifier, BLUESKY_APP_PASSWORD: password } = sandbox.onRequest['bluesky'] ?? {};
  const opened = await ask('com.atproto.server.createSession', { identifier, password });
  const { accessJwt, did: repo } = z.object({ accessJwt: z.string(), did: z.string() }).parse(opened);
  await ask('com.atproto.repo.putRecord', { repo, ...record }, { authorization: `Bearer ${accessJwt}` });
}

/** Repeats a write until it has a response, as deliveries do. */
async function untilAnswered({ clock }: Fixture, write: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await whileSleeping(clock, write());
      return;
    } catch (error) {
      if (attempt > 2 * LOST) throw error;
    }
  }
}

describe.each(Object.entries(contenders))('%s', (_, { open, prepare, effects, double }) => {
  describe.each(Object.entries<Setting>(settings))('%s', (__, setting) => {
    const { subject: subjectOf, set, end } = setting;

    test('has one effect after lost responses and repeats', async () => {
      await using fixture = await open();
      const { clock, platform, sandbox } = fixture;
      const social = new SocialAsync({ platform, clock });
      const subject = await subjectOf(social, fixture);
      prepare(fixture);
      // New records appear late on Bluesky.
      if (setting.collection) sandbox.faults.add({ platform: 'bluesky', kind: 'delayedVisibility', ms: LATE_MS });
      sandbox.faults.add({ platform: platform.name, kind: 'resetAfter', method: 'POST', times: LOST });
      const options = { key: 'k', since: new Date(clock.nowMs()) };

      await untilAnswered(fixture, () => set(social, subject, options));
      sandbox.faults.clear('bluesky');
      await clock.advance(2 * LATE_MS);
      await set(social, subject, { key: 'another', since: new Date(clock.nowMs()) });

      expect((await effects(fixture, setting)) ?? 0).toBe(0);
    });

    test('is reversed completely if there are two', async () => {
      await using fixture = await open();
      const { clock, platform } = fixture;
      const social = new SocialAsync({ platform, clock });
      const subject = await subjectOf(social, fixture);
      prepare(fixture);
      await set(social, subject, {});

      const isDouble = await double(fixture, setting, subject);
      expect(await effects(fixture, setting)).toBe(isDouble ? 1 : undefined);
      await end(social, subject, {});

      // On Bluesky, not even the first one is there.
      expect((await effects(fixture, setting)) ?? 0).toBe(platform.name === 'bluesky' && isDouble ? -1 : 0);
    });
  });
});

test('on X, a repost has one effect after lost responses', async () => {
  await using fixture = await openX();
  const { clock, social, sandbox, handle } = fixture;
  const post = await ofOther(social, fixture);
  sandbox.faults.add({ platform: 'x', kind: 'resetAfter', method: 'POST', times: LOST });

  await untilAnswered(fixture, () => social.repostPost(post, { key: 'k', since: new Date(clock.nowMs()) }));
  const users = await social.getPostReposts(post, { pages: 'all', waitTime: 0 });

  expect(users.items.filter((one) => one.handle === handle)).toHaveLength(1);
});

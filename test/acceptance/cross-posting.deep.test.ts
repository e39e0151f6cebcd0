import { expect, test } from 'vitest';
import { z } from 'zod';
import { bluesky } from '#adapters/bluesky/index.ts';
import { mastodon } from '#adapters/mastodon/index.ts';
import { x } from '#adapters/x/index.ts';
import type { Sandbox } from '#sandbox/index.ts';
import { onRequestPlatforms } from '#sandbox/on-request.ts';
import { sandboxPlatforms } from '#sandbox/platforms.ts';
import type { SocialPlatform } from '#src/clients/social/social.ts';
import { getJson } from '../support/fanfare-process.ts';
import { fileWith, PNG } from '../support/media-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { install, type Installation } from './installation.ts';

const ACCOUNTS = ['x', 'bluesky', 'mastodon'] as const;
type Account = (typeof ACCOUNTS)[number];

/** An account on each simulated platform. */
function everywhere({ onRequest }: Sandbox, clock: ManualClock): readonly SocialPlatform[] {
  const of: Readonly<Record<string, string | undefined>> = { ...onRequest['x'], ...onRequest['bluesky'], ...onRequest['mastodon'] };
  const variable = (name: string): string => of[name] ?? '';
  return [
    x({
      url: variable('X_API_URL'),
      apiKey: variable('X_API_KEY'),
      apiSecret: variable('X_API_SECRET'),
      accessToken: variable('X_ACCESS_TOKEN'),
      accessSecret: variable('X_ACCESS_SECRET'),
      clock,
    }),
    bluesky({ url: variable('BLUESKY_URL'), handle: variable('BLUESKY_HANDLE'), appPassword: variable('BLUESKY_APP_PASSWORD'), clock }),
    mastodon({ url: variable('MASTODON_URL'), token: variable('MASTODON_TOKEN'), clock }),
  ];
}

function crossPosting(rule: string): Promise<Installation> {
  return install({
    rules: [rule],
    social: everywhere,
    played: [...sandboxPlatforms, ...onRequestPlatforms],
    accounts: (usual) => ({ ...usual, social: { all: ACCOUNTS, defaults: ACCOUNTS } }),
  });
}

const Media = z.array(z.object({ altText: z.string().optional() }));
const Item = z.object({
  id: z.string().optional(),
  uri: z.string().optional(),
  author: z.string(),
  text: z.string(),
  deletedAt: z.string().optional(),
  replyTo: z.string().optional(),
  quote: z.string().optional(),
  media: Media.optional(),
  record: z
    .object({
      reply: z.object({ parent: z.object({ uri: z.string() }) }).optional(),
      embed: z
        .object({ images: z.array(z.object({ alt: z.string() })).optional(), record: z.object({ uri: z.string() }).optional() })
        .optional(),
    })
    .optional(),
});

/** A published post in a format for all platforms. */
interface Posted {
  readonly id: string;
  readonly text: string;
  readonly replyTo: string | undefined;
  readonly quote: string | undefined;
  readonly altTexts: readonly (string | undefined)[];
}

/** The published posts of an account according to the control API, oldest first. */
async function postedOn(fanfare: Installation, account: Account): Promise<readonly Posted[]> {
  const { items } = z.object({ items: z.array(Item) }).parse(await fanfare.control(`/${account}/posts`));
  const accountPosts = items.filter(({ author, deletedAt }) => author.startsWith('fanfare') && deletedAt === undefined);
  return accountPosts.map(({ id, uri, text, replyTo, quote, media = [], record }) => ({
    id: id ?? uri ?? '',
    text,
    replyTo: replyTo ?? record?.reply?.parent.uri,
    quote: quote ?? record?.embed?.record?.uri,
    altTexts: [...media.map(({ altText }) => altText), ...(record?.embed?.images ?? []).map(({ alt }) => alt)],
  }));
}

const Deliveries = z.object({
  items: z.array(z.object({ account: z.string(), step: z.string(), state: z.string(), message: z.string().optional() })),
});

async function deliveriesOf(fanfare: Installation): Promise<z.output<typeof Deliveries>['items']> {
  return Deliveries.parse(await fanfare.during(getJson(`${fanfare.url}/api/deliveries`))).items;
}

test('one step posts through an account on each platform, and later steps find the post of each account', async () => {
  using folder = temporaryFolder();
  const card = fileWith(PNG, { folder, name: 'card.png' });
  await using fanfare = await crossPosting(`
id: everywhere
when: { every: 1m, watch: streaming.getStreams, account: twitch, with: { users: [ada] }, grace: 2m }
then:
  - id: post
    do: social.createPost
    as: [x, bluesky, mastodon]
    with:
      text: "Ada is live: \${{ item.title }} \${{ item.url }} #chess"
      files: [{ path: ${card}, altText: A card with the schedule }]
  - wait: 5m
  - id: look
    do: social.createPost
    as: [x, bluesky, mastodon]
    with: { text: Still on, quote: "\${{ steps.post.own.id }}" }
  - id: edited
    do: social.editPost
    as: [x, bluesky, mastodon]
    with: { post: "\${{ steps.post.own.id }}", text: "Ada is live, with sound #chess" }
finally:
  - { id: vods, do: streaming.getUserVideos, as: twitch, with: { user: ada } }
  - id: vod
    do: social.createPost
    as: [x, bluesky, mastodon]
    with: { text: "That was \${{ item.title }}: \${{ steps.vods.items.filter(v, v.streamId == item.id).map(v, v.url).join(' ') }}", replyTo: "\${{ steps.post.own.id }}" }
  - id: gone
    do: social.deletePost
    as: [x, bluesky, mastodon]
    with: { post: "\${{ steps.look.own.id }}" }
`);
  await fanfare.pass(60);
  fanfare.order({ do: 'end', user: 'ada' });
  await fanfare.pass(240);
  fanfare.order({ do: 'goLive', user: 'ada', game: 'Chess', title: 'Ranked' });
  await fanfare.pass(120);

  for (const account of ACCOUNTS) {
    expect(await postedOn(fanfare, account), account).toEqual([
      {
        id: expect.any(String),
        text: expect.stringMatching(/^Ada is live: Ranked https?:\S+ #chess$/u),
        replyTo: undefined,
        quote: undefined,
        altTexts: ['A card with the schedule'],
      },
    ]);
  }

  await fanfare.pass(360);

  for (const account of ACCOUNTS) {
    const [post, stored] = await postedOn(fanfare, account);
    // The post stays unchanged if the platform or the plan of the account has no edits.
    expect(post?.text).toMatch(account === 'mastodon' ? /^Ada is live, with sound #chess$/u : /^Ada is live: Ranked/u);
    expect(post?.altTexts).toEqual(['A card with the schedule']);
    expect(stored).toMatchObject({ text: 'Still on', quote: post?.id });
  }
  const refused = (await deliveriesOf(fanfare)).filter(({ state }) => state !== 'sent');
  expect(refused.toSorted((one, other) => one.account.localeCompare(other.account))).toEqual([
    expect.objectContaining({
      account: 'bluesky',
      step: 'edited',
      state: 'failed',
      message: expect.stringContaining('Posts cannot be edited.'),
    }),
    expect.objectContaining({
      account: 'x',
      step: 'edited',
      state: 'failed',
      message: expect.stringContaining('X allows editing only with X Premium'),
    }),
  ]);

  fanfare.order({ do: 'end', user: 'ada' });
  await fanfare.pass(300);

  for (const account of ACCOUNTS) {
    const [post, vod, ...others] = await postedOn(fanfare, account);
    expect(vod).toMatchObject({
      text: expect.stringMatching(/^That was Ranked: https:\/\/www\.twitch\.tv\/videos\/\d+$/u),
      replyTo: post?.id,
      quote: undefined,
    });
    // The deleted post is gone.
    expect(others).toEqual([]);
  }
});

test('a slow or failing platform delays no other platform and gets its post later', async () => {
  await using fanfare = await crossPosting(`
id: apart
when: { every: 1m, watch: streaming.getStreams, account: twitch, with: { users: [ada] }, grace: 2m }
then:
  - id: post
    do: social.createPost
    as: [x, bluesky, mastodon]
    with: { text: "Ada is live: \${{ item.title }}" }
  - do: social.createPost
    as: [x, bluesky, mastodon]
    with: { text: "More about \${{ item.title }}", replyTo: "\${{ steps.post.own.id }}" }
`);
  await fanfare.pass(60);
  fanfare.order({ do: 'end', user: 'ada' });
  await fanfare.pass(240);
  fanfare.sandbox.faults.add({ platform: 'mastodon', kind: 'status', status: 503 });
  fanfare.sandbox.faults.add({ platform: 'bluesky', kind: 'delay', ms: 2_000 });
  fanfare.order({ do: 'goLive', user: 'ada', game: 'Chess', title: 'Ranked' });
  await fanfare.pass(120);

  const textsOn = async (account: Account): Promise<readonly string[]> => (await postedOn(fanfare, account)).map(({ text }) => text);
  const both = ['Ada is live: Ranked', 'More about Ranked'];
  expect([await textsOn('x'), await textsOn('bluesky'), await textsOn('mastodon')]).toEqual([both, both, []]);

  fanfare.sandbox.faults.clear();
  await fanfare.pass(600);
  expect([await textsOn('x'), await textsOn('bluesky'), await textsOn('mastodon')]).toEqual([both, both, both]);
});

test('a post of another account is quoted if the platform allows it, and linked otherwise', async () => {
  await using fanfare = await crossPosting(`
id: show
when: { every: 1m, watch: streaming.getStreams, account: twitch, with: { users: [ada] }, grace: 2m }
then:
  - { id: onX, do: social.getPosts, as: x, with: { user: grace } }
  - { id: onMastodon, do: social.getPosts, as: mastodon, with: { user: grace } }
  - { do: social.createPost, as: x, with: { text: Look at this, quote: "\${{ steps.onX.items[0].id }}" } }
  - { do: social.createPost, as: mastodon, with: { text: Look at this, quote: "\${{ steps.onMastodon.items[0].id }}" } }
`);
  await fanfare.control('/mastodon/server', { kind: '4.2' });
  await fanfare.pass(60);
  fanfare.order({ do: 'end', user: 'ada' });
  await fanfare.pass(240);
  fanfare.order({ do: 'goLive', user: 'ada', game: 'Chess', title: 'Ranked' });
  await fanfare.pass(120);

  // This X refuses quotes of unrelated accounts, and this Mastodon is older than quotes.
  for (const account of ['x', 'mastodon'] as const) {
    const posts = await postedOn(fanfare, account);
    expect(posts, account).toEqual([
      expect.objectContaining({ text: expect.stringMatching(/^Look at this\nhttps?:\/\/\S*grace\S*$/u), quote: undefined }),
    ]);
  }
});

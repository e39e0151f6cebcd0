import { expect, test } from 'vitest';
import { sandbox } from '#adapters/sandbox/index.ts';
import { recoverWrite } from '#src/operation/client.ts';
import { createPost, uploadMedia } from '#src/social/posts.ts';
import { createScheduledPost } from '#src/social/schedule.ts';
import { SocialAsync } from '#src/social/social.ts';
import { openSocial, type SandboxGround } from '../../../test/adapters/sandbox/open-social.ts';
import { signedIn } from '../../../test/adapters/sandbox/signed-in.ts';
import { losingProxy, type LosingProxy } from '../../../test/support/losing-proxy.ts';
import { fileWith, PNG } from '../../../test/support/media-files.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { whileSleeping } from '../../../test/support/while-sleeping.ts';

const since = new Date('2026-11-20T18:00:00Z');
const sendAt = new Date('2026-11-20T20:00:00Z');

interface Options {
  readonly key: string;
  readonly since: Date;
}

/** A write that creates, and how an earlier attempt at it is found. */
interface Creating {
  readonly name: string;
  /** Which request it is that creates. */
  readonly place: number;
  readonly write: (social: SocialAsync, path: string, options: Options) => Promise<{ readonly id: string }>;
  readonly recover: (social: SocialAsync, path: string, options: Options) => Promise<unknown>;
}

const CREATING: readonly Creating[] = [
  {
    name: 'createPost',
    place: 1,
    write: (social, _, options) => social.createPost('once', options),
    recover: (social, _, options) => recoverWrite(social, createPost.declared, { text: 'once' }, { ...options, taken: new Set() }),
  },
  {
    name: 'createScheduledPost',
    place: 1,
    write: (social, _, options) => social.createScheduledPost('once', sendAt, options),
    recover: (social, _, options) =>
      recoverWrite(social, createScheduledPost.declared, { text: 'once', sendAt }, { ...options, taken: new Set() }),
  },
  {
    name: 'uploadMedia',
    place: 2,
    write: (social, path, options) => social.uploadMedia(path, options),
    recover: (social, path, options) => recoverWrite(social, uploadMedia.declared, { file: path }, { ...options, taken: new Set() }),
  },
];

test.for(CREATING)('$name with the same key makes one, with another key another, and the key is its own account’s', async ({ write }) => {
  using folder = temporaryFolder();
  await using ground = await openSocial();
  const path = fileWith(PNG, { folder, name: 'card.png' });
  const [social, ada] = [new SocialAsync(ground), await signedIn(ground, 'ada')];

  const first = await write(social, path, { key: 'k1', since });
  const again = await write(social, path, { key: 'k1', since });
  const other = await write(social, path, { key: 'k2', since });
  const hers = await write(ada, path, { key: 'k1', since });

  expect(again).toEqual(first);
  expect(new Set([first.id, other.id, hers.id]).size).toBe(3);
});

test.for(CREATING)(
  '$name whose answer was lost is found by its key, and a repeat makes no second one',
  async ({ write, recover, place }) => {
    using folder = temporaryFolder();
    await using ground = await openSocial();
    await using proxy = await losingProxy({ origin: ground.sandbox.url, lose: place, what: 'answer' });
    const social = through(proxy, ground);
    const path = fileWith(PNG, { folder, name: 'card.png' });

    await expect(write(social, path, { key: 'k', since })).rejects.toMatchObject({ fault: 'unanswered' });
    const recovery = await recover(social, path, { key: 'k', since });
    const repeated = await write(social, path, { key: 'k', since });
    const next = await write(social, path, { key: 'other', since });

    expect(recovery).toEqual({ found: repeated });
    expect([numberOf(repeated), numberOf(next)]).toEqual([1, 2]);
  },
);

test.for(CREATING)('$name that never arrived is known to be absent', async ({ write, recover, place }) => {
  using folder = temporaryFolder();
  await using ground = await openSocial();
  await using proxy = await losingProxy({ origin: ground.sandbox.url, lose: place, what: 'request' });
  const social = through(proxy, ground);
  const path = fileWith(PNG, { folder, name: 'card.png' });

  await expect(write(social, path, { key: 'k', since })).rejects.toMatchObject({ fault: 'unanswered' });

  expect(await recover(social, path, { key: 'k', since })).toBe('absent');
  expect(numberOf(await write(social, path, { key: 'k', since }))).toBe(1);
});

test.for(CREATING)('the key of $name outlives a restart', async ({ write }) => {
  using folder = temporaryFolder();
  const path = fileWith(PNG, { folder, name: 'card.png' });
  async function writeOnce(): Promise<string> {
    await using ground = await openSocial({ file: `${folder.path}/sandbox.sqlite` });
    const { id } = await write(new SocialAsync(ground), path, { key: 'k', since });
    return id;
  }

  expect(await writeOnce()).toBe(await writeOnce());
});

test('the key of a post is kept when the post is deleted', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const post = await social.createPost('once', { key: 'k', since });
  await social.deletePost(post);

  const again = await social.createPost('once', { key: 'k', since });

  expect(again.id).toBe(post.id);
  expect(await ground.standing()).toEqual([]);
});

/** To look for both uploads, to make them, and to post. */
const REQUESTS = 5;

test.for(['request', 'answer'] as const)(
  'a post with files of which any one %s is lost is repeated to one post and one upload a file',
  async (what) => {
    using folder = temporaryFolder();
    const path = fileWith(PNG, { folder, name: 'card.png' });

    for (let lose = 1; lose <= REQUESTS; lose++) {
      await using ground = await openSocial();
      await using proxy = await losingProxy({ origin: ground.sandbox.url, lose, what });
      const social = through(proxy, ground);
      const write = () => whileSleeping(ground.clock, social.createPost('card', { files: [path, [path, 'again']], key: 'k', since }));

      const first = await write().catch(() => undefined);
      const sent = proxy.count;
      const post = await write();

      expect(sent).toBeGreaterThanOrEqual(lose);
      expect(first === undefined || first.id === post.id).toBe(true);
      expect(await ground.standing()).toEqual(['card']);
      expect(post.media.map(({ altText }) => altText)).toEqual([undefined, 'again']);
      expect(numberOf(await social.uploadMedia(path))).toBe(3);
    }
  },
);

/** A client that speaks through a proxy. */
function through({ url }: LosingProxy, { sandbox: { environment }, clock }: SandboxGround): SocialAsync {
  const platform = sandbox({ url: `${url}/social/api`, token: environment['SANDBOX_TOKEN'] ?? '', clock });
  return new SocialAsync({ platform, clock });
}

/** Records are counted from 1. */
function numberOf({ id }: { readonly id: string }): number {
  return Number(id.replace(/^\D+/, ''));
}

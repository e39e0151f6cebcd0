import { expect, test } from 'vitest';
import { sandbox } from '#adapters/sandbox/index.ts';
import { recoverWrite } from '#src/clients/operation/client.ts';
import type { Declared } from '#src/clients/operation/declared.ts';
import { createList } from '#src/clients/social/lists.ts';
import { sendMessage } from '#src/clients/social/messages.ts';
import { createPost, uploadMedia } from '#src/clients/social/posts.ts';
import { createScheduledPost } from '#src/clients/social/schedule.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { openSocial, type SandboxFixture } from '../../../test/adapters/sandbox/open-social.ts';
import { losingProxy, type LosingProxy } from '../../../test/support/losing-proxy.ts';
import { fileWith, PNG } from '../../../test/support/media-files.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { whileSleeping } from '../../../test/support/while-sleeping.ts';

const since = new Date('2026-11-20T18:00:00Z');
const sendAt = new Date('2026-11-20T20:00:00Z');

/** The operations that create something: the operation with its parameters, and the call that creates. */
const CREATING = {
  createPost: [createPost.declared, { text: 'once' }, (social, options) => social.createPost('once', options)],
  createScheduledPost: [
    createScheduledPost.declared,
    { text: 'once', sendAt },
    (social, options) => social.createScheduledPost('once', sendAt, options),
  ],
  uploadMedia: [
    uploadMedia.declared,
    { file: { base64: PNG.toString('base64') } },
    (social, options) => social.uploadMedia({ base64: PNG.toString('base64') }, options),
  ],
  sendMessage: [sendMessage.declared, { user: 'ada', text: 'once' }, (social, options) => social.sendMessage('ada', 'once', options)],
  createList: [createList.declared, { name: 'once' }, (social, options) => social.createList('once', options)],
} satisfies Record<
  string,
  [Declared, object, (social: SocialAsync, options: { readonly key: string; readonly since: Date }) => Promise<{ readonly id: string }>]
>;

test.for(Object.entries(CREATING))(
  '%s creates one record for each key, and recovery finds the record',
  async ([, [operation, params, create]]) => {
    await using fixture = await openSocial();
    const social = new SocialAsync(fixture);
    const recover = (): Promise<unknown> => recoverWrite(social, operation, params, { key: 'k1', since, taken: new Set() });
    const absent = await recover();

    const first = await create(social, { key: 'k1', since });
    const repeated = await create(social, { key: 'k1', since });
    const other = await create(social, { key: 'k2', since });

    expect([absent, await recover()]).toEqual(['absent', { found: first }]);
    expect(repeated).toEqual(first);
    expect(other.id).not.toBe(first.id);
  },
);

/** Two recoveries, two uploads and the post. */
const REQUESTS = 5;

test.for(['request', 'answer'] as const)(
  'a repeated post with files makes one post and one upload for each file if any %s is lost',
  async (what) => {
    using folder = temporaryFolder();
    const path = fileWith(PNG, { folder, name: 'card.png' });

    for (let lose = 1; lose <= REQUESTS; lose++) {
      await using fixture = await openSocial();
      await using proxy = await losingProxy({ origin: fixture.sandbox.url, lose, what });
      const social = through(proxy, fixture);
      const write = () => whileSleeping(fixture.clock, social.createPost('card', { files: [path, [path, 'again']], key: 'k', since }));

      const first = await write().catch(() => undefined);
      const sent = proxy.count;
      const post = await write();

      expect(sent).toBeGreaterThanOrEqual(lose);
      expect(first === undefined || first.id === post.id).toBe(true);
      expect(await fixture.postTexts()).toEqual(['card']);
      expect(post.media.map(({ altText }) => altText)).toEqual([undefined, 'again']);
      expect(numberOf(await social.uploadMedia(path))).toBe(3);
    }
  },
);

/** A client whose requests go through a proxy. */
function through({ url }: LosingProxy, { sandbox: { environment }, clock }: SandboxFixture): SocialAsync {
  const platform = sandbox({ url: `${url}/social/api`, token: environment['SANDBOX_TOKEN'] ?? '', clock });
  return new SocialAsync({ platform, clock });
}

/** The number in an id. The platform counts from 1. */
function numberOf({ id }: { readonly id: string }): number {
  return Number(id.replace(/^\D+/, ''));
}

import { z } from 'zod';
import { mastodon } from '#adapters/mastodon/index.ts';
import { sandbox } from '#adapters/sandbox/index.ts';
import { mastodonServer } from '#sandbox/mastodon/server.ts';
import { startSandbox, type Sandbox } from '#sandbox/server.ts';
import { socialServer } from '#sandbox/social/server.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import type { SocialFixture } from '../../contract/social.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { nearServer } from '../../support/same-origin.ts';
import { controlApi } from '../../support/control-api.ts';

const Posts = z.object({ items: z.array(z.object({ author: z.string(), text: z.string(), deletedAt: z.string().optional() })) });
const Session = z.object({ token: z.string() });
const SELF = 'fanfare';

export interface MastodonFixture extends SocialFixture {
  readonly sandbox: Sandbox;
  readonly social: SocialAsync;
  readonly url: string;
  readonly token: string;
  /** Changes the server, as to another program or version. */
  setUp(settings: object): Promise<void>;
}

/** The Mastodon server of the sandbox with its adapter. */
export async function openMastodon(settings?: object): Promise<MastodonFixture> {
  const clock = new ManualClock();
  const running = await startSandbox({ clock, platforms: [mastodonServer, socialServer, nearServer] });
  const { MASTODON_URL: url = '', MASTODON_TOKEN: token = '' } = running.onRequest['mastodon'] ?? {};
  const { SANDBOX_URL: truthUrl = '', SANDBOX_TOKEN: truthToken = '' } = running.environment;
  const platform = mastodon({ url, token, clock });

  const control = controlApi(running.url);
  const setUp = async (order: object): Promise<void> => void (await control('/mastodon/server', order));
  if (settings) await setUp(settings);

  return {
    sandbox: running,
    clock,
    platform,
    social: new SocialAsync({ platform, clock }),
    url,
    token,
    handle: SELF,
    other: 'ada',
    setUp,
    truth: new SocialAsync({ platform: sandbox({ url: truthUrl, token: truthToken, clock }), clock }),
    async postTexts() {
      const { items } = Posts.parse(await control('/mastodon/posts'));
      return items.filter(({ author, deletedAt }) => author === SELF && deletedAt === undefined).map(({ text }) => text);
    },
    async as(user) {
      const session = Session.parse(await control('/mastodon/sessions', { user }));
      return new SocialAsync({ platform: mastodon({ url, token: session.token, clock }), clock });
    },
    loseNextAnswer: () => running.faults.add({ platform: 'mastodon', method: 'POST', kind: 'resetAfter', times: 1 }),
    loseNextRequest: () => running.faults.add({ platform: 'mastodon', method: 'POST', kind: 'resetBefore', times: 1 }),
    async [Symbol.asyncDispose]() {
      await platform[Symbol.asyncDispose]();
      await running[Symbol.asyncDispose]();
    },
  };
}

import { z } from 'zod';
import { sandbox } from '#adapters/sandbox/index.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '#sandbox/server.ts';
import { socialServer } from '#sandbox/social/server.ts';
import type { SocialFixture } from '../../contract/social.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { nearServer } from '../../support/same-origin.ts';
import { controlApi } from '../../support/control-api.ts';
import { signIn } from '../../support/sandbox-people.ts';

const Posts = z.object({ items: z.array(z.object({ text: z.string(), key: z.string().optional(), deletedAt: z.string().optional() })) });

export type SandboxFixture = SocialFixture & { readonly sandbox: Sandbox };

/** The sandbox's social platform, met through its adapter. */
export async function openSocial({ file, lively }: Pick<SandboxOptions, 'file' | 'lively'> = {}): Promise<SandboxFixture> {
  const clock = new ManualClock();
  const running = await startSandbox({ clock, platforms: [socialServer, nearServer], file, lively });
  const { SANDBOX_URL: url = '', SANDBOX_TOKEN: token = '' } = running.environment;

  const fixture: SandboxFixture = {
    sandbox: running,
    clock,
    platform: sandbox({ url, token, clock }),
    handle: 'fanfare',
    other: 'ada',
    async postTexts() {
      const { items } = Posts.parse(await controlApi(running.url)('/posts'));
      return items.filter(({ deletedAt }) => deletedAt === undefined).map(({ text }) => text);
    },
    loseNextAnswer: () => running.faults.add({ platform: 'social', kind: 'resetAfter', times: 1 }),
    loseNextRequest: () => running.faults.add({ platform: 'social', kind: 'resetBefore', times: 1 }),
    as: (user) => signIn(fixture, user),
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
  return fixture;
}

import { fetch } from 'undici';
import { z } from 'zod';
import { sandbox } from '#adapters/sandbox/index.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '#sandbox/server.ts';
import { socialServer } from '#sandbox/social/server.ts';
import type { SocialFixture } from '../../contract/social.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { nearServer } from '../../support/same-origin.ts';
import { signedIn } from './signed-in.ts';

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
      const response = await fetch(`${running.url}/control/posts`);
      const { items } = Posts.parse(await response.json());
      return items.filter(({ deletedAt }) => deletedAt === undefined).map(({ text }) => text);
    },
    loseNextAnswer: () => running.faults.add({ platform: 'social', kind: 'resetAfter', times: 1 }),
    loseNextRequest: () => running.faults.add({ platform: 'social', kind: 'resetBefore', times: 1 }),
    as: (user) => signedIn(fixture, user),
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
  return fixture;
}

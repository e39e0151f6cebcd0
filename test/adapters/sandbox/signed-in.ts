import { fetch } from 'undici';
import { z } from 'zod';
import { sandbox } from '#adapters/sandbox/index.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import type { SandboxFixture } from './open-social.ts';

const Session = z.object({ token: z.string() });

/** A client that is signed in as a person of the world. */
export async function signedIn({ sandbox: { url, environment }, clock }: SandboxFixture, user: string): Promise<SocialAsync> {
  const response = await fetch(`${url}/control/social/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user }),
  });
  const { token } = Session.parse(await response.json());
  return new SocialAsync({ platform: sandbox({ url: environment['SANDBOX_URL'] ?? '', token, clock }), clock });
}

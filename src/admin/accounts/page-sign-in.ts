import { z } from 'zod';
import { messageOf } from '#src/errors.ts';
import type { ChannelSignIn, CodeSignIn } from '#src/admin/actions/account-actions.ts';
import type { Actor } from '#src/admin/actions/actor.ts';
import type { Clock } from '#src/clock.ts';
import type { AccountTokens } from '#src/http/secrets/account-tokens.ts';
import type { DevicePrompt, SignInChannel } from './channel-sign-in.ts';

const Scopes = z.array(z.object({ name: z.string(), why: z.string() })).readonly();

/** The stored form of a sign-in to a channel, for every process that serves the page. */
const Stored = z.object({
  state: z.enum(['waiting', 'done', 'failed']),
  url: z.string(),
  code: z.string(),
  expiresAt: z.coerce.date(),
  scopes: Scopes,
  who: z.string().optional(),
  missing: Scopes.optional(),
  problem: z.string().optional(),
});

interface PageSignInParts {
  readonly signInChannel: SignInChannel;
  readonly tokensOf: (name: string) => AccountTokens;
  readonly closing?: AbortSignal | undefined;
}

/** Begins a sign-in to a channel, and answers with its code. This process waits for the person, and stores how it ends. */
export async function beginInPage(
  { account }: { readonly account: string },
  by: Actor,
  { signInChannel, tokensOf, closing }: PageSignInParts,
): Promise<CodeSignIn> {
  const shown = Promise.withResolvers<DevicePrompt>();
  const stored = signInOf(account, tokensOf);
  const begun = shown.promise.then(async (prompt) => {
    await stored.save({ ...prompt, state: 'waiting' });
    return prompt;
  });
  // The sign-out deletes what is stored.
  const isWanted = async (): Promise<boolean> => (await begun, (await stored.load()) !== undefined);
  const ending = signInChannel({ account, show: shown.resolve, isWanted }, by, closing);
  ending.catch(shown.reject);
  const prompt = await begun;
  const end = async (result: object): Promise<void> => {
    const current = Stored.safeParse(await stored.load()).data;
    // A person may have begun again, or signed out.
    if (current?.code === prompt.code) await stored.save({ ...prompt, ...result });
  };
  ending
    .then(
      (done) => end({ state: 'done', ...done }),
      async (error: unknown) => {
        if (closing?.aborted !== true) await end({ state: 'failed', problem: messageOf(error) });
      },
    )
    // The log of actions has the result, and the page shows that the code has expired.
    .catch(() => undefined);
  return prompt;
}

/** The last sign-in to the channel of an account that a page began; undefined: there is none. */
export async function readInPage(
  account: string,
  { tokensOf, clock }: Pick<PageSignInParts, 'tokensOf'> & { readonly clock: Pick<Clock, 'nowMs'> },
): Promise<ChannelSignIn | undefined> {
  const { data } = Stored.safeParse(await signInOf(account, tokensOf).load());
  if (!data) return undefined;
  const isOver = data.state === 'waiting' && data.expiresAt.getTime() <= clock.nowMs();
  return { ...data, state: isOver ? 'expired' : data.state };
}

function signInOf(account: string, tokensOf: PageSignInParts['tokensOf']): AccountTokens {
  return tokensOf(`${account}/sign-in`);
}

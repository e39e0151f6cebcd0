import type { Clock } from '#src/clock.ts';
import { definitionOf, type Account } from '#src/config/accounts.ts';
import { SocialAsync, type SocialPlatform } from '#src/clients/social/social.ts';
import { Bot, type StreamingPlatform } from '#src/clients/streaming/bot.ts';

export interface IdentifyAccountOptions {
  /** The adapters of streaming and social accounts. */
  readonly platforms: { readonly streaming: readonly StreamingPlatform[]; readonly social: readonly SocialPlatform[] };
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/** Describes an account with a cheap request that needs its credentials. */
export async function identifyAccount(account: Account, { platforms, clock, signal }: IdentifyAccountOptions): Promise<string> {
  const definition = definitionOf(account);
  if (definition.identify) return definition.identify(account, { clock, signal });
  const [streaming] = platforms.streaming;
  if (streaming) {
    const [first] = await new Bot({ platform: streaming, clock }).getTopGames({ signal });
    return first ? `it answers; the top game is ${first.name}` : 'it answers';
  }
  const [platform] = platforms.social;
  if (!platform) throw new Error(`${account.account} has no adapter`);
  const social = new SocialAsync({ platform, clock });
  const knownUser = definition.knownUser?.(account);
  const { handle, displayName } = await social.getUserInfo(knownUser, { signal });
  if (knownUser !== undefined) return 'it can read public data; to post, sign in with a client id';
  return `signed in as @${handle}${displayName === handle ? '' : ` (${displayName})`}`;
}

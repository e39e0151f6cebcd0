import { signInAsChannel } from '#adapters/twitch/auth/device.ts';
import { tokensInMemory, type AccountTokens } from '#src/http/secrets/account-tokens.ts';
import type { ManualClock } from './manual-clock.ts';
import { whileSleeping } from './while-sleeping.ts';
import { controlApi } from './control-api.ts';

interface ChannelOptions {
  readonly url: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: ManualClock;
  /** The granted permissions; absent: all. */
  readonly scopes?: readonly string[] | undefined;
}

/** The tokens of the channel `ada` on Twitch of a sandbox. */
export async function signedInChannel({ url, environment, clock, scopes }: ChannelOptions): Promise<AccountTokens> {
  const { TWITCH_CLIENT_ID: clientId = '', TWITCH_AUTH_URL: authUrl = '' } = environment;
  const { code, finish } = await signInAsChannel({ clientId, authUrl, clock, operations: new Set(['sendChatMessage']) }).begin();
  await controlApi(url)('/twitch/activate', { code, user: 'ada', scopes });
  const { tokens } = await whileSleeping(clock, finish());
  return tokensInMemory(tokens);
}

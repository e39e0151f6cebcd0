import { accountsOn, addressOf, SOCIAL_PLATFORMS } from '#src/config/accounts.ts';
import type { Config } from '#src/config/config.ts';
import { namesFor, type ClientName } from '#src/config/defaults.ts';
import { TEXT_LIMITS, type TextLimit } from '#src/operation/text/limit.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { socialCapabilities } from './social-capabilities.ts';

/** The rate limit of Twitch for an application. */
const TWITCH_PER_MINUTE = 800;

/** The platforms of the sandbox that have limits. */
const PLAYED = ['twitch', 'sandbox'] as const;

/**
 * The accounts that rules may name: accounts with credentials, or one account of each platform in the sandbox.
 *
 * `statedLimits`: the longest posts that servers stated, by the address of the server.
 */
export function accountsOf(
  { accounts, defaults, sandbox }: Pick<Config, 'accounts' | 'defaults' | 'sandbox'>,
  statedLimits: ReadonlyMap<string, number> = new Map(),
): Accounts {
  const onSandbox = sandbox === 'inside';

  function forClient(client: ClientName): { readonly all: readonly string[]; readonly defaults: readonly string[] } {
    const all = namesFor(client, { accounts, onSandbox });
    // All streaming platforms of the sandbox show the same world, so a rule without an account reads it once.
    const readsOneWorld = client === 'streaming' && sandbox !== 'none';
    return { all, defaults: defaults[client] ?? (readsOneWorld ? all.slice(0, 1) : client === 'streaming' || all.length === 1 ? all : []) };
  }
  function namesOn(platform: 'twitch' | (typeof SOCIAL_PLATFORMS)[number]): readonly string[] {
    return onSandbox ? PLAYED.filter((one) => one === platform) : accountsOn(platform, accounts).map(({ account }) => account);
  }

  const requestsPerMinute = Object.fromEntries(namesOn('twitch').map((name) => [name, TWITCH_PER_MINUTE]));
  const textLimits = Object.fromEntries(
    SOCIAL_PLATFORMS.flatMap((platform) => namesOn(platform).map((name) => [name, TEXT_LIMITS[platform]])),
  );
  const limitsOfServers = Object.fromEntries(
    accountsOn('mastodon', accounts).map((account) => [account.account, limitOfServer(statedLimits.get(addressOf(account)))]),
  );
  const platforms = Object.fromEntries(
    SOCIAL_PLATFORMS.flatMap((name) => namesOn(name).map((account) => [account, { name, capabilities: socialCapabilities[name] }])),
  );
  return {
    streaming: { ...forClient('streaming'), requestsPerMinute },
    social: { ...forClient('social'), textLimits: { ...textLimits, ...limitsOfServers }, platforms },
    discord: forClient('discord'),
    assistant: forClient('assistant'),
    // History needs no credentials.
    history: { all: ['history'], defaults: ['history'] },
  };
}

/** The longest post on a Mastodon server. */
function limitOfServer(stated: number | undefined): TextLimit & { readonly source: string } {
  if (stated === undefined) return { ...TEXT_LIMITS.mastodon, source: 'the usual limit: its server has not been asked yet' };
  return { ...TEXT_LIMITS.mastodon, most: stated, source: 'the limit of its server' };
}

import { type Account, addressOf, definitionOf, DEFINITIONS, platformsFor, type ClientName } from '#src/config/accounts.ts';
import type { Config } from '#src/config/config.ts';
import { namesFor } from '#src/config/defaults.ts';
import type { PostDefaults } from '#src/clients/operation/post-defaults.ts';
import type { TextLimit } from '#src/clients/operation/text/limit.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { localSchedule } from '#src/clients/social/fallbacks/schedule.ts';

/**
 * The accounts that rules may name: accounts with credentials, or one account of each platform in the sandbox.
 *
 * `statedLimits`: the longest posts that servers stated, by the address of the server.
 */
export function accountsOf(
  { accounts, defaults, sandbox, senderSecrets }: Pick<Config, 'accounts' | 'defaults' | 'sandbox' | 'senderSecrets'>,
  statedLimits: ReadonlyMap<string, number> = new Map(),
): Accounts {
  const onSandbox = sandbox === 'inside';

  function forClient(client: ClientName): { readonly all: readonly string[]; readonly defaults: readonly string[] } {
    const all = namesFor(client, { accounts, onSandbox });
    // All streaming platforms of the sandbox show the same world, so a rule without an account reads it once.
    const readsOneWorld = client === 'streaming' && sandbox !== 'none';
    return { all, defaults: defaults[client] ?? (readsOneWorld ? all.slice(0, 1) : client === 'streaming' || all.length === 1 ? all : []) };
  }

  /** A property of each account of a client, by name; accounts without it are left out. */
  function byName<T>(client: ClientName, read: (described: Described) => T | undefined): Readonly<Record<string, T>> {
    const entries = namesFor(client, { accounts, onSandbox }).flatMap((name) => {
      const account = accounts.find((one) => one.account === name);
      const platform = account?.platform ?? platformsFor(client).find((one) => one === name);
      const value = platform && read({ ...definitionOf({ platform }), account, stated: account && statedLimits.get(addressOf(account)) });
      return value === undefined ? [] : [[name, value] as const];
    });
    return Object.fromEntries(entries);
  }

  return {
    streaming: {
      ...forClient('streaming'),
      requestsPerMinute: byName('streaming', (described) => described.requestsPerMinute),
      requestBurst: byName('streaming', (described) => described.requestBurst),
      unitsPerRequest: byName('streaming', (described) => described.unitsPerRequest),
      namesPerRequest: byName('streaming', (described) => described.namesPerRequest),
      platformNames: byName('streaming', ({ platform }) => platform),
      platforms: byName('streaming', ({ platform: name, capabilities }) => ({ name, capabilities })),
    },
    social: {
      ...forClient('social'),
      requestsPerMinute: byName('social', (described) => described.requestsPerMinute),
      requestBurst: byName('social', (described) => described.requestBurst),
      textLimits: byName('social', textLimitOf),
      usualTextLimits: USUAL_TEXT_LIMITS,
      postDefaults: byName('social', ({ account }) => account && postDefaultsOf(account)),
      platforms: byName('social', ({ platform: name, capabilities }) => {
        const hasSchedule = capabilities['createScheduledPost']?.support !== 'unsupported';
        return { name, capabilities: hasSchedule ? capabilities : { ...capabilities, ...localSchedule } };
      }),
    },
    discord: forClient('discord'),
    assistant: forClient('assistant'),
    // The webhooks whose senders have a secret.
    webhook: { all: [...senderSecrets.keys()], defaults: [] },
    // Feeds and history need no credentials.
    feed: { all: ['feed'], defaults: ['feed'] },
    history: { all: ['history'], defaults: ['history'] },
  };
}

const USUAL_TEXT_LIMITS: Readonly<Record<string, TextLimit>> = Object.fromEntries(
  DEFINITIONS.flatMap(({ platform, textLimit }) => (textLimit ? [[platform, textLimit]] : [])),
);

type Described = ReturnType<typeof definitionOf> & { readonly account: Account | undefined; readonly stated: number | undefined };

/** The defaults that Fanfare adds to posts of an account; undefined without any. */
export function postDefaultsOf({ warning, sensitive, requireDescription }: Account): PostDefaults | undefined {
  const defaults = { warning, sensitive, requireDescription };
  return Object.values(defaults).some((value) => value !== undefined) ? defaults : undefined;
}

/** The longest post of an account. */
function textLimitOf({ textLimit, stated }: Described): (TextLimit & { readonly source?: string }) | undefined {
  if (!textLimit?.varies) return textLimit;
  if (stated === undefined) return { ...textLimit, source: 'the usual limit: its server has not been asked yet' };
  return { ...textLimit, most: stated, source: 'the limit of its server' };
}

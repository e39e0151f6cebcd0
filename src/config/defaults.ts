import { accountsOn, SOCIAL_PLATFORMS, type Account, type Platform } from './accounts.ts';
import type { FanfareFile, FileMistake } from './file-form.ts';

/** The prefix of operations in rules. */
export type ClientName = 'streaming' | 'social' | 'discord' | 'assistant';

/** The platforms that support the verbs of a client. */
const PLATFORMS_OF: Readonly<Record<ClientName, readonly Platform[]>> = {
  streaming: ['twitch', 'kick'],
  social: SOCIAL_PLATFORMS,
  discord: ['discord'],
  assistant: ['assistant'],
};

/** The platforms of the sandbox. It has one social platform. */
const SANDBOX_PLATFORMS: Readonly<Record<ClientName, readonly Platform[]>> = { ...PLATFORMS_OF, social: ['sandbox'] };

/** The accounts of rules without `account`, by client; absent without a default. */
export type Defaults = Readonly<Partial<Record<ClientName, readonly string[]>>>;

/** The account names of a client; with `onSandbox`, the sandbox provides one account per platform. */
export function namesFor(
  client: ClientName,
  { accounts, onSandbox }: { readonly accounts: readonly Account[]; readonly onSandbox: boolean },
) {
  return onSandbox
    ? SANDBOX_PLATFORMS[client]
    : PLATFORMS_OF[client].flatMap((platform) => accountsOn(platform, accounts).map(({ account }) => account));
}

/** How to connect an account that has the name of a platform; undefined for other names. */
export function connectHint(
  name: string,
  { platforms, known }: { readonly platforms: readonly string[]; readonly known: readonly string[] },
): string | undefined {
  if (!platforms.includes(name)) return undefined;
  const others = known.length > 0 ? `, or write one of these: ${known.join(', ')}` : '';
  return `connect it with fanfare auth ${name}${others}`;
}

/** Reads the defaults of the file. `onMistake` receives unknown account names. */
export function readDefaults(
  { defaults = {} }: FanfareFile,
  {
    namesOf,
    onMistake,
  }: { readonly namesOf: (client: ClientName) => readonly string[]; readonly onMistake: (mistake: FileMistake) => void },
): Defaults {
  const read = (client: ClientName): readonly string[] | undefined => {
    const written = defaults[client];
    const named = written === undefined ? undefined : [written].flat();
    const known = namesOf(client);
    for (const [index, name] of (named ?? []).entries()) {
      if (known.includes(name)) continue;
      const path = ['defaults', client, ...(Array.isArray(written) ? [index] : [])];
      const hint = connectHint(name, { platforms: PLATFORMS_OF[client], known });
      onMistake({ path, message: `unknown account ${name} for ${client}`, unknown: { name, known }, hint });
    }
    return named;
  };
  const clients = Object.keys(PLATFORMS_OF) as ClientName[]; // the keys of a literal
  return Object.fromEntries(
    clients.flatMap((client) => {
      const named = read(client);
      return named ? [[client, named]] : [];
    }),
  );
}

/** The defaults that each platform has for posts. */
const POST_DEFAULTS: Readonly<Partial<Record<Account['platform'], readonly string[]>>> = {
  mastodon: ['language', 'visibility'],
  bluesky: ['language'],
};

/** Adds the defaults for posts to the accounts. `onMistake` receives defaults that a platform lacks. */
export function withPostDefaults(
  accounts: readonly Account[],
  { posts = {} }: FanfareFile,
  onMistake: (mistake: FileMistake) => void,
): readonly Account[] {
  const known = accounts.filter(({ platform }) => POST_DEFAULTS[platform]).map(({ account }) => account);
  for (const [name, defaults] of Object.entries(posts)) {
    const account = accounts.find((one) => one.account === name);
    if (!account) onMistake({ path: ['posts', name], isKey: true, message: `unknown account ${name}`, unknown: { name, known } });
    const unsupported = account ? Object.keys(defaults).filter((key) => !POST_DEFAULTS[account.platform]?.includes(key)) : [];
    for (const key of unsupported) {
      const message = `posts on ${account?.platform} have no ${key}`;
      onMistake({ path: ['posts', name, key], isKey: true, message, hint: 'remove it' });
    }
  }
  return accounts.map((account) => {
    const defaults = Object.hasOwn(posts, account.account) ? posts[account.account] : undefined;
    if (account.platform === 'mastodon') return { ...account, ...defaults };
    return account.platform === 'bluesky' && defaults ? { ...account, language: defaults.language } : account;
  });
}

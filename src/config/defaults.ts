import type { PostDefaults } from '#src/clients/operation/post-defaults.ts';
import { accountsOn, CLIENTS, definitionOf, platformsFor, type Account, type ClientName } from './accounts.ts';
import type { FanfareFile, FileMistake } from './fanfare-file.ts';

/** The accounts of rules without `account`, by client; absent without a default. */
export type Defaults = Readonly<Partial<Record<ClientName, readonly string[]>>>;

/** The account names of a client; with `onSandbox`, the sandbox provides one account per platform. */
export function namesFor(
  client: ClientName,
  { accounts, onSandbox }: { readonly accounts: readonly Account[]; readonly onSandbox: boolean },
) {
  // The sandbox has one social platform.
  if (onSandbox)
    return client === 'social' ? ['sandbox'] : platformsFor(client).filter((platform) => !definitionOf({ platform }).isOnRequest);
  return platformsFor(client).flatMap((platform) => accountsOn(platform, accounts).map(({ account }) => account));
}

/** How to connect an account that has the name of a platform; undefined for other names. */
export function connectHint(
  name: string,
  { platforms, known }: { readonly platforms: readonly string[]; readonly known: readonly string[] },
): string | undefined {
  if (!platforms.includes(name)) return undefined;
  const others = known.length > 0 ? `, or write one of these: ${known.join(', ')}` : '';
  return `connect it with npx fanfare auth ${name}${others}`;
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
      const hint = connectHint(name, { platforms: platformsFor(client), known });
      onMistake({ path, message: `unknown account ${name} for ${client}`, unknown: { name, known }, hint });
    }
    return named;
  };
  return Object.fromEntries(
    CLIENTS.flatMap((client) => {
      const named = read(client);
      return named ? [[client, named]] : [];
    }),
  );
}

/** Adds the defaults for posts to the accounts. `onMistake` receives defaults that a platform lacks. */
export function withPostDefaults(
  accounts: readonly Account[],
  { posts = {} }: FanfareFile,
  onMistake: (mistake: FileMistake) => void,
): readonly Account[] {
  const known = accounts.filter((one) => isSocial(definitionOf(one))).map(({ account }) => account);
  for (const [name, defaults] of Object.entries(posts)) {
    const account = accounts.find((one) => one.account === name);
    if (!account) onMistake({ path: ['posts', name], isKey: true, message: `unknown account ${name}`, unknown: { name, known } });
    const unsupported = account ? Object.keys(defaults).filter((key) => !isPostDefault(definitionOf(account), key)) : [];
    for (const key of unsupported) {
      const message = `posts on ${account?.platform} have no ${key}`;
      onMistake({ path: ['posts', name, key], isKey: true, message, hint: 'remove it' });
    }
  }
  return accounts.map((account) => (Object.hasOwn(posts, account.account) ? { ...account, ...posts[account.account] } : account));
}

function isPostDefault(definition: ReturnType<typeof definitionOf>, key: string): boolean {
  return definition.postDefaults?.some((one) => one === key) || (isSocial(definition) && OF_EVERY_PLATFORM.has(key));
}

/** The defaults of posts that Fanfare adds on each platform. */
const OF_EVERY_PLATFORM: ReadonlySet<string> = new Set(['warning', 'sensitive', 'requireDescription'] satisfies (keyof PostDefaults)[]);

function isSocial({ capabilities }: ReturnType<typeof definitionOf>): boolean {
  return 'createPost' in capabilities;
}

import { secretKeys, type AccountDefinition, type AccountOf, type AccountSetup } from '#adapters/account.ts';
import { adapters } from '#adapters/index.ts';

const definitions = { ...adapters.streaming, ...adapters.social, ...adapters.discord, ...adapters.assistant };

export type { AccountSetup };

/** The prefix of operations in rules. */
export type ClientName = keyof typeof adapters;

/** A platform of accounts. An account from the environment has the name of its platform. */
export type Platform = keyof typeof definitions;

/** An account: its name in rules, its platform and its credentials. */
export type Account = { [P in Platform]: AccountOf<(typeof definitions)[P]> }[Platform];

/** The clients. */
export const CLIENTS = Object.keys(adapters) as ClientName[]; // the keys of a literal

/** The descriptions of the accounts of all platforms. */
export const DEFINITIONS: readonly AccountDefinition[] = Object.values(definitions);

/** The platforms of all accounts. */
export const PLATFORMS = Object.keys(definitions) as Platform[]; // the keys of a literal

/** The platforms that support the verbs of a client. */
export function platformsFor(client: ClientName): readonly Platform[] {
  return Object.keys(adapters[client]) as Platform[]; // the keys of a literal
}

/** The description of the accounts of a platform. */
export function definitionOf({ platform }: { readonly platform: Platform }): AccountDefinition {
  return definitions[platform];
}

export function clientFor({ platform }: { readonly platform: Platform }): ClientName {
  const client = CLIENTS.find((one) => platform in adapters[one]);
  if (!client) throw new Error(`no client uses ${platform}`);
  return client;
}

/** The accounts of one platform, in the configured order. */
export function accountsOn<P extends Platform>(platform: P, accounts: readonly Account[]): readonly Extract<Account, { platform: P }>[] {
  return accounts.filter((account): account is Extract<Account, { platform: P }> => account.platform === platform);
}

/** The parts of a configuration with secrets. */
export interface SecretHolders {
  readonly accounts: readonly Account[];
  readonly key?: string | undefined;
  readonly giphy?: { readonly apiKey: string } | undefined;
  readonly discordSignIn?: { readonly clientSecret: string } | undefined;
  readonly webhooks?: readonly { readonly secret: string }[] | undefined;
  readonly senderSecrets?: ReadonlyMap<string, { readonly secret: string }> | undefined;
  readonly traces?: { readonly headers: Readonly<Record<string, string>> } | undefined;
  readonly databaseUrl?: string | undefined;
}

/** The secret values, which must not appear anywhere. */
export function secretsOf({
  accounts,
  key,
  giphy,
  discordSignIn,
  webhooks = [],
  senderSecrets,
  traces,
  databaseUrl,
}: SecretHolders): readonly string[] {
  const secrets = [
    ...accounts.flatMap(secretsIn),
    key,
    giphy?.apiKey,
    discordSignIn?.clientSecret,
    ...webhooks.map(({ secret }) => secret),
    ...[...(senderSecrets?.values() ?? [])].map(({ secret }) => secret),
    ...Object.values(traces?.headers ?? {}),
    ...secretsInUrl(databaseUrl),
  ];
  return [...new Set(secrets.filter((secret) => secret !== undefined))];
}

/** The address with a password, and the password, unless it is as public as the name of the user. */
function secretsInUrl(url: string | undefined): readonly string[] {
  const parsed = url === undefined ? undefined : URL.parse(url);
  const passwords = [parsed?.password, parsed?.searchParams.get('password')].flatMap((text) => text || []);
  if (url === undefined || passwords.length === 0) return [];
  const open = [parsed?.username, parsed?.pathname.slice(1), 'postgres', 'fanfare'];
  return [url, ...passwords.filter((password) => !open.includes(password)).flatMap((password) => [password, decoded(password)])];
}

/** A password may have a plain %. */
function decoded(password: string): string {
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}

function secretsIn(account: Account): readonly string[] {
  const { form, sharedSecret } = definitionOf(account);
  const keys = new Set([...secretKeys(form), sharedSecret?.key]);
  return Object.entries(account).flatMap(([key, value]) => (keys.has(key) && typeof value === 'string' ? [value] : []));
}

/** The address of an account's platform. */
export function addressOf(account: Account): string {
  return 'url' in account ? account.url : account.apiUrl;
}

/** Whether a sandbox provides all accounts, in this process or in another one; `beside`: it provides some, and the other ones are real. */
export type SandboxUse = 'inside' | 'outside' | 'beside' | 'none';

/** How the accounts use a sandbox. */
export function sandboxUseOf({
  sandbox,
  accounts,
}: {
  readonly sandbox: 'inside' | 'outside' | 'none';
  readonly accounts: readonly Account[];
}): SandboxUse {
  return sandbox === 'none' && accountsOn('sandbox', accounts).length > 0 ? 'beside' : sandbox;
}

/** The sandbox that provides all accounts; undefined: real accounts. */
export function sandboxOriginOf({
  sandbox,
  accounts: [account],
}: {
  readonly sandbox: 'inside' | 'outside' | 'none';
  readonly accounts: readonly Account[];
}): string | undefined {
  return sandbox === 'none' || !account ? undefined : new URL(addressOf(account)).origin;
}

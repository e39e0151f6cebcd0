import type { Credentials } from '#src/config/accounts.ts';
import type { Config } from '#src/config/config.ts';
import type { Accounts } from '#src/rules/accounts.ts';

/** The accounts that rules may name: those with credentials, or all of them where the sandbox plays. */
export function accountsOf({ credentials, sandbox }: Pick<Config, 'credentials' | 'sandbox'>): Accounts {
  const has = (name: keyof Credentials): readonly string[] => (sandbox === 'inside' || credentials[name] ? [name] : []);
  const all = { streaming: has('twitch'), social: has('sandbox'), discord: has('discord') };
  return Object.fromEntries(Object.entries(all).map(([client, names]) => [client, { all: names, defaults: names }]));
}

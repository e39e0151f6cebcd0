import { accountsOf } from '#src/app/accounts.ts';
import { readConfig, settleConfig } from '#src/config/config.ts';
import { readFanfareFile } from '#src/config/read-fanfare-file.ts';
import type { Accounts } from '#src/rules/accounts.ts';

/** One account on each platform that a rule can use, without Kick: two streaming platforms require a choice in each rule. */
const EVERY_VARIABLE = {
  TWITCH_CLIENT_ID: 'i',
  TWITCH_CLIENT_SECRET: 'j',
  X_API_KEY: 'k',
  X_API_SECRET: 's',
  X_ACCESS_TOKEN: 't',
  X_ACCESS_SECRET: 'u',
  BLUESKY_HANDLE: 'ada.example.org',
  BLUESKY_APP_PASSWORD: 'p',
  MASTODON_URL: 'https://example.social',
  MASTODON_TOKEN: 'm',
  DISCORD_TOKEN: 'd',
  DISCORD_GUILD_ID: '1202584131993600007',
  ASSISTANT_API_KEY: 'a',
  ASSISTANT_MODEL: 'm',
};

/** The installations for which pages are written: the sandbox, and one with accounts everywhere. */
export const installations: readonly Accounts[] = [accountsOf(readConfig({})), accountsOf(readConfig(EVERY_VARIABLE))];

const KICK_VARIABLES = { KICK_CLIENT_ID: 'i', KICK_CLIENT_SECRET: 'j' };

/** The accounts of an installation with this `fanfare.yaml`, and with Kick if it chooses a streaming platform. Every variable that the file names is set. */
export function accountsWith(config: string): { readonly accounts: Accounts; readonly mistakes: readonly string[] } {
  const { file, diagnostics } = readFanfareFile('fanfare.yaml', config);
  const named = [...config.matchAll(/\$\{(\w+)\}/gu)].map(([, name = '']) => [name, 'secret'] as const);
  const kick = /^ +streaming:/mu.test(config) ? KICK_VARIABLES : {};
  const settled = settleConfig({ ...EVERY_VARIABLE, ...kick, ...Object.fromEntries(named) }, file);
  return {
    accounts: accountsOf(settled.config),
    mistakes: [...diagnostics.map(({ message }) => message), ...settled.mistakes.map(({ message }) => message)],
  };
}

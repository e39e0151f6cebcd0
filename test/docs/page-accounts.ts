import { accountsOf } from '#src/app/accounts.ts';
import { configOfEnvironment, mergeConfig } from '#src/config/config.ts';
import { readFanfareFile } from '#src/config/read-fanfare-file.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { NETWORK_VARIABLES } from '../support/every-network.ts';

/** One account on each platform that a rule can use, without Kick and YouTube: two streaming platforms require a choice in each rule. */
const EVERY_VARIABLE = {
  ...NETWORK_VARIABLES,
  DISCORD_TOKEN: 'd',
  DISCORD_GUILD_ID: '1202584131993600007',
  ASSISTANT_API_KEY: 'a',
  ASSISTANT_MODEL: 'm',
  FANFARE_WEBHOOK_KOFI_TOKEN: '0123456789abcdef',
  FANFARE_WEBHOOK_OWNCAST_TOKEN: '0123456789abcdef',
  FANFARE_WEBHOOK_GITHUB_SECRET: '0123456789abcdef',
};

const { TWITCH_CLIENT_ID: _id, TWITCH_CLIENT_SECRET: _secret, ...WITHOUT_TWITCH } = EVERY_VARIABLE;

/** The installations for which pages are written: the sandbox, one with accounts everywhere, and one with YouTube instead of Twitch. */
export const installations: readonly Accounts[] = [{}, EVERY_VARIABLE, { ...WITHOUT_TWITCH, YOUTUBE_API_KEY: 'y' }].map((variables) =>
  accountsOf(configOfEnvironment(variables)),
);

const OTHER_STREAMING = { KICK_CLIENT_ID: 'i', KICK_CLIENT_SECRET: 'j', YOUTUBE_API_KEY: 'y' };

/** The accounts of an installation with this `fanfare.yaml`, and with Kick and YouTube if it chooses a streaming platform. Every variable that the file names is set. */
export function accountsWith(config: string): { readonly accounts: Accounts; readonly mistakes: readonly string[] } {
  const { file, diagnostics } = readFanfareFile('fanfare.yaml', config);
  const named = [...config.matchAll(/\$\{(\w+)\}/gu)].map(([, name = '']) => [name, 'secret'] as const);
  const others = /^ +streaming:/mu.test(config) ? OTHER_STREAMING : {};
  const settled = mergeConfig({ ...EVERY_VARIABLE, ...others, ...Object.fromEntries(named) }, file);
  return {
    accounts: accountsOf(settled.config),
    mistakes: [...diagnostics.map(({ message }) => message), ...settled.mistakes.map(({ message }) => message)],
  };
}

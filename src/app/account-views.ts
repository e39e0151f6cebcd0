import type { Account } from '#src/config/accounts.ts';
import type { Config } from '#src/config/config.ts';
import type { AccountView } from '#src/web/views.ts';
import type { AccountHealth } from './account-health.ts';
import type { DiscordConnection } from './connect-discord.ts';

const ROLES: Readonly<Record<Account['platform'], AccountView['role']>> = {
  twitch: 'streaming',
  kick: 'streaming',
  x: 'social',
  bluesky: 'social',
  mastodon: 'social',
  sandbox: 'social',
  discord: 'chat',
  assistant: 'assistant',
};

/** The accounts in use, and how they are. */
export function accountViews(
  { accounts, sandbox }: Pick<Config, 'accounts' | 'sandbox'>,
  { discord, health }: { readonly discord: DiscordConnection; readonly health: AccountHealth },
): readonly AccountView[] {
  return accounts.map(({ account: name, platform }): AccountView => {
    const trouble = health.troubleOf(name);
    const view = {
      name,
      platform: platform === 'assistant' ? 'openai' : platform,
      role: ROLES[platform],
      sandbox: sandbox !== 'none' || platform === 'sandbox',
    };
    if (platform !== 'discord' || discord.state === 'absent') return { ...view, state: trouble ? 'failed' : 'connected', ...trouble };
    const state = discord.state === 'restoring' ? 'connecting' : discord.state;
    return { ...view, state: trouble ? 'failed' : state, ...(discord.problem === undefined ? trouble : { problem: discord.problem }) };
  });
}

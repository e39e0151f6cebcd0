import type { Config } from '#src/config/config.ts';
import type { AccountView } from '#src/web/views.ts';
import type { AccountHealth } from './account-health.ts';
import type { DiscordConnection } from './connect-discord.ts';

/** The accounts in use, and how they are. */
export function accountViews(
  { credentials, sandbox }: Config,
  { discord, health }: { readonly discord: DiscordConnection; readonly health: AccountHealth },
): readonly AccountView[] {
  const played = sandbox !== 'none';

  function used(name: string): Pick<AccountView, 'name' | 'sandbox' | 'state' | 'problem'> {
    const problem = health.problemOf(name);
    return { name, sandbox: played, state: problem === undefined ? 'connected' : 'failed', problem };
  }

  const sending = health.problemOf('discord');
  const views: (AccountView | false)[] = [
    credentials.twitch !== undefined && { ...used('twitch'), platform: 'twitch', role: 'streaming' },
    credentials.kick !== undefined && { ...used('kick'), platform: 'kick', role: 'streaming' },
    credentials.sandbox !== undefined && { ...used('sandbox'), platform: 'sandbox', role: 'social', sandbox: true },
    discord.state !== 'absent' && {
      name: 'discord',
      platform: 'discord',
      role: 'chat',
      sandbox: played,
      state: sending === undefined ? discord.state : 'failed',
      problem: discord.problem ?? sending,
    },
    credentials.assistant !== undefined && { ...used('assistant'), platform: 'openai', role: 'assistant' },
  ];
  return views.filter((view) => view !== false);
}

import type { Config } from '#src/config/config.ts';
import type { AccountView } from '#src/web/views.ts';
import type { DiscordConnection } from './connect-discord.ts';

/** The accounts in use, and how they are. */
export function accountViews({ credentials, sandbox }: Config, discord: DiscordConnection): readonly AccountView[] {
  const played = sandbox !== 'none';
  const connected = { sandbox: played, state: 'connected' } as const;
  const views: (AccountView | false)[] = [
    credentials.twitch !== undefined && { name: 'twitch', platform: 'twitch', role: 'streaming', ...connected },
    credentials.kick !== undefined && { name: 'kick', platform: 'kick', role: 'streaming', ...connected },
    credentials.sandbox !== undefined && { name: 'sandbox', platform: 'sandbox', role: 'social', ...connected, sandbox: true },
    discord.state !== 'absent' && {
      name: 'discord',
      platform: 'discord',
      role: 'chat',
      sandbox: played,
      state: discord.state,
      problem: discord.problem,
    },
    credentials.assistant !== undefined && { name: 'assistant', platform: 'openai', role: 'assistant', ...connected },
  ];
  return views.filter((view) => view !== false);
}

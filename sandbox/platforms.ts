import { assistantServer } from './assistant/server.ts';
import type { PlatformFactory } from './context.ts';
import { discordServer } from './discord/discord.ts';
import { feedServer } from './feeds/server.ts';
import { kickServer } from './kick/server.ts';
import { socialServer } from './social/server.ts';
import { twitchServer } from './twitch/server.ts';

/** The platforms of the demo. */
export const sandboxPlatforms: readonly PlatformFactory[] = [
  twitchServer,
  kickServer,
  discordServer,
  socialServer,
  feedServer,
  assistantServer,
];

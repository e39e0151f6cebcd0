import type { SandboxContext } from '../context.ts';
import type { Commands } from './commands/store.ts';
import type { Gateway } from './gateway/gateway.ts';
import type { ScheduledEvents } from './guild/events.ts';
import type { Guild } from './guild/guild.ts';
import type { Guilds } from './guild/guilds.ts';
import type { Endpoint } from './interactions/endpoint.ts';
import type { Interactions } from './interactions/interactions.ts';
import type { Files } from './messages/parts.ts';
import type { Messages } from './messages/message.ts';
import type { RateLimits } from './rest/rate-limits.ts';
import type { Snowflakes } from './snowflake.ts';

/** The stateful parts of the Discord server. Functions implement its behavior over them. */
export interface Discord {
  readonly context: SandboxContext;
  readonly ids: Snowflakes;
  readonly guilds: Guilds;
  readonly events: ScheduledEvents;
  readonly messages: Messages;
  readonly files: Files;
  readonly commands: Commands;
  readonly interactions: Interactions;
  readonly endpoint: Endpoint;
  readonly gateway: Gateway;
  readonly limits: RateLimits;
}

/** The Discord server and one of its guilds. */
export interface InGuild extends Discord {
  readonly guild: Guild;
}

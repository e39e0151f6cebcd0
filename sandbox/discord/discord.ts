import { Hono } from 'hono';
import { STATUS_CODES } from 'node:http';
import type { PlatformServer, SandboxContext } from '../context.ts';
import { Commands } from './commands/store.ts';
import { controlRoutes } from './control/control.ts';
import { gatewayContent } from './gateway/content.ts';
import { Gateway } from './gateway/gateway.ts';
import { ScheduledEvents } from './guild/events.ts';
import { Guilds } from './guild/guilds.ts';
import { BOT_TOKEN, CLIENT_SECRET, GUILD_ID } from './identity.ts';
import { Endpoint } from './interactions/endpoint.ts';
import { Interactions } from './interactions/interactions.ts';
import { Files } from './messages/parts.ts';
import { Messages } from './messages/message.ts';
import { oauthRoutes } from './oauth.ts';
import type { Discord } from './parts.ts';
import { Refusal, refusals } from './refusal.ts';
import { orderedTooMany, RateLimits, type LimitOverrides } from './rest/rate-limits.ts';
import { restRoutes } from './rest/rest.ts';
import { Snowflakes } from './snowflake.ts';
import { viewRoutes } from './view/routes.ts';

const HEARTBEAT_MS = 41_250;
const ANSWER_MS = 3_000;
const DEFAULT_RETRY_MS = 1000;

/** Discord's error codes for the status codes of faults. */
const FAULT_ERRORS: Readonly<Record<number, readonly [code: number, message: string]>> = {
  403: [50_013, 'Missing Permissions'],
  404: [10_003, 'Unknown Channel'],
};

export interface DiscordOptions {
  /** The heartbeat interval, in real time. */
  readonly heartbeatMs?: number | undefined;
  /** An interaction fails if the bot does not respond to it within this time. */
  readonly answerMs?: number | undefined;
  readonly limits?: LimitOverrides | undefined;
  /** The recommended number of shards. */
  readonly shards?: number | undefined;
}

/** A simulated Discord with REST API, gateway and control API. It has two guilds. The bot is a member of the first. */
export function discordServer(
  context: SandboxContext,
  { heartbeatMs = HEARTBEAT_MS, answerMs = ANSWER_MS, limits, shards = 1 }: DiscordOptions = {},
): PlatformServer {
  const { clock, journal, world } = context;
  const gatewayUrl = () => `${context.url().replace(/^http/, 'ws')}/discord/gateway`;
  const ids = new Snowflakes(clock);
  const guilds = new Guilds({ journal, world });
  const messages = new Messages({ journal, clock, ids });
  const discord: Discord = {
    context,
    ids,
    guilds,
    events: new ScheduledEvents(journal),
    messages,
    files: new Files({ journal, ids }),
    commands: new Commands({ journal, ids }),
    interactions: new Interactions({ clock, ids, answerMs }),
    endpoint: new Endpoint({ clock, answerMs }),
    gateway: new Gateway({ clock, heartbeatMs, content: gatewayContent({ guilds, messages, gatewayUrl }), shards }),
    limits: new RateLimits(clock, limits),
  };
  return {
    name: 'discord',
    routes: new Hono()
      .route('/', oauthRoutes(discord))
      .route('/api/v10', restRoutes(discord, gatewayUrl))
      .route('/view', viewRoutes(discord))
      .get('/cdn/attachments/:channel/:file/:name', (c) => {
        const file = discord.files.find(c.req.param('file'));
        if (!file) return refusals.noRoute().toResponse();
        return c.body(file.bytes, 200, { 'Content-Type': file.contentType ?? 'application/octet-stream' });
      }),
    control: controlRoutes(discord),

    refuse(status, retryAfterMs = DEFAULT_RETRY_MS) {
      if (status === 429) return orderedTooMany(retryAfterMs, clock.nowMs());
      const [code, message] = FAULT_ERRORS[status] ?? [0, `${status}: ${STATUS_CODES[status] ?? 'Error'}`];
      return new Refusal(status, code, message).toResponse();
    },

    upgrade(request, socket, head) {
      if (new URL(request.url ?? '', 'ws://gateway').pathname === '/discord/gateway') discord.gateway.upgrade(request, socket, head);
      else socket.destroy();
    },

    async close() {
      discord.interactions.close();
      await discord.gateway.close();
    },

    environment: () => ({
      DISCORD_TOKEN: BOT_TOKEN,
      DISCORD_GUILD_ID: GUILD_ID,
      DISCORD_CLIENT_SECRET: CLIENT_SECRET,
      DISCORD_API_URL: `${context.url()}/discord/api`,
    }),
  };
}

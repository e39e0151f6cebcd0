import { Hono } from 'hono';
import { BOT_TOKEN } from '../identity.ts';
import type { Discord } from '../parts.ts';
import { Refusal, refusals } from '../refusal.ts';
import { commandRoutes, interactionRoutes } from './commands.ts';
import { eventRoutes } from './events.ts';
import { guildRoutes, memberRoutes } from './guild.ts';
import { messageRoutes, reactionRoutes } from './messages.ts';
import { globallyLimited } from './rate-limits.ts';
import { threadRoutes } from './threads.ts';
import { ownWebhookRoutes, webhookRoutes } from './webhooks.ts';

/** Discord's REST API, version 10. */
export function restRoutes(discord: Discord, gatewayUrl: () => string): Hono {
  const { gateway } = discord;
  const forBots = new Hono()
    .use(async (c, next) => {
      if (c.req.header('authorization') !== `Bot ${BOT_TOKEN}` || gateway.isTokenReset) throw refusals.unauthorized();
      await next();
    })
    .use(globallyLimited(discord.limits))
    .get('/gateway/bot', (c) => c.json({ url: gatewayUrl(), ...gateway.sessionStarts }))
    .route('/', guildRoutes(discord))
    .route('/', memberRoutes(discord))
    .route('/', eventRoutes(discord))
    .route('/', messageRoutes(discord))
    .route('/', reactionRoutes(discord))
    .route('/', threadRoutes(discord))
    .route('/', commandRoutes(discord))
    .route('/', ownWebhookRoutes(discord))
    .all('*', () => {
      throw refusals.noRoute();
    });

  return new Hono()
    .get('/gateway', (c) => c.json({ url: gatewayUrl() }))
    .route('/', webhookRoutes(discord))
    .route('/', interactionRoutes(discord))
    .route('/', forBots)
    .onError((error) => {
      if (error instanceof Refusal) return error.toResponse();
      throw error;
    });
}

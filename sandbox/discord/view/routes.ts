import { Hono } from 'hono';
import { z } from 'zod';
import { OrderError } from '../../control/order-error.ts';
import { readQuery } from '../../control/read-order.ts';
import { hasLocalOrigin } from '../../local-only.ts';
import { createGuild } from '../control/changes.ts';
import { channelNamed, inGuild, personNamed } from '../named.ts';
import type { Discord } from '../parts.ts';
import { channelPage } from './page.ts';

const Query = z.strictObject({
  /** The name or id of the channel's guild. Default: the first guild. */
  guild: z.string().optional(),
  /** The handle of the member who sees the page. */
  as: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(50),
});

/** The page may load pictures and create a server, but has no scripts. */
const POLICY = "default-src 'none'; img-src * data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'";

/** Pages that show the channels like Discord. */
export function viewRoutes(discord: Discord): Hono {
  return new Hono()
    .get('/', (c) => c.redirect(`./view/${channelNamed(inGuild(discord, {}), 'general').id}`))
    .post('/servers', (c) => {
      // A page of another site can send this form too.
      if (!hasLocalOrigin(c.req.header('origin'))) return c.text('the sandbox accepts this form from its own page only\n', 403);
      const { channels } = createGuild(discord, {
        name: `Server ${discord.guilds.all.length + 1}`,
        preferredLocale: 'en-US',
        owner: undefined,
      });
      return c.redirect(`../view/${channels[0]?.id}`, 303);
    })
    .get('/:channel', (c) => {
      const { guild, as, limit } = readQuery(c, Query);
      const scope = inGuild(discord, { guild, channel: c.req.param('channel') });
      const member = as === undefined ? undefined : personNamed(scope, as, 'as');
      const channel = channelNamed(scope, c.req.param('channel'));
      c.header('Content-Security-Policy', POLICY);
      return c.html(channelPage(channel, { discord: scope, member, nowMs: discord.context.clock.nowMs() }, limit));
    })
    .onError((error, c) => {
      if (error instanceof OrderError) return c.text(`${error.message}\n`, 400);
      throw error;
    });
}

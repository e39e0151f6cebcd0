import { Hono } from 'hono';
import { z } from 'zod';
import { channelNamed, inGuild, personNamed } from '../named.ts';
import { OrderError } from '../order-error.ts';
import type { Discord } from '../parts.ts';
import { channelPage } from './channel-page.ts';

const Query = z.object({
  /** The guild that a channel is named in, by name or id; absent: the first. */
  guild: z.string().optional(),
  /** Who looks, by name. */
  as: z.string().optional(),
  /** The interaction whose modal or choices are open. */
  open: z.string().optional(),
  unfold: z.string().optional(),
  zone: z.string().default('UTC'),
  locale: z.string().default('en-GB'),
  limit: z.coerce.number().int().min(1).max(1000).default(50),
});

/** The content security policy of the page: pictures, but no scripts. */
const POLICY = "default-src 'none'; img-src * data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** Shows the channels to who wants to look at them, as Discord would. */
export function viewRoutes(discord: Discord): Hono {
  return new Hono()
    .get('/', (c) => c.redirect(`./view/${channelNamed(inGuild(discord, {}), 'general').id}`))
    .get('/:channel', (c) => {
      const { data: query, error } = Query.safeParse(c.req.query());
      if (!query) throw new OrderError(z.prettifyError(error));
      const { guild, as, open, unfold, zone, locale, limit } = query;
      const there = inGuild(discord, { guild, channel: c.req.param('channel') });
      const member = as === undefined ? undefined : personNamed(there, as);
      const looker = { discord: there, member, nowMs: discord.context.clock.nowMs(), zone, locale, unfolded: unfold !== undefined };
      const channel = channelNamed(there, c.req.param('channel'));
      const opened = open === undefined ? undefined : discord.interactions.find(open);
      c.header('Content-Security-Policy', POLICY);
      return c.html(channelPage({ channel, looker, limit, opened }));
    })
    .onError((error, c) => {
      if (error instanceof OrderError || error instanceof RangeError) return c.text(`${error.message}\n`, 400);
      throw error;
    });
}

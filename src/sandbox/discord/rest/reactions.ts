import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { Id, parseForm } from '../form.ts';
import { APPLICATION_ID } from '../guild/identity.ts';
import { toUser } from '../guild/wire.ts';
import { clearReactions, findReaction, react, toEmojiName, unreact, type Emoji } from '../messages/reacting.ts';
import type { Discord } from '../parts.ts';
import { refusals } from '../refusal.ts';
import { compareIds } from '../snowflake.ts';
import { channelOf, demand, idOf, messageOf, openMessageOf } from './lookups.ts';
import { limited } from './rate-limits.ts';

const Reactors = z.object({ limit: z.coerce.number().int().min(1).max(100).default(25), after: Id.optional() });

const path = '/channels/:channel/messages/:message/reactions';

/** Reactions to messages. */
export function reactionRoutes(discord: Discord): Hono {
  const limit = limited(discord.limits, 'react', 'channel');
  return new Hono()
    .put(`${path}/:emoji/@me`, limit, (c) => {
      const message = openMessageOf(discord, c);
      const emoji = emojiOf(c);
      if (!findReaction(message, emoji)) demand(discord, 'AddReactions', channelOf(discord, c));
      react(discord, message, emoji, APPLICATION_ID);
      return c.body(null, 204);
    })
    .delete(`${path}/:emoji/@me`, limit, (c) => {
      unreact(discord, openMessageOf(discord, c), emojiOf(c), APPLICATION_ID);
      return c.body(null, 204);
    })
    .delete(`${path}/:emoji/:user`, limit, (c) => {
      const message = openMessageOf(discord, c);
      demand(discord, 'ManageMessages', channelOf(discord, c));
      unreact(discord, message, emojiOf(c), idOf(c, 'user'));
      return c.body(null, 204);
    })
    .delete(`${path}/:emoji`, limit, (c) => {
      const message = openMessageOf(discord, c);
      demand(discord, 'ManageMessages', channelOf(discord, c));
      clearReactions(discord, message, emojiOf(c));
      return c.body(null, 204);
    })
    .delete(path, limit, (c) => {
      const message = openMessageOf(discord, c);
      demand(discord, 'ManageMessages', channelOf(discord, c));
      clearReactions(discord, message);
      return c.body(null, 204);
    })
    .get(`${path}/:emoji`, limit, (c) => c.json(listReactors(discord, c)));
}

function listReactors(discord: Discord, c: Context) {
  const { limit, after } = parseForm(Reactors, c.req.query());
  const ids = findReaction(messageOf(discord, c), emojiOf(c))?.userIds ?? [];
  return ids
    .toSorted(compareIds)
    .filter((id) => after === undefined || compareIds(id, after) > 0)
    .slice(0, limit)
    .flatMap((id) => discord.guilds.findUser(id) ?? [])
    .map(toUser);
}

function emojiOf(c: Context): Emoji {
  const emoji = toEmojiName(c.req.param('emoji') ?? '');
  if (!emoji) throw refusals.unknownEmoji();
  return emoji;
}

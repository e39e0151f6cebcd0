import type { JsonObject } from '#src/clients/operation/json.ts';
import type { WorldEvent } from '../../world/world.ts';
import type { KickChannel, KickWorld } from '../channels.ts';
import { wireInstant } from '../request.ts';
import type { EventType } from './subscription.ts';

export type KickEventBody = JsonObject;

/** The event of Kick for an event of the world. */
export function bodyOf(
  { kind, at, startedAt, game, title, person }: WorldEvent,
  { userId, slug }: KickChannel,
  world: Pick<KickWorld, 'categoryId'>,
): { readonly type: EventType; readonly body: KickEventBody } {
  const broadcaster = {
    is_anonymous: false,
    user_id: userId,
    username: person.displayName,
    is_verified: false,
    profile_picture: '',
    channel_slug: slug,
    identity: null,
  };
  if (kind === 'changedGame' || kind === 'changedTitle') {
    const category = { id: world.categoryId(game), name: game.name, thumbnail: '' };
    const metadata = { title, language: person.language, has_mature_content: false, category };
    return { type: 'livestream.metadata.updated', body: { broadcaster, metadata } };
  }
  const isLive = kind === 'wentLive';
  const times = { started_at: wireInstant(startedAt), ended_at: isLive ? null : wireInstant(at) };
  return { type: 'livestream.status.updated', body: { broadcaster, is_live: isLive, title, ...times } };
}

import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Broadcast } from '../../world/world.ts';
import { Refusal } from '../../refusal.ts';
import { type HelixPage, type HelixRequest, cutPage, pageRequest, wireInstant } from './request.ts';

/** `GET /streams`: live streams by viewers that match all filters. */
export function getStreams({ world, query, nowMs, pictures, fault }: HelixRequest): HelixPage<JsonObject> {
  const people = new Set([...query.ids('user_id'), ...query.all('user_login').map((login) => login.toLowerCase())]);
  if (![...people].every((name) => /^\w{1,25}$/.test(name))) throw new Refusal(400, 'Malformed query params.');
  const games = new Set(query.ids('game_id'));
  const languages = new Set(query.all('language').map((language) => language.toLowerCase()));
  query.choice('type', ['all', 'live', 'vodcast']);

  const page = pageRequest(query, nowMs);
  const live = world
    .liveAt(page.atMs)
    .filter(
      ({ person, game, language }) =>
        (people.size === 0 || people.has(person.id) || people.has(person.handle)) &&
        (games.size === 0 || games.has(game.id)) &&
        (languages.size === 0 || languages.has(language)),
    );
  const { data, pagination } = cutPage(live, page, fault);
  return { data: data.map((broadcast) => toWire(broadcast, pictures.preview(broadcast.person.handle))), pagination };
}

function toWire({ id, person, game, title, tags, language, viewerCount, startedAt }: Broadcast, thumbnail: string): JsonObject {
  return {
    id,
    user_id: person.id,
    user_login: person.handle,
    user_name: person.displayName,
    game_id: game.id,
    game_name: game.name,
    type: 'live',
    title,
    viewer_count: viewerCount,
    started_at: wireInstant(startedAt),
    language,
    thumbnail_url: thumbnail,
    tag_ids: [],
    tags: [...tags],
    is_mature: false,
  };
}

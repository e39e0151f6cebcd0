import type { JsonObject } from '#src/clients/operation/json.ts';
import type { WorldGame } from '../../world/world.ts';
import { Refusal } from '../../refusal.ts';
import { type HelixPage, type HelixRequest, cutPage, pageRequest } from './request.ts';

/** `GET /games/top`: games by viewers. */
export function getTopGames({ world, query, nowMs, pictures, fault }: HelixRequest): HelixPage<JsonObject> {
  const page = pageRequest(query, nowMs);
  const viewers = new Map<WorldGame, number>();
  for (const { game, viewerCount } of world.liveAt(page.atMs)) viewers.set(game, (viewers.get(game) ?? 0) + viewerCount);
  const games = [...viewers].toSorted(([, a], [, b]) => b - a).map(([game]) => game);
  const { data, pagination } = cutPage(games, page, fault);
  return { data: data.map((game) => toWire(game, pictures.boxArt(game.id))), pagination };
}

/** `GET /games`: games by id or exact name. */
export function getGames({ world, query, pictures }: HelixRequest): { readonly data: readonly JsonObject[] } {
  const [ids, names, igdbIds] = [query.ids('id'), query.all('name'), query.ids('igdb_id')];
  if (ids.length + names.length + igdbIds.length === 0) throw new Refusal(400, 'Missing required parameter "id", "name" or "igdb_id"');
  const lowerNames = new Set(names.map((name) => name.toLowerCase()));
  const games = world.games.filter(
    ({ id, name, igdbId }) => ids.includes(id) || lowerNames.has(name.toLowerCase()) || (igdbId !== '' && igdbIds.includes(igdbId)),
  );
  return { data: games.map((game) => toWire(game, pictures.boxArt(game.id))) };
}

/** `GET /search/categories`: games whose names contain the text, names that begin with it first. */
export function searchCategories({ world, query, nowMs, pictures, fault }: HelixRequest): HelixPage<JsonObject> {
  const text = query.required('query').toLowerCase();
  const games = world.games
    .filter(({ name }) => name.toLowerCase().includes(text))
    .toSorted((a, b) => Number(b.name.toLowerCase().startsWith(text)) - Number(a.name.toLowerCase().startsWith(text)));
  const { data, pagination } = cutPage(games, pageRequest(query, nowMs), fault);
  return { data: data.map(({ id, name }) => ({ id, name, box_art_url: pictures.smallBoxArt(id) })), pagination };
}

function toWire({ id, name, igdbId }: WorldGame, boxArt: string): JsonObject {
  return { id, name, box_art_url: boxArt, igdb_id: igdbId };
}

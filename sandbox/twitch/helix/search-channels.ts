import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Broadcast, World, WorldPerson } from '../../world/world.ts';
import { type HelixPage, type HelixRequest, cutPage, pageRequest, wireInstant } from './request.ts';

const HISTORY_MS = 2 * 24 * 3_600_000;

/** `GET /search/channels`: channels by the beginning of their names. With `live_only`, the search includes games. Titles are not searched. */
export function searchChannels({ world, query, nowMs, pictures, fault }: HelixRequest): HelixPage<JsonObject> {
  const text = query.required('query').toLowerCase();
  const liveOnly = query.flag('live_only') ?? false;
  const page = pageRequest(query, nowMs);
  const live = new Map(world.liveAt(page.atMs).map((broadcast) => [broadcast.person, broadcast]));

  const named = (person: WorldPerson): boolean => person.handle.startsWith(text);
  const found = liveOnly
    ? [...live.values()].filter(({ person, game }) => named(person) || game.name.toLowerCase().startsWith(text)).map(({ person }) => person)
    : world.people.filter(named).toSorted((a, b) => viewersOf(live.get(b)) - viewersOf(live.get(a)) || b.followerCount - a.followerCount);
  const { data, pagination } = cutPage(found, page, fault);
  const rows = data.map((person) => toWire({ person, ...stateOf(world, person, live.get(person), page.atMs) }, pictures.avatar(person.id)));
  return { data: rows, pagination };
}

function viewersOf(broadcast: Broadcast | undefined): number {
  return broadcast?.viewerCount ?? -1;
}

/** The current stream of a channel, or the last one. */
type ChannelState = Partial<Pick<Broadcast, 'game' | 'title' | 'tags' | 'startedAt'>>;

function stateOf(world: World, person: WorldPerson, live: Broadcast | undefined, atMs: number): ChannelState {
  if (live) return live;
  const last = world.broadcastsBetween({ person, fromMs: atMs - HISTORY_MS, toMs: atMs, atMs }).at(-1);
  return last ? { game: last.game, title: last.title } : {};
}

function toWire(
  { person, game, title = '', tags = [], startedAt }: ChannelState & { readonly person: WorldPerson },
  avatar: string,
): JsonObject {
  return {
    broadcaster_language: person.language,
    broadcaster_login: person.handle,
    display_name: person.displayName,
    game_id: game?.id ?? '',
    game_name: game?.name ?? '',
    id: person.id,
    is_live: startedAt !== undefined,
    tag_ids: [],
    tags: [...tags],
    thumbnail_url: avatar,
    title,
    started_at: startedAt ? wireInstant(startedAt) : '',
  };
}

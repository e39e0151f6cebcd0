import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Broadcast, World, WorldPerson } from '../world/world.ts';
import type { StreamersQuery } from './orders.ts';

interface StreamersPage {
  readonly items: readonly JsonObject[];
  readonly cursor?: string | undefined;
}

/** A page of the streamers: the best known ones first, or the live ones by viewers. */
export function streamersPage(world: World, { text, state, cursor = '0', limit }: StreamersQuery, nowMs: number): StreamersPage {
  const live = new Map(world.liveAt(nowMs).map((broadcast) => [broadcast.person.id, broadcast]));
  const offline = ({ id }: WorldPerson): boolean => !live.has(id);
  const byViewers = [...live.values()].map(({ person }) => person);
  const people = state === 'live' ? byViewers : state === 'offline' ? world.people.filter(offline) : world.people;
  const part = text.trim().toLowerCase();
  const found = people.filter((person) => namesOf(person, live.get(person.id)).some((name) => name.toLowerCase().includes(part)));
  const start = Number(cursor);
  return {
    items: found.slice(start, start + limit).map((person) => toItem(person, live.get(person.id))),
    cursor: found.length > start + limit ? String(start + limit) : undefined,
  };
}

function namesOf({ handle, displayName }: WorldPerson, live: Broadcast | undefined): readonly string[] {
  return [handle, displayName, ...(live ? [live.game.name] : [])];
}

function toItem({ id, handle, displayName }: WorldPerson, live: Broadcast | undefined): JsonObject {
  return {
    user: { id, handle, displayName },
    live: live && {
      broadcastId: live.id,
      game: { id: live.game.id, name: live.game.name },
      title: live.title,
      viewers: live.viewerCount,
      startedAt: live.startedAt.toISOString(),
    },
  };
}

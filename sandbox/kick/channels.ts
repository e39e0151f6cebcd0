import { createDice } from '../world/dice.ts';
import { memoize } from '#src/clients/operation/memoize.ts';
import type { Broadcast, World, WorldGame, WorldPerson } from '../world/world.ts';

/** The share of people with a channel on Kick. */
const SHARE = 0.3;

const dice = createDice(0, 'kick');

/** The channel of a person on Kick. */
export interface KickChannel {
  readonly userId: number;
  readonly slug: string;
  readonly person: WorldPerson;
}

/** The world with the ids and slugs of Kick. */
export interface KickWorld {
  readonly channels: readonly KickChannel[];
  channelOf(person: WorldPerson): KickChannel | undefined;
  bySlug(slug: string): KickChannel | undefined;
  byUserId(userId: number): KickChannel | undefined;
  readonly categories: readonly WorldGame[];
  categoryId(game: WorldGame): number;
  /** The live channels in the order of their start. */
  liveAt(atMs: number): readonly LiveChannel[];
}

export interface LiveChannel extends KickChannel {
  readonly broadcast: Broadcast;
}

/** Whether a person has a channel on Kick, by the index in the world. The regular streamers are the first people. */
export function isOnKick(index: number): boolean {
  return dice(index) < SHARE;
}

const channelsAmong = memoize((people: readonly WorldPerson[]) => {
  const channels = people.flatMap((person, index) =>
    isOnKick(index) ? [{ userId: 1_000_003 + index * 37, slug: person.handle.replaceAll('_', '-'), person }] : [],
  );
  return {
    channels,
    byPerson: new Map(channels.map((channel) => [channel.person.id, channel])),
    bySlug: new Map(channels.map((channel) => [channel.slug, channel])),
    byUserId: new Map(channels.map((channel) => [channel.userId, channel])),
  };
});

/** The people and games on Kick. */
export function kickWorld(world: World): KickWorld {
  const { channels, byPerson, bySlug, byUserId } = channelsAmong(world.people);
  const categoryIds = new Map(world.games.map(({ id }, index) => [id, index + 1]));

  return {
    channels,
    channelOf: ({ id }) => byPerson.get(id),
    bySlug: (slug) => bySlug.get(slug.toLowerCase()),
    byUserId: (userId) => byUserId.get(userId),
    categories: world.games,
    categoryId: ({ id }) => categoryIds.get(id) ?? 0,
    liveAt: (atMs) =>
      world
        .liveAt(atMs)
        .flatMap((broadcast) => {
          const channel = byPerson.get(broadcast.person.id);
          return channel ? [{ ...channel, broadcast }] : [];
        })
        .toSorted((a, b) => a.broadcast.startedAt.getTime() - b.broadcast.startedAt.getTime() || a.userId - b.userId),
  };
}

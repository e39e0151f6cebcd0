import { ValidationError } from '#src/errors.ts';
import type { Game, Stream } from './records.ts';

/** Whether a stream has one of the tags in any case; without tags, every stream matches. */
export function hasTag(tags: readonly string[] = []): (stream: Stream) => boolean {
  const wanted = new Set(tags.map((tag) => tag.toLowerCase()));
  return (stream) => wanted.size === 0 || stream.tags.some((tag) => wanted.has(tag.toLowerCase()));
}

/** A game with the sums over its streams. */
export type CountedGame = Game & { readonly viewerCount: number; readonly liveChannelCount: number };

/** The games of streams, most watched first. */
export function countGames(
  found: readonly { readonly stream: Stream; readonly game: Omit<Game, 'fetchedAt'> | undefined }[],
): readonly CountedGame[] {
  const games = new Map<string, CountedGame>();
  for (const { stream, game } of found) {
    if (!game) continue;
    const { viewerCount, liveChannelCount } = games.get(game.id) ?? { viewerCount: 0, liveChannelCount: 0 };
    games.set(game.id, {
      ...game,
      fetchedAt: stream.fetchedAt,
      viewerCount: viewerCount + stream.viewerCount,
      liveChannelCount: liveChannelCount + 1,
    });
  }
  return [...games.values()].toSorted((a, b) => b.viewerCount - a.viewerCount);
}

/** Checks the filters of `getStreams`; true if an empty list makes the result empty. */
export function matchesNothing(
  { users, games, languages }: Readonly<Partial<Record<'users' | 'games' | 'languages', readonly unknown[] | undefined>>>,
  mostValues: number,
): boolean {
  if (!users && !games && !languages) {
    throw new ValidationError('getStreams: give users, games or languages; getTopStreams lists all.', { path: '' });
  }
  if ([users, games, languages].some((list) => list?.length === 0)) return true;
  for (const [path, values = []] of Object.entries({ games, languages })) {
    if (values.length > mostValues) throw new ValidationError(`getStreams: ${path}: at most ${mostValues} in one call.`, { path });
  }
  return false;
}

const MOST_SUGGESTIONS = 3;

/** A hint for an unknown game: similar names, or the site with the names. */
export function hintForGame(similar: readonly Game[], site: string): string {
  const names = similar.slice(0, MOST_SUGGESTIONS).map((game) => `"${game.name}"`);
  return names.length > 0 ? `did you mean ${names.join(' or ')}?` : `write the name from ${site}.`;
}

/** A name with single spaces, and none at its ends. */
export function withoutSpareSpaces(name: string): string {
  return name.trim().replaceAll(/\s+/gu, ' ');
}

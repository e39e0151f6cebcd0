import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { remembered } from '#src/http/remembered.ts';
import type { Query } from '#src/http/request-parts.ts';
import type { Game } from '#src/streaming/records.ts';
import { MOST_ROWS, type Helix } from './helix.ts';
import { readGames } from './pages.ts';

import { isId } from './users.ts';

const MOST_SUGGESTIONS = 3;

/** Which game a name means. */
export interface GameNames {
  /** The game's id; a name that no game has is a `missing` PlatformError. */
  idOf(game: string | { readonly id: string }, signal: AbortSignal | undefined): Promise<string>;
}

/** Looks names up, and keeps what it found for a day. */
export function gameNames(helix: Helix, clock: Clock): GameNames {
  const idOfName = remembered(clock, (name, signal) => lookUp(helix, name, signal));

  return {
    idOf: async (game, signal) => (typeof game === 'object' ? game.id : idOfName(game, signal)),
  };
}

/** By the exact name, else by the id, else by a name that differs in case only. */
async function lookUp(helix: Helix, name: string, signal: AbortSignal | undefined): Promise<string> {
  const find = async (path: string, query: Query) => (await readGames(helix, path, query, { signal })).items;

  const [named] = await find('/games', { name });
  if (named) return named.id;
  const [numbered] = isId(name) ? await find('/games', { id: name }) : [];
  if (numbered) return numbered.id;
  const similar = await find('/search/categories', { query: name, first: MOST_ROWS });
  const same = similar.find((game) => game.name.toLowerCase() === name.toLowerCase());
  if (same) return same.id;
  throw unknownGame(name, similar);
}

function unknownGame(name: string, similar: readonly Game[]): PlatformError {
  const names = similar.slice(0, MOST_SUGGESTIONS).map((game) => `"${game.name}"`);
  const hint = names.length > 0 ? `did you mean ${names.join(' or ')}?` : 'write its name as it stands on twitch.tv.';
  return new PlatformError(`twitch has no game or category called "${name}": ${hint}`, { platform: 'twitch', fault: 'missing' });
}

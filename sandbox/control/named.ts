import type { World, WorldGame, WorldPerson } from '../world/world.ts';
import { unknownName } from './order-error.ts';

/** The streamer with a handle or an id. Throws an `OrderError` with a suggestion. */
export function requirePerson(world: World, user: string, field = 'user'): WorldPerson {
  const person = world.findPerson(user);
  if (person) return person;
  const known = world.people.map(({ handle }) => handle);
  const hint = `Streamers are, for example, ${known.slice(0, 5).join(', ')}. GET /control/events lists more.`;
  throw unknownName({ field, noun: 'streamer', name: user, known, hint });
}

/** The game with a name or an id. Throws an `OrderError` with a suggestion. */
export function requireGame(world: World, game: string): WorldGame {
  const found = world.findGame(game);
  if (found) return found;
  throw unknownName({ field: 'game', noun: 'game', name: game, known: world.games.map(({ name }) => name) });
}

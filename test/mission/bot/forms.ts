import type { Game, User } from '#src/streaming/records.ts';
import type { Forms } from '../rows.ts';
import type { BotGround } from './ground.ts';
import { gameIn, liveIn } from './world.ts';
import type { WorldPerson } from '#sandbox/world/world.ts';

/** Somebody who is live, in each form that a call can name them. */
export function userForms(of: (ground: BotGround) => WorldPerson): Forms<BotGround, string | number | User> {
  return {
    'username: a handle': (ground) => of(ground).handle,
    'username: a handle in other letters': (ground) => of(ground).handle.toUpperCase(),
    'username: an id': (ground) => of(ground).id,
    'username: a number': (ground) => Number(of(ground).id),
    'username: User': (ground) => ground.client.getUser(of(ground).handle),
  };
}

/** A game in each form that a call can name it. */
export function gameForms(name: string): Forms<BotGround, string | number | Game> {
  return {
    'game: str, its name': () => name,
    'game: str, its name in other letters': () => name.toLowerCase(),
    'game: str, its id': (ground) => gameIn(ground, name).id,
    'game: int': (ground) => Number(gameIn(ground, name).id),
    'game: Game': async (ground) => {
      const games = await ground.client.getTopGames();
      return games.items.find((game) => game.name === name) ?? Promise.reject(new Error(`nobody plays ${name}`));
    },
  };
}

/** The one whom most people watch. */
export function star(ground: BotGround): WorldPerson {
  const [first] = liveIn(ground);
  if (!first) throw new Error('nobody is live');
  return first.person;
}

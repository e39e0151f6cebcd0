import type { PastBroadcast, World, WorldGame, WorldPerson } from '../../world/world.ts';
import { Refusal } from '../../refusal.ts';
import { malformed, type Query } from './query.ts';

const DAY_MS = 24 * 3_600_000;
/** How long what a stream left behind is kept, and for how long it stands under its game. */
export const KEPT_MS = 14 * DAY_MS;
const KEPT_UNDER_GAME_MS = 7 * DAY_MS;
/** How well known somebody has to be to stand under the game at all. */
const RENOWN_UNDER_GAME = 0.95;

/** Of what the past is asked for. */
export interface Subject {
  readonly ids: readonly string[];
  readonly person: WorldPerson | undefined;
  readonly game: WorldGame | undefined;
}

/** Reads `id`, the parameter for a person and `game_id`, of which exactly one has to be there; whom nobody knows is left out. */
export function readSubject(world: World, query: Query, personParameter: string): Subject {
  const [ids, personId, gameId] = [query.all('id'), query.one(personParameter), query.one('game_id')];
  const given = Number(ids.length > 0) + Number(personId !== undefined) + Number(gameId !== undefined);
  if (given !== 1) throw new Refusal(400, `Must provide exactly one of the parameters "id", "${personParameter}" and "game_id"`);
  if (!/^\d*$/.test(personId ?? '')) throw malformed(personParameter, 'the value must match the regular expression /^[0-9]+$/');
  return {
    ids,
    person: personId === undefined ? undefined : world.findPerson(personId),
    game: gameId === undefined ? undefined : world.findGame(gameId),
  };
}

/** The streams of a subject that began in `(fromMs, toMs]` and of which something is kept at `atMs`. */
export function pastOf(
  world: World,
  { person, game }: Subject,
  { fromMs = -Infinity, toMs, atMs }: { readonly fromMs?: number | undefined; readonly toMs: number; readonly atMs: number },
): readonly PastBroadcast[] {
  if (person) return world.broadcastsBetween({ person, fromMs: Math.max(fromMs, atMs - KEPT_MS), toMs, atMs });
  if (!game) return [];
  const sinceMs = Math.max(fromMs, atMs - KEPT_UNDER_GAME_MS);
  return world.broadcastsBetween({ game, leastRenown: RENOWN_UNDER_GAME, fromMs: sinceMs, toMs, atMs });
}

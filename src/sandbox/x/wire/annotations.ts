import type { JsonObject } from '#src/operation/json.ts';
import { fold, hashtagOf, hashtagsIn } from '../../social/hashtags.ts';
import type { WorldGame } from '../../world/world.ts';

const DOMAIN = { id: '71', name: 'Video Game', description: 'Video games, past and present' } as const;

/** The games that a text is about: it has their names or their hashtags. */
function gamesIn(text: string, games: readonly WorldGame[]): readonly WorldGame[] {
  const [folded, tags] = [fold(text), hashtagsIn(text)];
  return games.filter((game) => tags.has(fold(hashtagOf(game))) || folded.includes(fold(game.name)));
}

/** What X believes a text to be about. */
export function annotationsOf(text: string, games: readonly WorldGame[]): readonly JsonObject[] {
  return gamesIn(text, games).map(({ id, name }) => ({ domain: DOMAIN, entity: { id, name } }));
}

/** Whether a text is about `71.516575`: a domain, a dot, an entity; either may be `*`. */
export function isAbout(text: string, context: string, games: readonly WorldGame[]): boolean {
  const [domain = '', entity = ''] = context.split('.');
  if (domain !== '*' && domain !== DOMAIN.id) return false;
  return gamesIn(text, games).some(({ id }) => entity === '*' || entity === id);
}

import type { World, WorldGame } from '../world/world.ts';

/** The intent of a question. */
export interface Intent {
  readonly kind: 'look' | 'post' | 'rule' | 'talk';
  /** The subject, if the question names something of the world. */
  readonly about:
    | { readonly kind: 'game'; readonly name: string }
    | { readonly kind: 'posts' | 'person'; readonly name: string }
    | { readonly kind: 'live' | 'trends' }
    | undefined;
  /** The text of a draft, if the question names nothing of the world. */
  readonly words: string;
}

const LIVE = ['live', 'stream', 'streams', 'streaming', 'streamers', 'online', 'watch', 'watched'];

/** Reads the intent of a question. */
export function intentOf(question: string, { games, people }: Pick<World, 'games' | 'people'>): Intent {
  const words: ReadonlySet<string> = new Set(question.toLowerCase().match(/[\p{L}\p{N}_]+/gu));
  const has = (...wanted: readonly string[]): boolean => wanted.some((word) => words.has(word));
  const isDraft = has('draft', 'write', 'make', 'create', 'add');
  const kind = isDraft && has('rule', 'rules') ? 'rule' : isDraft && has('post', 'posts', 'tweet') ? 'post' : 'look';
  const game = gameNamedIn(question, games);
  const person = people.find(({ handle }) => has(handle));
  const about: Intent['about'] = game
    ? { kind: 'game', name: game.name }
    : person
      ? { kind: kind === 'look' && has('post', 'posts', 'posted', 'wrote') ? 'posts' : 'person', name: person.handle }
      : has('trends', 'trending')
        ? { kind: 'trends' }
        : has(...LIVE)
          ? { kind: 'live' }
          : undefined;
  return { kind: kind === 'look' && !about ? 'talk' : kind, about, words: question.replace(/^.*?\b(?:about|that|saying)\b/isu, '').trim() };
}

/** The game with the longest name in the question. */
export function gameNamedIn(asked: string, games: readonly WorldGame[]): WorldGame | undefined {
  const words = wordsOf(asked);
  const named = games.filter(({ name }) => words.includes(wordsOf(name)));
  return named.toSorted((a, b) => b.name.length - a.name.length)[0];
}

function wordsOf(text: string): string {
  return ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}

import { games, type PlayedGame } from '../content/games.ts';
import { genreTags, languageTags, looseTags } from '../content/tags.ts';
import { titles, titlesByGenre } from '../content/titles.ts';
import { below, createDice, pick, pickWeighted } from '../dice.ts';
import type { Streamer } from '../people.ts';
import type { Chapter, Show } from './show.ts';

export interface ProgramPlan {
  readonly streamer: Streamer;
  readonly startMs: number;
  readonly endMs: number;
  readonly game: PlayedGame;
  /** Never goes over to another game. */
  readonly loyal?: boolean | undefined;
}

/** What shows are about: their titles, tags and changes. */
export interface Programs {
  /** The program of the show with this number. */
  make(show: number, plan: ProgramPlan): Pick<Show, 'chapters' | 'tags'>;
  titleFor(streamer: Streamer, game: PlayedGame, show: number): string;
}

/** Below this a show is too short to change anything. */
const SHORTEST_CHANGING_MS = 20 * 60_000;

/** Makes programs from the seed; `part` tells the parts of the schedule from each other. */
export function createPrograms(seed: number, part: string): Programs {
  const dice = createDice(seed, `program ${part}`);

  function titleFor(streamer: Streamer, game: PlayedGame, show: number, version = 0): string {
    const { language } = streamer.zone;
    const own = titles[language] ?? [];
    const choice = language === 'en' ? [...own, ...titlesByGenre[game.genre]] : own;
    const day = 1 + below(240, dice(show, 1, version));
    return pick(choice, dice(show, 2, version))
      .replace('{game}', game.name)
      .replace('{n}', String(day));
  }

  function tagsFor({ zone }: Streamer, game: PlayedGame, show: number): readonly string[] {
    const tags = [languageTags[zone.language] ?? 'English', pick(genreTags[game.genre], dice(show, 3))];
    if (dice(show, 4) < 0.6) tags.push(pick(genreTags[game.genre], dice(show, 5)));
    if (dice(show, 6) < 0.5) tags.push(pick(looseTags, dice(show, 7)));
    return [...new Set(tags)];
  }

  function make(show: number, { streamer, startMs, endMs, game, loyal = false }: ProgramPlan): Pick<Show, 'chapters' | 'tags'> {
    const opening: Chapter = { fromMs: startMs, game, title: titleFor(streamer, game, show) };
    const tags = tagsFor(streamer, game, show);
    if (endMs - startMs < SHORTEST_CHANGING_MS) return { chapters: [opening], tags };

    // Never early: what a show begins with lasts past its first wave.
    const at = (share: number): number => startMs + Math.floor(((endMs - startMs) * share) / 1000) * 1000;
    const luck = dice(show, 8);
    if (luck < 0.2 && !loyal) {
      const other = pickWeighted(games, dice(show, 9));
      return {
        chapters: [opening, { fromMs: at(0.4 + 0.3 * dice(show, 10)), game: other, title: titleFor(streamer, other, show, 1) }],
        tags,
      };
    }
    if (luck < 0.5) {
      return { chapters: [opening, { fromMs: at(0.3 + 0.4 * dice(show, 10)), game, title: titleFor(streamer, game, show, 1) }], tags };
    }
    return { chapters: [opening], tags };
  }

  return { make, titleFor };
}

import { games, type PlayedGame } from '../content/games.ts';
import { genreTags, languageTags, looseTags, titles, titlesByGenre } from '../content/titles.ts';
import { below, createDice, pick, pickWeighted } from '../dice.ts';
import type { Streamer } from '../people.ts';
import type { Chapter, Show } from './show.ts';

interface ProgramPlan {
  readonly streamer: Streamer;
  readonly startMs: number;
  readonly endMs: number;
  readonly game: PlayedGame;
  /** Whether the game never changes. */
  readonly loyal?: boolean | undefined;
}

/** Creates the program of the show with a number. */
export type ProgramMaker = (show: number, plan: ProgramPlan) => Pick<Show, 'chapters' | 'tags'>;

/** Shorter shows do not change. */
const SHORTEST_CHANGING_MS = 20 * 60_000;

/** Creates titles, tags and changes of shows. `part` names the part of the schedule. */
export function programMaker(seed: number, part: string): ProgramMaker {
  const dice = createDice(seed, `program ${part}`);

  function titleFor(streamer: Streamer, game: PlayedGame, show: number, version = 0): string {
    const { language } = streamer.zone;
    const inLanguage = titles[language] ?? [];
    const choice = language === 'en' ? [...inLanguage, ...titlesByGenre[game.genre]] : inLanguage;
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

  return (show, { streamer, startMs, endMs, game, loyal = false }) => {
    const chapters: [Chapter, ...Chapter[]] = [{ fromMs: startMs, game, title: titleFor(streamer, game, show) }];
    const lengthMs = endMs - startMs;
    const luck = dice(show, 8);
    if (lengthMs >= SHORTEST_CHANGING_MS && luck < 0.5) {
      // The change is late, so that the first wave belongs to the first game.
      const fromMs = startMs + Math.floor((lengthMs * (0.3 + 0.4 * dice(show, 9))) / 1000) * 1000;
      const next = luck < 0.2 && !loyal ? pickWeighted(games, dice(show, 10)) : game;
      chapters.push({ fromMs, game: next, title: titleFor(streamer, next, show, 1) });
    }
    return { chapters, tags: tagsFor(streamer, game, show) };
  };
}

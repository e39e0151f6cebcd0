import type { Genre } from './games.ts';

/** The tag that names the language. */
export const languageTags: Readonly<Record<string, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
  it: 'Italiano',
  pl: 'Polski',
  tr: 'Türkçe',
  ru: 'Русский',
  zh: '中文',
  ko: '한국어',
  ja: '日本語',
};

/** Tags that go with what the game is about. */
export const genreTags: Readonly<Record<Genre, readonly string[]>> = {
  shooter: ['FPS', 'Ranked', 'Competitive'],
  arena: ['MOBA', 'Ranked', 'Strategy'],
  talk: ['IRL', 'Chatty', 'Podcast'],
  build: ['Survival', 'Building', 'Sandbox'],
  board: ['BoardGames', 'Educational', 'Competitive'],
  puzzle: ['Puzzle', 'NoBackseating', 'Relaxing'],
  story: ['FirstPlaythrough', 'NoSpoilers', 'RPG'],
  cosy: ['Cozy', 'Relaxing', 'Farming'],
  race: ['Speedrun', 'PersonalBest', 'Retro'],
  craft: ['Creative', 'WorkInProgress', 'Educational'],
  roguelike: ['Roguelike', 'Challenge', 'Deckbuilder'],
};

/** Tags that anybody may have. */
export const looseTags = [
  'ChillVibes',
  'NewStreamer',
  'AMA',
  'LGBTQIAPlus',
  'Vtuber',
  'Multistream',
  'DropsEnabled',
  'FamilyFriendly',
] as const;

import { type PlayedGame, gameNamed } from './games.ts';

const first = `
  amber arctic autumn azure bitter blazing bold brave brisk calm candid clever copper cosmic crimson curious dapper daring
  distant dizzy dusty eager electric fabled feral fierce fleet frosty gentle ghostly gilded glassy golden grumpy hasty hidden
  hollow humble idle iron jolly keen lazy little lucid lunar mellow merry midnight misty neon nimble noble odd pixel plucky
  polar proud quick quiet ragged rapid rogue royal rustic salty silent silver sleepy sly solar stormy
`;

const second = `
  acorn anchor arrow badger bandit beacon bison bramble canyon cipher comet condor coyote cricket dagger dingo ember falcon
  fathom ferret fjord fox gecko glacier goblin harbor hawk heron hornet ibis jackal kestrel knight lantern lemur lynx magpie
  mantis marmot marten meteor moth nebula newt nomad ocelot orbit osprey otter owl panther parrot pebble pilgrim puffin quokka
  raccoon raven ridge saffron sparrow squid stoat sultan tanuki tapir thistle tundra vortex walrus wizard yak
`;

const firstWords = first.trim().split(/\s+/);
const secondWords = second.trim().split(/\s+/);

/** The number of names. */
const nameCount = firstWords.length * secondWords.length;

/** Coprime to `nameCount`, so that neighbors get different words. */
const STRIDE = 2957;

/** The handle and the display name for a number. They are unique below `nameCount`. */
export function nameOf(number: number): { readonly handle: string; readonly displayName: string } {
  const place = (number * STRIDE) % nameCount;
  const one = firstWords[place % firstWords.length] ?? '';
  const two = secondWords[Math.floor(place / firstWords.length)] ?? '';
  const shown = `${capital(one)}${capital(two)}`;
  switch (number % 5) {
    case 0:
      return { handle: `${one}_${two}`, displayName: `${capital(one)}_${capital(two)}` };
    case 1:
      return { handle: `${one}${two}${number % 97}`, displayName: `${shown}${number % 97}` };
    case 2:
      return { handle: `${one}${two}`, displayName: `${one}${two}` };
    case 3:
      return { handle: `${one}${two}tv`, displayName: `${shown}TV` };
    default:
      return { handle: `${one}${two}`, displayName: shown };
  }
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The bios of people by language. `{game}` is the game that they play most. */
export const bios: Readonly<Record<string, readonly string[]>> = {
  en: [
    'Mostly {game}. Sometimes good at it.',
    '{game} after work, coffee before it.',
    'I stream {game} and talk about soup.',
    'Long nights, short games. Business: ask my cat.',
  ],
  de: ['Meistens {game}, manchmal wach.', 'Feierabendstreams: {game} und Tee.'],
  fr: ['Surtout {game}, et du café.', 'Je joue à {game} le soir.'],
  es: ['{game} y buena charla.', 'Casi siempre {game}.'],
  pt: ['{game} e boa conversa.', 'Quase sempre {game}.'],
  it: ['Quasi sempre {game}.'],
  pl: ['Głównie {game}.'],
  tr: ['Çoğunlukla {game}.'],
  ru: ['В основном {game}.'],
  zh: ['主要玩{game}。'],
  ko: ['주로 {game} 합니다.'],
  ja: ['だいたい{game}をしています。'],
};

/** A person with a fixed name and their games. The first game is the main one. */
export interface Regular {
  readonly displayName: string;
  readonly plays: readonly [PlayedGame, ...PlayedGame[]];
}

/** The six people that examples and tests use. */
export const regulars: readonly Regular[] = [
  { displayName: 'Ada', plays: [gameNamed('Chess'), gameNamed('Software and Game Development'), gameNamed('Tetris')] },
  { displayName: 'Grace', plays: [gameNamed('Hollow Orchard'), gameNamed('Science & Technology'), gameNamed('Minecraft')] },
  { displayName: 'Linus', plays: [gameNamed('2048'), gameNamed('Software and Game Development'), gameNamed('Factorio')] },
  { displayName: 'Margaret', plays: [gameNamed('Portal 2'), gameNamed('Celeste'), gameNamed('Art')] },
  { displayName: 'Dennis', plays: [gameNamed('Retro Marathons'), gameNamed('Go'), gameNamed('Slay the Spire')] },
  { displayName: 'Barbara', plays: [gameNamed('Music'), gameNamed('Baba Is You'), gameNamed('Stardew Valley')] },
];

/** A time zone with a language. */
export interface Zone {
  readonly language: string;
  /** Hours east of UTC. */
  readonly offsetHours: number;
  /** The relative number of people. */
  readonly weight: number;
}

/** The time zones of the streamers. */
export const zones: readonly Zone[] = [
  { language: 'en', offsetHours: -8, weight: 9 },
  { language: 'en', offsetHours: -6, weight: 8 },
  { language: 'en', offsetHours: -5, weight: 12 },
  { language: 'en', offsetHours: 0, weight: 9 },
  { language: 'en', offsetHours: 10, weight: 4 },
  { language: 'en', offsetHours: 5.5, weight: 3 },
  { language: 'es', offsetHours: -6, weight: 6 },
  { language: 'es', offsetHours: -3, weight: 5 },
  { language: 'es', offsetHours: 1, weight: 6 },
  { language: 'pt', offsetHours: -3, weight: 8 },
  { language: 'pt', offsetHours: 0, weight: 1 },
  { language: 'de', offsetHours: 1, weight: 8 },
  { language: 'fr', offsetHours: 1, weight: 7 },
  { language: 'fr', offsetHours: -5, weight: 1 },
  { language: 'it', offsetHours: 1, weight: 3 },
  { language: 'pl', offsetHours: 1, weight: 3 },
  { language: 'tr', offsetHours: 3, weight: 3 },
  { language: 'ru', offsetHours: 3, weight: 6 },
  { language: 'ru', offsetHours: 7, weight: 2 },
  { language: 'zh', offsetHours: 8, weight: 4 },
  { language: 'ko', offsetHours: 9, weight: 7 },
  { language: 'ja', offsetHours: 9, weight: 7 },
];

/** The local hour of the day, with a fraction. */
export function localHour({ offsetHours }: Zone, atMs: number): number {
  return (((atMs / 3_600_000 + offsetHours) % 24) + 24) % 24;
}

import { gameNamed, type PlayedGame } from './games.ts';

/** Somebody with a name of their own, and what they play: most of all the first. */
export interface Regular {
  readonly displayName: string;
  readonly plays: readonly [PlayedGame, ...PlayedGame[]];
}

/** The six that examples and tests can rely on. */
export const regulars: readonly Regular[] = [
  { displayName: 'Ada', plays: [gameNamed('Chess'), gameNamed('Software and Game Development'), gameNamed('Tetris')] },
  { displayName: 'Grace', plays: [gameNamed('Hollow Orchard'), gameNamed('Science & Technology'), gameNamed('Minecraft')] },
  { displayName: 'Linus', plays: [gameNamed('2048'), gameNamed('Software and Game Development'), gameNamed('Factorio')] },
  { displayName: 'Margaret', plays: [gameNamed('Portal 2'), gameNamed('Celeste'), gameNamed('Art')] },
  { displayName: 'Dennis', plays: [gameNamed('Retro Marathons'), gameNamed('Go'), gameNamed('Slay the Spire')] },
  { displayName: 'Barbara', plays: [gameNamed('Music'), gameNamed('Baba Is You'), gameNamed('Stardew Valley')] },
];

/** What a community is called and about. */
export interface Founding {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Its name. */
  readonly game: string;
  readonly joinPolicy: 'open' | 'approval' | 'invitation';
  /** How much of everybody is in it, from 0 to 1. */
  readonly share: number;
}

/** The communities of the platform. */
export const foundings: readonly Founding[] = [
  {
    id: 'speedrunners',
    name: 'Speedrunners',
    description: 'Routes, splits and very long evenings.',
    game: 'Retro Marathons',
    joinPolicy: 'open',
    share: 0.02,
  },
  {
    id: 'chess-club',
    name: 'Chess Club',
    description: 'Endings, openings, and a game at any hour.',
    game: 'Chess',
    joinPolicy: 'open',
    share: 0.025,
  },
  {
    id: 'valorant-nights',
    name: 'VALORANT Nights',
    description: 'Who queues tonight?',
    game: 'VALORANT',
    joinPolicy: 'open',
    share: 0.04,
  },
  {
    id: 'minecraft-builders',
    name: 'Minecraft Builders',
    description: 'Castles, circuits and the odd sheep.',
    game: 'Minecraft',
    joinPolicy: 'open',
    share: 0.03,
  },
  {
    id: 'factory-floor',
    name: 'Factory Floor',
    description: 'Belts that make belts.',
    game: 'Factorio',
    joinPolicy: 'approval',
    share: 0.012,
  },
  {
    id: 'farm-life',
    name: 'Farm Life',
    description: 'Crops, cows and quiet mornings.',
    game: 'Stardew Valley',
    joinPolicy: 'open',
    share: 0.015,
  },
  {
    id: 'deckbuilders',
    name: 'Deckbuilders',
    description: 'One more run, one card fewer.',
    game: 'Balatro',
    joinPolicy: 'open',
    share: 0.014,
  },
  {
    id: 'falling-blocks',
    name: 'Falling Blocks',
    description: 'Four lines at once or nothing.',
    game: 'Tetris',
    joinPolicy: 'approval',
    share: 0.01,
  },
  {
    id: 'summit-climbers',
    name: 'Summit Climbers',
    description: 'Every strawberry, every death counted.',
    game: 'Celeste',
    joinPolicy: 'open',
    share: 0.01,
  },
  {
    id: 'map-guessers',
    name: 'Map Guessers',
    description: 'A bollard, a plate, a country.',
    game: 'GeoGuessr',
    joinPolicy: 'open',
    share: 0.018,
  },
  {
    id: 'rocket-garage',
    name: 'Rocket Garage',
    description: 'Aerials, boosts and paint.',
    game: 'Rocket League',
    joinPolicy: 'approval',
    share: 0.016,
  },
  {
    id: 'orchard-keepers',
    name: 'Orchard Keepers',
    description: 'A small round of friends of one small game.',
    game: 'Hollow Orchard',
    joinPolicy: 'invitation',
    share: 0.006,
  },
];

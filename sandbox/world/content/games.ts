import type { WorldGame } from '../world.ts';

/** The genre of a game, which selects titles and tags. */
export type Genre = 'shooter' | 'arena' | 'talk' | 'build' | 'board' | 'puzzle' | 'story' | 'cosy' | 'race' | 'craft' | 'roguelike';

/** A game with its popularity. */
export interface PlayedGame extends WorldGame {
  readonly genre: Genre;
  /** The relative number of streams. */
  readonly weight: number;
  /** The peak number of viewers of its most popular streamer. */
  readonly crowd: number;
}

type Row = readonly [id: string, name: string, igdbId: string, genre: Genre, weight: number, crowd: number];

const rows: readonly Row[] = [
  ['516575', 'VALORANT', '126459', 'shooter', 0, 9000],
  ['509658', 'Just Chatting', '', 'talk', 40, 9500],
  ['21779', 'League of Legends', '115', 'arena', 26, 8000],
  ['27471', 'Minecraft', '121', 'build', 20, 5200],
  ['33214', 'Fortnite', '1905', 'shooter', 18, 6400],
  ['32399', 'Counter-Strike', '3266', 'shooter', 18, 7000],
  ['29595', 'Dota 2', '2963', 'arena', 12, 4600],
  ['743', 'Chess', '138950', 'board', 10, 3100],
  ['511224', 'Apex Legends', '114795', 'shooter', 9, 3900],
  ['18122', 'World of Warcraft', '123', 'story', 9, 3300],
  ['512710', 'Elden Ring', '119133', 'story', 8, 2900],
  ['30921', 'Rocket League', '11198', 'race', 8, 2400],
  ['263490', 'Rust', '3277', 'build', 7, 2700],
  ['515025', 'Overwatch 2', '125174', 'shooter', 7, 2600],
  ['518203', 'Sports', '', 'talk', 4, 2100],
  ['513143', 'Teamfight Tactics', '117968', 'board', 6, 1900],
  ['138585', 'Hearthstone', '1279', 'board', 5, 1200],
  ['460630', "Tom Clancy's Rainbow Six Siege", '7360', 'shooter', 6, 1500],
  ['1469308723', 'Software and Game Development', '', 'craft', 6, 900],
  ['26936', 'Music', '', 'craft', 6, 1400],
  ['509660', 'Art', '', 'craft', 6, 1000],
  ['509673', 'Makers & Crafting', '', 'craft', 3, 420],
  ['509667', 'Food & Drink', '', 'talk', 3, 520],
  ['509670', 'Science & Technology', '', 'craft', 3, 450],
  ['417752', 'Talk Shows & Podcasts', '', 'talk', 4, 800],
  ['490655', 'Stardew Valley', '17000', 'cosy', 6, 760],
  ['509538', 'Animal Crossing: New Horizons', '109462', 'cosy', 4, 480],
  ['1435206302', 'Dorfromantik', '144054', 'cosy', 3, 260],
  ['66082', 'Games + Demos', '', 'talk', 3, 300],
  ['18846', "Garry's Mod", '472', 'build', 3, 340],
  ['369252', 'Satisfactory', '90558', 'build', 4, 560],
  ['130942', 'Factorio', '7046', 'build', 4, 520],
  ['1229', 'Super Mario World', '1070', 'race', 4, 640],
  ['11557', 'The Legend of Zelda: Ocarina of Time', '1029', 'race', 3, 580],
  ['67735', 'Celeste', '26226', 'race', 3, 380],
  ['490147', 'Hollow Knight', '14593', 'story', 4, 540],
  ['1946', 'Portal 2', '72', 'puzzle', 3, 300],
  ['1801', 'Tetris', '1234', 'puzzle', 4, 460],
  ['369457', '2048', '8356', 'puzzle', 4, 180],
  ['515448', 'Baba Is You', '105049', 'puzzle', 3, 160],
  ['494839', 'Return of the Obra Dinn', '8670', 'puzzle', 2, 150],
  ['1638710', 'Hollow Orchard', '310244', 'cosy', 5, 320],
  ['1702520', 'Lanternfall', '312870', 'story', 3, 240],
  ['1745202', 'Tidewrights', '318406', 'build', 3, 210],
  ['512804', 'Slay the Spire', '40477', 'roguelike', 4, 480],
  ['1678052841', 'Balatro', '251833', 'roguelike', 5, 620],
  ['491368', 'Hades', '113112', 'roguelike', 4, 520],
  ['31374', 'Spelunky 2', '26855', 'roguelike', 3, 280],
  ['436', 'Age of Empires II', '355', 'arena', 4, 640],
  ['490422', 'StarCraft II', '239', 'arena', 3, 560],
  ['490486', 'Gran Turismo 7', '131800', 'race', 3, 420],
  ['19554', 'iRacing', '1985', 'race', 3, 380],
  ['1465', 'GeoGuessr', '55048', 'puzzle', 5, 900],
  ['498566', 'Wingspan Duel', '299102', 'board', 2, 140],
  ['493057', 'PUBG: BATTLEGROUNDS', '27789', 'shooter', 4, 1300],
  ['491931', 'Escape from Tarkov', '17379', 'shooter', 6, 1900],
  ['493997', 'Path of Exile 2', '125642', 'story', 6, 1600],
  ['514974', "Baldur's Gate 3", '119171', 'story', 5, 1100],
  ['496712', 'Cities: Skylines II', '252476', 'build', 3, 330],
  ['743905', 'Go', '141213', 'board', 2, 130],
  ['511736', 'Retro Marathons', '', 'race', 3, 700],
];

/** All games. */
export const games: readonly PlayedGame[] = rows.map(([id, name, igdbId, genre, weight, crowd]) => ({
  id,
  name,
  igdbId,
  genre,
  weight,
  crowd,
}));

/** The game whose top streams change every minute. */
export const VALORANT = gameNamed('VALORANT');

/** The game with a name that the code contains. */
export function gameNamed(name: string): PlayedGame {
  const game = games.find((each) => each.name === name);
  if (!game) throw new RangeError(`there is no game ${name}`);
  return game;
}

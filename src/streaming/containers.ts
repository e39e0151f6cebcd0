import { Container } from '#src/paging/container.ts';
import type { Game, Stream } from './records.ts';

/** The most watched streams of a platform. */
export class TopStreams extends Container<Stream> {}
/** The most watched games of a platform. */
export class TopGames extends Container<Game> {}
/** The streams of one game. */
export class GameStreams extends Container<Stream> {}
/** The streams of chosen channels, games or languages. */
export class Streams extends Container<Stream> {}

/** A person of the world, with a channel and an account on the social platforms. */
export interface WorldPerson {
  /** Digits, as on Twitch. */
  readonly id: string;
  /** Lower case letters, digits and `_`. */
  readonly handle: string;
  readonly displayName: string;
  readonly bio: string;
  readonly language: string;
  readonly createdAt: Date;
  readonly followerCount: number;
}

export interface WorldGame {
  /** Digits. */
  readonly id: string;
  readonly name: string;
  readonly igdbId: string;
}

/** A stream at one instant. */
export interface Broadcast {
  /** Digits. Every start of a stream has a new id. */
  readonly id: string;
  readonly person: WorldPerson;
  readonly game: WorldGame;
  readonly title: string;
  readonly tags: readonly string[];
  readonly language: string;
  readonly viewerCount: number;
  readonly startedAt: Date;
}

/** A stream until an instant. */
export interface PastBroadcast {
  readonly id: string;
  readonly person: WorldPerson;
  /** The game at the start. */
  readonly game: WorldGame;
  /** The first title. */
  readonly title: string;
  readonly language: string;
  readonly startedAt: Date;
  /** Absent during the stream. */
  readonly endedAt: Date | undefined;
  /** The number of viewers after the first wave. */
  readonly steadyViewers: number;
}

export interface WorldEvent {
  readonly at: Date;
  readonly kind: 'wentLive' | 'ended' | 'changedGame' | 'changedTitle';
  readonly person: WorldPerson;
  readonly broadcastId: string;
  /** The start of the stream. A resumed stream keeps its first start. */
  readonly startedAt: Date;
  /** The game after the event; for `ended`, the last game. */
  readonly game: WorldGame;
  /** The title after the event; for `ended`, the last title. */
  readonly title: string;
}

/** An order of the control API. It applies from its instant on. */
export interface WorldOrder {
  /**
   * `goLive` and `end` replace the schedule of the person for a day. `goLive` during a stream starts a new stream. The other
   * orders change the current stream.
   */
  readonly do: 'goLive' | 'end' | 'changeGame' | 'changeTitle' | 'setViewers';
  /** A handle or an id. */
  readonly user: string;
  /** A name or an id. */
  readonly game?: string | undefined;
  readonly title?: string | undefined;
  readonly viewers?: number | undefined;
  /** `goLive`: the id of an earlier broadcast of the person, which the order resumes. */
  readonly broadcastId?: string | undefined;
}

/** Receives the events of an order, which are none if the order changed nothing or only the number of viewers. */
export type OrderListener = (personId: string, events: readonly WorldEvent[]) => void;

/** Selects past streams that began in `(fromMs, toMs]`. */
export interface PastChoice {
  readonly person?: WorldPerson | undefined;
  /** The game at the start. */
  readonly game?: WorldGame | undefined;
  /** The least renown of the streamers, from 0 to 1. It saves time. */
  readonly leastRenown?: number | undefined;
  readonly fromMs: number;
  readonly toMs: number;
  /** The instant of the view. Later events are unknown. */
  readonly atMs: number;
}

/** A simulated world: a function of the seed, the instant and the orders. */
export interface World {
  readonly people: readonly WorldPerson[];
  readonly games: readonly WorldGame[];
  /** Finds a person by id or by handle in any case. */
  findPerson(name: string): WorldPerson | undefined;
  /** Finds a game by id or by name in any case. */
  findGame(name: string): WorldGame | undefined;
  /** The live streams by viewers. */
  liveAt(atMs: number): readonly Broadcast[];
  /** The events in `(fromMs, toMs]`, in order; with `personId`, only those of this person, which saves time. */
  eventsBetween(fromMs: number, toMs: number, personId?: string): readonly WorldEvent[];
  /** Calls `listener` after each order, with the events of this order. Returns a function that ends the calls. */
  onOrder(listener: OrderListener): () => void;
  /** The selected streams, oldest first. */
  broadcastsBetween(choice: PastChoice): readonly PastBroadcast[];
  /** The stream with an id at an instant; undefined before its start. */
  findBroadcast(id: string, atMs: number): PastBroadcast | undefined;
  /**
   * Carries out an order. Returns the current stream of the person.
   *
   * Throws a `RangeError` if the person, the game or the broadcast does not exist, or if the stream to change is not live.
   */
  order(order: WorldOrder, atMs: number): Broadcast | undefined;
}

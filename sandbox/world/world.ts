/** Somebody of the world: has a channel, and an account on the social platform. */
export interface WorldPerson {
  /** Digits, as Twitch has them. */
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
  /** Digits; each going live has its own. */
  readonly id: string;
  readonly person: WorldPerson;
  readonly game: WorldGame;
  readonly title: string;
  readonly tags: readonly string[];
  readonly language: string;
  readonly viewerCount: number;
  readonly startedAt: Date;
}

/** A stream from its start, as far as it has come. */
export interface PastBroadcast {
  readonly id: string;
  readonly person: WorldPerson;
  /** What was played first. */
  readonly game: WorldGame;
  /** The first title. */
  readonly title: string;
  readonly language: string;
  readonly startedAt: Date;
  /** Absent while it goes on. */
  readonly endedAt: Date | undefined;
  /** How many watched, once the first wave had gone. */
  readonly steadyViewers: number;
}

/** Something that happened. */
export interface WorldEvent {
  readonly at: Date;
  readonly kind: 'wentLive' | 'ended' | 'changedGame' | 'changedTitle';
  readonly person: WorldPerson;
  readonly broadcastId: string;
  /** What is played from then on; with `ended`, what was played. */
  readonly game: WorldGame;
  /** The title from then on; with `ended`, the last one. */
  readonly title: string;
}

/** What the control API may tell somebody to do; it holds from the instant it is given. */
export interface WorldOrder {
  /**
   * `goLive` and `end` take their streams out of the schedule for a day: they are live exactly as ordered. With
   * `goLive` who is live already starts anew. The others change the stream that is on, for as long as it is.
   */
  readonly do: 'goLive' | 'end' | 'changeGame' | 'changeTitle' | 'setViewers';
  /** A handle or an id. */
  readonly user: string;
  /** A name or an id. */
  readonly game?: string | undefined;
  readonly title?: string | undefined;
  readonly viewers?: number | undefined;
  /** `goLive`: the id of an earlier broadcast of theirs, which then goes on. */
  readonly broadcastId?: string | undefined;
}

/** Whose streams, or of which game, and when they began: in `(fromMs, toMs]`. */
export interface PastChoice {
  readonly person?: WorldPerson | undefined;
  /** What was played first. */
  readonly game?: WorldGame | undefined;
  /** Only of people at least so well known, from 0 to 1: most are not, and leaving them out saves time. */
  readonly leastRenown?: number | undefined;
  readonly fromMs: number;
  readonly toMs: number;
  /** When they are looked at: what happened later is not known. */
  readonly atMs: number;
}

/** One simulated world: a function of its seed and the instant, and of the orders it was given. */
export interface World {
  readonly people: readonly WorldPerson[];
  readonly games: readonly WorldGame[];
  /** By handle, whatever the case, or id. */
  findPerson(name: string): WorldPerson | undefined;
  /** By name, whatever the case, or id. */
  findGame(name: string): WorldGame | undefined;
  /** Who is live, most watched first. */
  liveAt(atMs: number): readonly Broadcast[];
  /** What happened in `(fromMs, toMs]`, in order. */
  eventsBetween(fromMs: number, toMs: number): readonly WorldEvent[];
  /** The streams that began in that time, oldest first. */
  broadcastsBetween(choice: PastChoice): readonly PastBroadcast[];
  /** The stream with this id as it stands at that instant; undefined before it began. */
  findBroadcast(id: string, atMs: number): PastBroadcast | undefined;
  /**
   * Gives an order; what is then on the person's channel, if anything.
   *
   * Throws a `RangeError` where the order names nobody, a game that there is not, a broadcast of somebody else, or
   * would change a stream that is not on.
   */
  order(order: WorldOrder, atMs: number): Broadcast | undefined;
}

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

/** A stream as it is at one instant. */
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

/** Something that happened. */
export interface WorldEvent {
  readonly at: Date;
  readonly kind: 'wentLive' | 'ended' | 'changedGame' | 'changedTitle';
  readonly person: WorldPerson;
  readonly broadcastId: string;
  readonly game: WorldGame;
}

/** What the control API may tell somebody to do; it holds from the instant it is given. */
export interface WorldOrder {
  readonly do: 'goLive' | 'end' | 'changeGame' | 'changeTitle' | 'setViewers';
  /** A handle. */
  readonly user: string;
  /** A name. */
  readonly game?: string | undefined;
  readonly title?: string | undefined;
  readonly viewers?: number | undefined;
  /** `goLive`: the id of an earlier broadcast of theirs, which then goes on. */
  readonly broadcastId?: string | undefined;
}

/** One simulated world: a function of its seed and the instant, and of the orders it was given. */
export interface World {
  readonly people: readonly WorldPerson[];
  readonly games: readonly WorldGame[];
  /** By handle or id. */
  findPerson(name: string): WorldPerson | undefined;
  /** By name, whatever the case, or id. */
  findGame(name: string): WorldGame | undefined;
  /** Who is live, most watched first. */
  liveAt(atMs: number): readonly Broadcast[];
  /** What happened in `(fromMs, toMs]`, in order. */
  eventsBetween(fromMs: number, toMs: number): readonly WorldEvent[];
  /** Throws a `RangeError` where the order names nobody, or a game that there is not. */
  order(order: WorldOrder, atMs: number): void;
}

import type { Container } from '#src/clients/paging/container.ts';
import type { FaultOrder } from '#sandbox/faults.ts';
import type { Broadcast, PastBroadcast, World, WorldGame, WorldPerson } from '#sandbox/world/world.ts';
import type { StreamingPlatform } from '#src/clients/streaming/bot.ts';
import type { ManualClock } from '../support/manual-clock.ts';

/** A platform to test an adapter on, and the truth about it. */
export interface StreamingFixture extends AsyncDisposable {
  readonly platform: StreamingPlatform;
  readonly clock: ManualClock;
  /** The simulated world of the platform. */
  readonly world: World;
  /** The id and handle of a person on the platform. Undefined without a channel there. */
  readonly channelOf: (person: WorldPerson) => { readonly id: string; readonly handle: string } | undefined;
  readonly gameIdOf: (game: WorldGame) => string;
  readonly streamIdOf: (broadcast: Pick<Broadcast, 'id' | 'person' | 'startedAt'>) => string;
  /** Makes the next reads fail. */
  fail(order: Omit<FaultOrder, 'platform'>): void;
  /** The number of reads. */
  reads(): Promise<number>;
}

export type OpenStreaming = () => Promise<StreamingFixture>;

export const whole = { pages: 'all', waitTime: 0 } as const;

type Operation = keyof StreamingPlatform['capabilities'];

/** A fixture for a test of an operation. If the platform does not support it, the test is skipped with the reason of the capability. */
export async function openFor(operation: Operation, open: OpenStreaming, skip: (reason: string) => never): Promise<StreamingFixture> {
  const fixture = await open();
  const capability = fixture.platform.capabilities[operation];
  if (capability.support !== 'unsupported') return fixture;
  await fixture[Symbol.asyncDispose]();
  return skip(`${operation}: ${capability.reason}: ${capability.detail ?? ''}`);
}

/** The fields of a broadcast that a record and the world have in common. */
export interface Seen {
  readonly id: string;
  readonly userId: string;
  readonly handle: string;
  readonly displayName: string;
  readonly gameId: string | undefined;
  readonly game: string | undefined;
  readonly title: string;
  readonly tags: readonly string[];
  readonly language: string | undefined;
  readonly viewerCount: number;
  readonly startedAt: Date;
}

/** The live broadcasts of the platform, most watched first. */
export function liveIn(fixture: StreamingFixture): readonly Broadcast[] {
  return fixture.world.liveAt(fixture.clock.nowMs()).filter(({ person }) => fixture.channelOf(person) !== undefined);
}

export function toSeen(fixture: StreamingFixture, broadcast: Broadcast): Seen {
  const { person, game, title, tags, language, viewerCount } = broadcast;
  const { id: userId = '', handle = '' } = fixture.channelOf(person) ?? {};
  return {
    id: fixture.streamIdOf(broadcast),
    userId,
    handle,
    displayName: person.displayName,
    gameId: fixture.gameIdOf(game),
    game: game.name,
    title,
    tags,
    language,
    viewerCount,
    startedAt: wholeSecond(broadcast.startedAt),
  };
}

/** The streams of a user with recordings, newest first. */
export function pastOf({ world, clock }: StreamingFixture, person: WorldPerson, days: number): readonly PastBroadcast[] {
  const atMs = clock.nowMs();
  return world.broadcastsBetween({ person, fromMs: atMs - days * 86_400_000, toMs: atMs, atMs }).toReversed();
}

/** The instant in whole seconds, as platforms report it. */
export function wholeSecond(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1000) * 1000);
}

export function idsOf(items: Iterable<{ readonly id: string }>): readonly string[] {
  return Array.from(items, ({ id }) => id);
}

export function falling(numbers: readonly number[]): readonly number[] {
  return numbers.toSorted((a, b) => b - a);
}

export function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** The items of a walk that stops after each page and continues from the cursor. */
export async function pieceByPiece<T>(call: (cursor: string | undefined) => PromiseLike<Container<T>>): Promise<readonly T[]> {
  const pieces: T[] = [];
  let cursor: string | undefined;
  do {
    const piece = await call(cursor);
    pieces.push(...piece);
    cursor = piece.cursor;
  } while (cursor !== undefined);
  return pieces;
}

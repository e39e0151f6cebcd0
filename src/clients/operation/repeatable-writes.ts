import { hash } from 'node:crypto';
import type { Clock } from '#src/clock.ts';
import { CursorError, type Fault, PlatformError, UnsupportedOperation, UnsupportedParameter, ValidationError } from '#src/errors.ts';
import type { WriteOptions } from './call.ts';
import type { Inconclusive, RecoverOptions, Recovery } from './platform.ts';

/** A write with its parameters. */
export interface Write {
  readonly operation: string;
  readonly params: object;
  /** Sends it. */
  readonly send: (options: WriteOptions) => Promise<unknown>;
  /** Searches for the record of an earlier attempt; absent if the platform has no search. */
  readonly find: ((params: object, options: RecoverOptions) => Promise<Recovery<unknown> | Inconclusive>) | undefined;
}

/** Makes a write once, however often it is called with the same key. */
export type RepeatableWrites = (write: Write, options: WriteOptions & { readonly key: string }) => Promise<unknown>;

/** The outcomes of the attempts at a write. */
type Attempts =
  | { readonly state: 'sending'; readonly over: Promise<unknown> }
  | { readonly state: 'open'; readonly since: Date; readonly lostAt: Date }
  | { readonly state: 'done'; readonly result: unknown };

/** An attempt that is this old may not be the first one. */
const FIRST_WITHIN_MS = 1000;
/** The number of writes that are remembered. */
const MOST_REMEMBERED = 1000;

/** After these faults, the platform has not carried out a write. */
const NOT_DONE: ReadonlySet<Fault> = new Set([
  'unreachable',
  'rateLimited',
  'quotaExhausted',
  'unauthorized',
  'forbidden',
  'missing',
  'rejected',
]);
const BEFORE_ANY_REQUEST = [ValidationError, CursorError, UnsupportedOperation, UnsupportedParameter];

/** The writes of a client on a platform that does not recognize keys. */
export function repeatableWrites({ platform, clock }: { readonly platform: string; readonly clock: Clock }): RepeatableWrites {
  const known = new Map<string, Attempts>();

  function remember(name: string, attempts: Attempts): void {
    known.delete(name);
    known.set(name, attempts);
    for (const oldest of [...known.keys()].slice(0, -MOST_REMEMBERED)) known.delete(oldest);
  }

  async function search(write: Write, options: RecoverOptions): Promise<{ readonly result: unknown } | undefined> {
    const outcome = write.find ? await write.find(write.params, options) : 'cannotTell';
    if (outcome === 'absent') return undefined;
    if (typeof outcome === 'object' && 'found' in outcome) return { result: outcome.found };
    throw notKnown(platform, write.operation, typeof outcome === 'object' ? outcome.conclusiveAt : undefined);
  }

  async function attempt(
    write: Write,
    { key, since, decidedAt, signal }: Parameters<RepeatableWrites>[1],
    earlier: Attempts | undefined,
  ): Promise<Attempts> {
    const first = earlier?.state === 'open' ? earlier.since : (since ?? new Date(clock.nowMs()));
    const isOld = since !== undefined && clock.nowMs() - since.getTime() > FIRST_WITHIN_MS && write.find !== undefined;
    if (earlier?.state === 'open' || isOld) {
      const taken = new Set([...known.values()].flatMap((one) => (one.state === 'done' ? idsOf(one.result) : [])));
      const lostAt = earlier?.state === 'open' ? earlier.lostAt : first;
      const found = await search(write, { key, since: first, decidedAt, taken, lostAt, signal });
      if (found) return { state: 'done', ...found };
    }
    return { state: 'done', result: await write.send({ key, since: first, decidedAt, signal }) };
  }

  return async (write, options) => {
    const name = nameOf(write, options.key);
    let earlier = known.get(name);
    while (earlier?.state === 'sending') {
      await earlier.over;
      earlier = known.get(name);
    }
    if (earlier?.state === 'done') return earlier.result;
    const sending = attempt(write, options, earlier);
    const over = sending.then(
      (done) => remember(name, done),
      (error: unknown) => {
        const since = earlier?.state === 'open' ? earlier.since : (options.since ?? new Date(clock.nowMs()));
        if (mayBeDone(error)) remember(name, { state: 'open', since, lostAt: new Date(clock.nowMs()) });
        else if (earlier) remember(name, earlier);
        else known.delete(name);
      },
    );
    known.set(name, { state: 'sending', over });
    const done = await sending;
    return done.state === 'done' ? done.result : undefined;
  };
}

function mayBeDone(error: unknown): boolean {
  if (error instanceof UnknownOutcome) return false;
  if (error instanceof PlatformError) return !NOT_DONE.has(error.fault);
  return !BEFORE_ANY_REQUEST.some((known) => error instanceof known);
}

/** An earlier attempt has no known outcome yet, and nothing was sent. */
class UnknownOutcome extends PlatformError {}

function notKnown(platform: string, operation: string, retryAt: Date | undefined): UnknownOutcome {
  const remedy = retryAt
    ? `try again after ${retryAt.toISOString()} with the same key and the same since.`
    : 'look there, and use another key if the record does not exist.';
  const message = `${platform}: an earlier ${operation} with this key may have succeeded, and the platform does not show it: ${remedy}`;
  return new UnknownOutcome(message, { platform, fault: 'unanswered', retryAt });
}

/** A hash of the write with its key and its parameters, which can contain whole files. */
function nameOf({ operation, params }: Write, key: string): string {
  return hash('sha256', JSON.stringify([operation, key, params]), 'base64url');
}

function idsOf(record: unknown): readonly string[] {
  return typeof record === 'object' && record !== null && 'id' in record && typeof record.id === 'string' ? [record.id] : [];
}

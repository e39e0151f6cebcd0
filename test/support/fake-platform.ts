import type { Clock } from '#src/clock.ts';
import { PlatformError, type Fault } from '#src/errors.ts';
import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import type { Recovery } from '#src/clients/operation/platform.ts';
import type { Attempt, LostAttempt } from '#src/engine/delivery/attempt.ts';

/** A record on the platform. */
export interface RemoteRecord {
  readonly id: string;
  readonly account: string;
  readonly do: string;
  readonly key: string;
  readonly params: JsonObject;
  readonly atMs: number;
}

/** The behaviour of a platform for repeats and searches. */
export interface PlatformTraits {
  /** Whether a repeat with the same key returns the record of the first attempt. */
  readonly deduplicates?: boolean;
  /** How an earlier attempt is found: by its key, by its content, or not at all. */
  readonly finds?: 'key' | 'content' | 'nothing';
  /** Whether a search without a result proves that the record does not exist. */
  readonly provesAbsence?: boolean;
  /** The time until a search finds a new record. */
  readonly visibleAfterMs?: number;
  /** The duration of a search, whose result is the state at its start. */
  readonly searchMs?: number;
}

/** The record was created, and the response was lost or an error. */
type Loss = 'answerLost' | 'doneAndUnavailable';

export type AttemptFailure =
  /** Refused without a record. */
  Fault | Loss;

const LOST: Readonly<Record<Loss, Fault>> = { answerLost: 'unanswered', doneAndUnavailable: 'unavailable' };

/** A platform in memory, with the traits of a real one. */
export class FakePlatform {
  readonly records: RemoteRecord[] = [];
  /** Every attempt that reached the platform. */
  readonly attempts: Attempt[] = [];
  /** The failures of the next attempts of an account, in order; `undefined`: a success. */
  readonly nextFailures = new Map<string, (AttemptFailure | Error | undefined)[]>();
  /** Further fields of the records that an account answers with. */
  readonly answers = new Map<string, JsonObject>();
  /** Errors of the next searches for a lost attempt, in order. */
  readonly searchErrors: Error[] = [];
  /** The number of searches. */
  searches = 0;
  /** A promise that the next attempt of an account waits for before it creates a record. */
  readonly hangs = new Map<string, Promise<void>>();
  /** How long the answer takes after the record is written, in milliseconds, by the key of the attempt. */
  readonly answerAfterMs = new Map<string, number>();
  /** The time until the next attempt arrives. It arrives even if its sender has ended. */
  latencyMs: (account: string) => number = () => 0;
  readonly #clock: Clock;
  readonly #traits: Required<PlatformTraits>;

  constructor(
    clock: Clock,
    { deduplicates = true, finds = 'key', provesAbsence = finds !== 'nothing', visibleAfterMs = 0, searchMs = 0 }: PlatformTraits = {},
  ) {
    this.#clock = clock;
    this.#traits = { deduplicates, finds, provesAbsence, visibleAfterMs, searchMs };
  }

  /** Whether a repeat with the same key returns the record of the first attempt. */
  get keepsKeys(): boolean {
    return this.#traits.deduplicates;
  }

  readonly perform = async (attempt: Attempt): Promise<Json> => {
    this.attempts.push(attempt);
    await this.#hang(attempt);
    const latencyMs = this.latencyMs(attempt.account);
    if (latencyMs > 0) await this.#clock.sleep(latencyMs);
    const attemptFailure = this.nextFailures.get(attempt.account)?.shift();
    if (attemptFailure instanceof Error) throw attemptFailure;
    if (attemptFailure && !isLoss(attemptFailure)) throw failing(attemptFailure);
    const record = this.#write(attempt);
    if (attemptFailure) throw failing(LOST[attemptFailure]);
    const answerMs = this.answerAfterMs.get(attempt.key);
    if (answerMs !== undefined) await this.#clock.sleep(answerMs);
    return { id: record.id, ...this.answers.get(attempt.account) };
  };

  readonly recover = async ({ key, account, params, since, taken }: LostAttempt): Promise<Recovery<Json>> => {
    this.searches++;
    const searchError = this.searchErrors.shift();
    if (searchError) throw searchError;
    const { finds, provesAbsence, visibleAfterMs, searchMs } = this.#traits;
    const found = this.records.find(
      (record) =>
        record.account === account &&
        record.atMs + visibleAfterMs <= this.#clock.nowMs() &&
        (finds === 'key'
          ? record.key === key
          : finds === 'content' &&
            JSON.stringify(record.params) === JSON.stringify(params) &&
            record.atMs >= since.getTime() &&
            !taken.has(record.id)),
    );
    if (searchMs > 0) await this.#clock.sleep(searchMs);
    if (found) return { found: { id: found.id } };
    return provesAbsence ? 'absent' : 'cannotTell';
  };

  async #hang({ account, signal }: Attempt): Promise<void> {
    const hang = this.hangs.get(account);
    if (!hang) return;
    this.hangs.delete(account);
    const cut = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => cut.reject(signal.reason), { once: true });
    await Promise.race([hang, cut.promise]);
  }

  #write(attempt: Attempt): RemoteRecord {
    const { key, account, params } = attempt;
    // A repeated edit changes nothing.
    const before =
      this.#traits.deduplicates || attempt.do === 'discord.edit' ? this.records.find((record) => record.key === key) : undefined;
    if (before) return before;
    const record = { id: `r${this.records.length + 1}`, account, do: attempt.do, key, params, atMs: this.#clock.nowMs() };
    this.records.push(record);
    return record;
  }

  /** How many records each key made. */
  counts(): Readonly<Record<string, number>> {
    const byKey = Map.groupBy(this.records, ({ key }) => key);
    return Object.fromEntries([...byKey].map(([key, records]) => [key, records.length]));
  }
}

function isLoss(attemptFailure: AttemptFailure): attemptFailure is Loss {
  return attemptFailure in LOST;
}

export function failing(fault: Fault, retryAt?: Date): PlatformError {
  return new PlatformError(`it said ${fault}`, { platform: 'fake', fault, retryAt });
}

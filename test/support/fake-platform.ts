import type { Clock } from '#src/clock.ts';
import { PlatformError, type Fault } from '#src/errors.ts';
import type { Json, JsonObject } from '#src/operation/json.ts';
import type { Recovery } from '#src/operation/platform.ts';
import type { Attempt, LostAttempt } from '#src/delivery/attempt.ts';

/** What stands on the platform. */
export interface RemoteRecord {
  readonly id: string;
  readonly account: string;
  readonly do: string;
  readonly key: string;
  readonly params: JsonObject;
  readonly atMs: number;
}

/** How a platform treats a repeat. */
export interface Habits {
  /** Whether a repeat with the same key gives the record that the first one made. */
  readonly knowsKeys?: boolean;
  /** How an earlier attempt is found: by its key, by what it says, or not at all. */
  readonly finds?: 'key' | 'content' | 'nothing';
  /** Whether what is not found was certainly not done. */
  readonly provesAbsence?: boolean;
  /** How long a record stays out of sight. */
  readonly visibleAfterMs?: number;
  /** How long the answer to a search takes. It shows the platform at the start of the search. */
  readonly searchMs?: number;
}

/** Done, and then the answer was lost, or was that of a breakdown. */
type Loss = 'answerLost' | 'doneAndUnavailable';

export type Mishap =
  /** Refused, and nothing done. */
  Fault | Loss;

const LOST: Readonly<Record<Loss, Fault>> = { answerLost: 'unanswered', doneAndUnavailable: 'unavailable' };

/** A platform in memory, with the habits of a real one. */
export class FakePlatform {
  readonly records: RemoteRecord[] = [];
  /** Every attempt that reached it. */
  readonly attempts: Attempt[] = [];
  /** What happens to the next attempts of an account, in order; `undefined`: nothing. */
  readonly mishaps = new Map<string, (Mishap | Error | undefined)[]>();
  /** Further fields of the records that an account answers with. */
  readonly answers = new Map<string, JsonObject>();
  /** Errors of the next searches for a lost attempt, in order. */
  readonly findings: Error[] = [];
  /** What the next attempt of an account waits for before anything is done. */
  readonly hangs = new Map<string, Promise<void>>();
  /** How long the answer takes after the record is written, in milliseconds, by the key of the attempt. */
  readonly answerAfterMs = new Map<string, number>();
  /** How long the next attempt is on its way; it arrives whether or not its sender still lives. */
  latencyMs: () => number = () => 0;
  readonly #clock: Clock;
  readonly #habits: Required<Habits>;

  constructor(
    clock: Clock,
    { knowsKeys = true, finds = 'key', provesAbsence = finds !== 'nothing', visibleAfterMs = 0, searchMs = 0 }: Habits = {},
  ) {
    this.#clock = clock;
    this.#habits = { knowsKeys, finds, provesAbsence, visibleAfterMs, searchMs };
  }

  /** Whether a repeat with the same key gives the record that the first one made. */
  get keepsKeys(): boolean {
    return this.#habits.knowsKeys;
  }

  readonly perform = async (attempt: Attempt): Promise<Json> => {
    this.attempts.push(attempt);
    await this.#hang(attempt);
    const latencyMs = this.latencyMs();
    if (latencyMs > 0) await this.#clock.sleep(latencyMs);
    const mishap = this.mishaps.get(attempt.account)?.shift();
    if (mishap instanceof Error) throw mishap;
    if (mishap && !isLoss(mishap)) throw failing(mishap);
    const record = this.#write(attempt);
    if (mishap) throw failing(LOST[mishap]);
    const answerMs = this.answerAfterMs.get(attempt.key);
    if (answerMs !== undefined) await this.#clock.sleep(answerMs);
    return { id: record.id, ...this.answers.get(attempt.account) };
  };

  readonly recover = async ({ key, account, params, since, taken }: LostAttempt): Promise<Recovery<Json>> => {
    const finding = this.findings.shift();
    if (finding) throw finding;
    const { finds, provesAbsence, visibleAfterMs, searchMs } = this.#habits;
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
    // To set something a second time is to leave it as it is.
    const before = this.#habits.knowsKeys || attempt.do === 'discord.edit' ? this.records.find((record) => record.key === key) : undefined;
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

function isLoss(mishap: Mishap): mishap is Loss {
  return mishap in LOST;
}

export function failing(fault: Fault, retryAt?: Date): PlatformError {
  return new PlatformError(`it said ${fault}`, { platform: 'fake', fault, retryAt });
}

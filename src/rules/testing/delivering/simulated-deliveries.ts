import type { Catalogue } from '#src/operation/catalogue.ts';
import { isJsonObject, type JsonObject } from '#src/operation/json.ts';
import type { TextLimit } from '#src/operation/text/limit.ts';
import type { Firing } from '../../firing.ts';
import { RETRY_MS, retryPauseMs } from '../../retry-pause.ts';
import type { Because } from '../../reasons/because.ts';
import type { Occurrence, World } from '../world/world.ts';
import { Batches, type Decided, type WrittenBatches } from './batches.ts';
import { draft } from './draft.ts';
import { firstDue, isExpired, nextDueMs, type Place } from './due.ts';
import type { Done, Undone } from './outcome.ts';
import { undoneBecause, type UndoneReason } from './undone-reason.ts';
import { insertElements, insertTails } from './parts.ts';
import { NEVER_MS, type Batch, type SimulatedDelivery } from './simulated-delivery.ts';

export interface SimulatedDeliveriesOptions {
  readonly catalogue: Catalogue;
  readonly world: World;
  readonly textLimitOf: (account: string) => TextLimit | undefined;
  /** Whether later firings of an episode look at what its earlier ones did. */
  readonly isSeen: boolean;
  readonly written?: WrittenBatches | undefined;
}

/** What a rule decided and a simulation does: in the order and at the time at which the outbox does it, with nothing behind it. */
export class SimulatedDeliveries {
  readonly #options: SimulatedDeliveriesOptions;
  readonly #batches: Batches;
  readonly #find = (id: string): SimulatedDelivery | undefined => this.#batches.find(id);
  #outcomes: (Done | Undone)[] = [];

  constructor(options: SimulatedDeliveriesOptions) {
    this.#options = options;
    this.#batches = new Batches(options);
  }

  written(): WrittenBatches {
    return this.#batches.written();
  }

  /** How many firings of `then` are being delivered, by queue. */
  delivering(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { section, queue } of this.#batches.open) if (section === 'then') counts.set(queue, (counts.get(queue) ?? 0) + 1);
    return counts;
  }

  /** When something comes due after now; undefined: nothing waits for a time. */
  nextMs(nowMs: number): number | undefined {
    return nextDueMs(this.#batches.open, nowMs);
  }

  commit(decided: Decided): void {
    this.#batches.commit(decided);
  }

  /** Does everything that is due. */
  run(nowMs: number): readonly (Done | Undone)[] {
    this.#outcomes = [];
    if (this.#batches.open.size === 0) return this.#outcomes;
    // Whoever answers in the last moment is in time.
    this.#hearAnswers(nowMs);
    for (;;) {
      const due = firstDue(this.#batches.open, { nowMs, find: this.#find });
      if (due) this.#work(due, nowMs);
      else if (!this.#hearAnswers(nowMs)) return this.#outcomes;
    }
  }

  #work(place: Place, nowMs: number): void {
    const { batch, delivery } = place;
    if (delivery.state === 'asked') {
      delivery.state = 'sent';
      this.#tell(place, nowMs, undoneBecause({ kind: 'unanswered' }));
    } else if (isExpired(delivery, nowMs)) {
      this.#skip(place, nowMs, { kind: 'tooLate', untilMs: delivery.expiresMs ?? nowMs });
    } else {
      const params = delivery.sinceMs === undefined ? this.#draft(place, nowMs) : delivery.params;
      if (params) this.#attempt(place, params, nowMs);
    }
    this.#batches.closeIfDone(batch);
  }

  /** The parameters; undefined: it came to something else. */
  #draft(place: Place, nowMs: number): JsonObject | undefined {
    const { batch, delivery } = place;
    const drafted = draft(delivery, { ...this.#options, firing: firingOf(batch), find: this.#find });
    if ('skip' in drafted) this.#skip(place, nowMs, drafted.skip);
    else if ('failure' in drafted) this.#fail(place, nowMs, { reason: drafted.failure, failed: true });
    else if ('each' in drafted) {
      this.#batches.remember(insertElements(place, drafted.each, this.#batches.open));
      delivery.state = 'skipped';
    } else if (batch.section === 'while' && this.#batches.said.repeats(batch, delivery, drafted.params)) {
      this.#skip(place, nowMs, { kind: 'same' });
    } else {
      if (drafted.rest.length > 0) this.#batches.remember(insertTails(place, drafted.rest, this.#batches.open));
      return drafted.params;
    }
    return undefined;
  }

  #attempt(place: Place, params: JsonObject, nowMs: number): void {
    const { batch, delivery } = place;
    const { planned } = delivery;
    delivery.params = params;
    delivery.sinceMs ??= nowMs;
    delivery.attempts++;
    const refusal = this.#options.world.refuses?.(planned, nowMs, occurrenceOf(place));
    if (typeof refusal === 'object') this.#skip(place, nowMs, refusal);
    else if (refusal === 'forGood') this.#fail(place, nowMs, undoneBecause({ kind: 'targetRefused' }));
    else if (refusal) this.#tryAgain(place, delivery.sinceMs, nowMs);
    else {
      this.#arrive(place, params, nowMs);
      if (batch.section === 'while') this.#batches.said.said(batch, delivery, params);
    }
  }

  /** Its target refuses: as long as the step says it is tried again. */
  #tryAgain(place: Place, sinceMs: number, nowMs: number): void {
    const { delivery } = place;
    const { forMs = RETRY_MS, attempts = Infinity } = delivery.planned.step.retry ?? {};
    const pauseMs = retryPauseMs(delivery.attempts);
    delivery.dueMs = nowMs + pauseMs;
    if (delivery.dueMs > sinceMs + forMs || delivery.attempts >= attempts) {
      this.#fail(place, nowMs, undoneBecause({ kind: 'targetRefused' }));
    } else if (delivery.attempts === 1) {
      this.#tell(place, nowMs, undoneBecause({ kind: 'targetRefuses', againMs: pauseMs }));
    }
  }

  #arrive(place: Place, params: JsonObject, nowMs: number): void {
    const { batch, delivery } = place;
    const { planned, element, part } = delivery;
    const { world, catalogue } = this.#options;
    const declared = catalogue.get(planned.step.do);
    const reads = declared?.kind !== 'write';
    delivery.result = world.resultOf(planned, nowMs, occurrenceOf(place));
    this.#outcomes.push({ atMs: nowMs, firing: batch.id, section: batch.section, planned, element: element?.key, part, params, reads });
    delivery.state = 'sent';
    if (reads || declared.answered !== 'later') return;
    const { maxAgeMs } = planned.step;
    delivery.state = 'asked';
    delivery.dueMs = maxAgeMs === undefined ? NEVER_MS : nowMs + maxAgeMs;
  }

  /** Whether somebody answered a question. */
  #hearAnswers(nowMs: number): boolean {
    let isHeard = false;
    for (const batch of this.#batches.open) {
      for (const delivery of batch.deliveries) {
        if (delivery.state !== 'asked') continue;
        const answer = this.#options.world.answerTo?.(delivery.planned, nowMs, occurrenceOf({ batch, delivery }));
        if (!answer) continue;
        delivery.result = { ...(isJsonObject(delivery.result) && delivery.result), ...answer };
        delivery.state = 'sent';
        isHeard = true;
      }
      this.#batches.closeIfDone(batch);
    }
    return isHeard;
  }

  #skip(place: Place, nowMs: number, why: UndoneReason): void {
    const { batch, delivery } = place;
    delivery.state = 'skipped';
    delivery.why = why.kind;
    if (batch.section === 'while' && delivery.afresh) this.#batches.said.unsaid(batch, delivery);
    this.#tell(place, nowMs, undoneBecause(why));
  }

  #fail(place: Place, nowMs: number, why: Why): void {
    const { batch, delivery } = place;
    delivery.state = 'failed';
    if (batch.section === 'while') this.#batches.said.unsaid(batch, delivery);
    this.#tell(place, nowMs, why);
  }

  #tell({ batch, delivery }: Place, nowMs: number, { failed = false, ...because }: Why): void {
    const { planned, element } = delivery;
    this.#outcomes.push({ atMs: nowMs, firing: batch.id, section: batch.section, planned, element: element?.key, ...because, failed });
  }
}

function occurrenceOf({ batch, delivery: { element, part, params = {} } }: Place): Occurrence {
  return { firing: firingOf(batch), params, element: element?.key, part };
}

function firingOf({ firing }: Batch): Firing {
  if (!firing) throw new Error('a delivery outlived its firing');
  return firing;
}

interface Why extends Because<UndoneReason> {
  readonly failed?: boolean;
}

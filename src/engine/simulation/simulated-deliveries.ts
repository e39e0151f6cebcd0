import type { Clock } from '#src/clock.ts';
import type { Attempt } from '#src/engine/delivery/attempt.ts';
import { createDeliveryEngine, type DeliveryEngine, type DeliveryEngineOptions } from '#src/engine/delivery/delivery-engine.ts';
import type { DeliveryStore } from '#src/engine/delivery/delivery-store.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import { createMemoryDeliveries } from '#src/engine/delivery/memory-deliveries.ts';
import type { MemoryDelivery } from '#src/engine/delivery/memory-delivery.ts';
import { MemoryTable, type CommittedSlot } from '#src/engine/delivery/memory-table.ts';
import type { DueStep } from '#src/engine/delivery/rendering.ts';
import { PlatformError } from '#src/errors.ts';
import { editedParameter, isBilledByCall, readsAtEachPoll, removedParameter, type Catalogue } from '#src/clients/operation/declared.ts';
import type { Json } from '#src/clients/operation/json.ts';
import type { PostDefaults } from '#src/clients/operation/post-defaults.ts';
import type { TextLimit } from '#src/clients/operation/text/limit.ts';
import type { ReplyFacts } from '#src/rules/audience/widening.ts';
import { renderStep, withEdited, type FindEdited, type Rendered, type RenderOptions } from '#src/rules/render.ts';
import type { PlannedStep } from '#src/rules/firing.ts';
import type { StepResults } from '#src/rules/results.ts';
import type { Step } from '#src/rules/step.ts';
import type { Done, Undone } from '#src/engine/testing/outcome.ts';
import { withUndoneMessage, type UndoneReason } from '#src/engine/testing/undone-reason.ts';
import type { Occurrence, World } from '#src/engine/testing/world/world.ts';

export interface SimulatedDeliveriesOptions {
  readonly catalogue: Catalogue;
  readonly world: World;
  readonly textLimitOf: (account: string, step: Step) => TextLimit | undefined;
  readonly postDefaultsOf?: ((account: string) => PostDefaults | undefined) | undefined;
  /** The replies of an account, if they are known. */
  readonly replyFactsOf?: ((account: string) => ReplyFacts | undefined) | undefined;
  /** Whether later firings of an episode read the results of earlier ones. */
  readonly isRead: boolean;
  /** Called with every step that has parameters. */
  readonly onRender?: ((planned: PlannedStep, options: RenderOptions) => void) | undefined;
  /** The `snapshot()` of another simulation of the rule. */
  readonly snapshot?: Uint8Array | undefined;
}

const ignore = (): void => undefined;
/** A simulation reports events and needs no log. */
const SILENT: DeliveryEngineOptions['log'] = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  child: () => SILENT,
  conceal: ignore,
};

/** The delivery engine over deliveries in memory, with a `World` instead of platforms and people. */
export class SimulatedDeliveries {
  readonly #options: SimulatedDeliveriesOptions;
  readonly #table: MemoryTable;
  readonly #deliveries: DeliveryStore;
  readonly #engine: DeliveryEngine;
  #nowMs = 0;
  #outcomes: (Done | Undone)[] = [];

  constructor(options: SimulatedDeliveriesOptions) {
    this.#options = options;
    this.#table = new MemoryTable(options.snapshot);
    this.#deliveries = createMemoryDeliveries(this.#table);
    const clock: Clock = {
      nowMs: () => this.#nowMs,
      sleep: () => Promise.reject(new Error('a simulation does not wait')),
    };
    this.#engine = createDeliveryEngine({
      deliveries: this.#deliveries,
      perform: (attempt) => this.#perform(attempt),
      recover: () => Promise.resolve('absent'),
      render: (due, results, findEdited) => this.#render(due, results, findEdited),
      isQuestion: (verb) => {
        const declared = options.catalogue.get(verb);
        return declared?.kind === 'write' && declared.answered === 'later';
      },
      readsAtEachPoll: (verb) => readsAtEachPoll(options.catalogue.get(verb)),
      isBilled: (verb) => isBilledByCall(options.catalogue.get(verb)),
      removes: (verb) => removedParameter(options.catalogue.get(verb)),
      onDelivery: (delivery) => this.#onDelivery(delivery),
      // The middle of the range: each pause is exactly the pause of the retry policy.
      random: () => 0.5,
      clock,
      log: SILENT,
    });
  }

  snapshot(): Uint8Array {
    return this.#table.snapshot();
  }

  /** See `MemoryTable.delivering`. */
  delivering(): Promise<ReadonlyMap<string, number>> {
    return this.#table.delivering();
  }

  /** See `MemoryTable.waiting`. */
  waiting(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    return this.#table.waiting();
  }

  /** When the next delivery comes due, or is too late, after an instant; undefined: nothing waits for a time. */
  nextMs(nowMs: number): number | undefined {
    return this.#table.nextMs(nowMs);
  }

  commit(slot: CommittedSlot): void {
    this.#table.commit(slot);
  }

  /** Attempts everything that is due. */
  async run(nowMs: number): Promise<readonly (Done | Undone)[]> {
    this.#outcomes = [];
    if (this.#table.open.length === 0) return this.#outcomes;
    this.#nowMs = nowMs;
    // An answer at the end of its time counts.
    await this.#answer();
    while ((this.#table.hasDue(nowMs) && (await this.#engine.deliverNext())) || (await this.#answer()));
    this.#table.prune(({ section }) => this.#options.isRead && (section === 'then' || section === 'finally'));
    return this.#outcomes;
  }

  /** Records the answers of people; false: there is no new answer. */
  async #answer(): Promise<boolean> {
    let isAnswered = false;
    for (const row of this.#table.open.filter(({ delivery }) => delivery.state === 'asked')) {
      const answer = this.#options.world.answerTo?.(row.planned, this.#nowMs, this.#occurrenceOf(row));
      const after = answer && (await this.#engine.answer(row.delivery.id, answer));
      // The same answer is taken again and again while other members have to answer.
      if (after && after.state !== 'asked') isAnswered = true;
    }
    return isAnswered;
  }

  async #render({ delivery: { id, section, account }, ...due }: DueStep, results: StepResults, findEdited: FindEdited): Promise<Rendered> {
    const { catalogue, textLimitOf, postDefaultsOf, replyFactsOf, world } = this.#options;
    const row = this.#rowOf(id);
    const { planned } = row;
    const known = {
      ...due,
      section,
      account,
      results,
      textLimit: textLimitOf(account, due.step),
      postDefaults: postDefaultsOf?.(account),
      catalogue,
      replies: replyFactsOf?.(account),
    };
    const options = await withEdited(known, findEdited);
    const rendered = renderStep(options);
    const params = 'params' in rendered ? rendered.params : 'thread' in rendered ? rendered.thread[0] : undefined;
    if (params) this.#options.onRender?.(planned, options);
    const skip = params && world.skips?.(planned, this.#nowMs, { ...this.#occurrenceOf(row), params });
    return skip ? { skip } : rendered;
  }

  async #perform({ key, params }: Attempt): Promise<Json> {
    const row = this.#rowOf(key);
    const { planned, delivery, element } = row;
    const { world, catalogue } = this.#options;
    const edits = editedParameter(catalogue.get(planned.step.do));
    const id = edits === undefined ? undefined : params[edits];
    const before = typeof id === 'string' ? await this.#deliveries.edited(delivery, id) : undefined;
    const occurrence = { ...this.#occurrenceOf(row), params, edited: before?.result };
    const refusal = world.refuses?.(planned, this.#nowMs, occurrence) ?? false;
    if (refusal !== false) {
      const fault = refusal === 'forGood' ? 'rejected' : 'rateLimited';
      throw new PlatformError('The target refuses.', { platform: delivery.account, fault });
    }
    const result = await this.#resultOf(row, occurrence);
    const { firing, section } = delivery;
    const reads = catalogue.get(planned.step.do)?.kind !== 'write';
    this.#outcomes.push({ atMs: this.#nowMs, firing, section, planned, element: element?.key, part: occurrence.part, params, reads });
    return result as Json; // undefined is not stored
  }

  async #resultOf({ planned, delivery }: MemoryDelivery, occurrence: Occurrence): Promise<Json | undefined> {
    try {
      return await this.#options.world.resultOf(planned, this.#nowMs, occurrence);
    } catch (error) {
      if (!(error instanceof Error) || error instanceof PlatformError) throw error;
      throw new PlatformError(error.message, { platform: delivery.account, fault: 'rejected' });
    }
  }

  #onDelivery({ id, state, error, reason, attempts, dueAt }: Delivery): void {
    if (state === 'failed') {
      const isExpression = error?.fault === 'expression';
      this.#leaveOut(id, isExpression ? { message: error.message, failed: true } : withUndoneMessage({ kind: 'targetRefused' }));
    } else if (state === 'pending' && error && attempts === 1) {
      this.#leaveOut(id, withUndoneMessage({ kind: 'targetRefuses', againMs: dueAt.getTime() - this.#nowMs }));
    } else if (state === 'skipped' && reason && reason.kind !== 'forEachDone') {
      this.#leaveOut(id, withUndoneMessage(reason as UndoneReason)); // the engine skips for these reasons, and for `each`
    } else if (state === 'sent' && reason?.kind === 'unanswered') {
      this.#leaveOut(id, withUndoneMessage(reason));
    }
  }

  #leaveOut(id: string, why: Pick<Undone, 'message' | 'reason'> & Partial<Pick<Undone, 'failed'>>): void {
    const { planned, delivery, element } = this.#rowOf(id);
    const { firing, section } = delivery;
    this.#outcomes.push({ atMs: this.#nowMs, firing, section, planned, element: element?.key, failed: false, ...why });
  }

  #rowOf(id: string): MemoryDelivery {
    const row = this.#table.rows.get(id);
    if (!row) throw new Error(`there is no delivery ${id}`);
    return row;
  }

  #occurrenceOf({ firing, delivery, element }: MemoryDelivery): Occurrence {
    let part = 1;
    for (let { after } = delivery; after !== undefined; after = this.#table.rows.get(after)?.delivery.after) part++;
    return { firing, params: delivery.params ?? {}, element: element?.key, part };
  }
}

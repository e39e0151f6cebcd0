import type { Rule } from '#src/rules/rule.ts';
import type { DueSlot, StoredEntry } from './entry.ts';
import type { RulePlan } from './scheduler.ts';

/** A rule on the shared agenda. */
export interface AgendaRow {
  readonly rule: string;
  /** `Rule.version` of the rule that the entry belongs to. */
  readonly version: string;
  readonly entry: StoredEntry;
}

/** The next entry of a rule whose time has come, and its slot. */
interface Distribution {
  readonly entry: StoredEntry;
  /** The slot to run; undefined: the rule is not due. */
  readonly slot?: DueSlot | undefined;
}

/** Slots of several rules that one worker runs. */
export interface SlotBatch {
  readonly id: string;
  readonly slots: readonly (AgendaRow & DueSlot)[];
}

/** A rule after its run. */
export type ReleasedRow = AgendaRow & {
  /** Whether its slot failed and is repeated. */
  readonly isStuck: boolean;
};

/** The state of the whole agenda. */
export interface AgendaStatus {
  /** The ids of rules whose last slot failed. */
  readonly stuck: readonly string[];
  /** The number of rules whose slot is due or running. */
  readonly open: number;
}

/** The agenda of all workers: one row per rule. A row that belongs to a batch is not due. */
export interface SharedAgenda {
  /** Forms batches from the rules that are due, and enqueues them in the same transaction. Rows for which `plan` has no answer stay due. */
  distribute(nowMs: number, plan: (row: AgendaRow) => Distribution | undefined): Promise<void>;
  /** Calls `run` for each batch that this worker gets, until `signal` aborts. The signal of a batch also aborts if another worker takes it over. */
  work(run: (batch: SlotBatch, signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>;
  /** Takes one rule in a separate batch, even before it is due; undefined: it is running, or not on the agenda. */
  take(rule: string): Promise<(AgendaRow & { readonly batch: string }) | undefined>;
  /** Returns rules of a batch to the agenda. Rows of another batch by now, or of another version, keep their entry. */
  release(batch: string, rows: readonly ReleasedRow[]): Promise<void>;
  has(rule: string): Promise<boolean>;
  /**
   * Puts rules on the agenda in one transaction; two processes do so one after the other. Rows for which `entryOf` has no answer stay. `endsBatches`:
   * a batch with such a rule does not return its entry, which may come from a clock that was ahead. Default: it does.
   */
  put(
    rules: readonly Rule[],
    entryOf: (rule: Rule, row: AgendaRow | undefined) => StoredEntry | undefined,
    options?: { readonly endsBatches?: boolean },
  ): Promise<void>;
  /** Deletes the rule of a batch. */
  drop(rule: string, batch: string): Promise<void>;
  /** Whether no other worker was alive when this one started, or the clock was set back, so that slots were missed. */
  readonly wasDown: boolean;
  status(nowMs: number): Promise<AgendaStatus>;
  /** The plans of rules by id, without rules that are not on the agenda. */
  plansOf(rules: readonly string[]): Promise<ReadonlyMap<string, RulePlan>>;
}

import type { DueSlot, StoredEntry } from './entry.ts';

/** A rule on the shared agenda. */
export interface AgendaRow {
  readonly rule: string;
  /** `Rule.version` of the rule that the entry belongs to. */
  readonly version: string;
  readonly entry: StoredEntry;
}

/** What to do with a rule whose time has come. */
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

/** Changes one row; undefined deletes it. */
type ChangeRow = (row: AgendaRow | undefined) => AgendaRow | undefined;

/** The agenda of all workers: one row per rule. A row that belongs to a batch is not due. */
export interface SharedAgenda {
  /** Forms batches from the rules that are due, and enqueues them in the same transaction. Rows for which `plan` has no answer stay due. */
  distribute(nowMs: number, plan: (row: AgendaRow) => Distribution | undefined): Promise<void>;
  /** Calls `run` for each batch that this worker gets, until `signal` aborts. The signal of a batch also aborts if another worker takes it over. */
  work(run: (batch: SlotBatch, signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>;
  /** Takes one rule out of its turn as a batch of its own; undefined: it is running, or not on the agenda. */
  take(rule: string): Promise<(AgendaRow & { readonly batch: string }) | undefined>;
  /** Returns rules of a batch to the agenda. Rows of another batch by now, or of another version, keep their entry. */
  release(batch: string, rows: readonly ReleasedRow[]): Promise<void>;
  has(rule: string): Promise<boolean>;
  /** Changes all rows in one transaction; two processes do so one after the other. `change` gets the row of each id. */
  change(rules: readonly string[], change: (rule: string) => ChangeRow): Promise<void>;
  /** Deletes the rule of a batch. */
  drop(rule: string, batch: string): Promise<void>;
  /** Whether no other worker was alive when this one started, so that slots were missed. */
  readonly wasDown: boolean;
  status(nowMs: number): Promise<AgendaStatus>;
}

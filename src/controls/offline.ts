import type { ItemExplanation } from '#src/queries/explain-item.ts';
import type { GoneExplanation } from '#src/queries/gone-rules.ts';
import type { Explanation } from '#src/queries/explanation.ts';
import type { DeliveryList, ShownDelivery } from '#src/queries/records.ts';
import type { PlanLine } from '#src/registry/plan-lines.ts';
import type { Resolution } from './controls.ts';
import type { ResendOutcome } from './resend.ts';

/** The rules of an installation. The process of the installation may run or not. */
export interface Explainer {
  /** Explains all instances of a rule, or one of them; empty if there is no such rule. */
  explain(id: string): Promise<readonly Explanation[]>;
  /** The history of a rule that was deleted or renamed, one entry for each instance, the latest first. */
  explainGone(id: string): Promise<readonly GoneExplanation[]>;
  /** Finds everything that the rules know about an item, by its key, handle or display name. */
  explainItem(name: string): Promise<ItemExplanation>;
  /** Pauses a rule in the name of `by`. Returns the instances that were not paused before; undefined if there is no such rule. */
  pause(id: string, by: string): Promise<readonly string[] | undefined>;
  /** Resumes a rule. Returns the instances that were paused before; undefined if there is no such rule. */
  resume(id: string): Promise<readonly string[] | undefined>;
  /** The differences between the files and the running rules; undefined before the first start. */
  changes(): Promise<FileChanges | undefined>;
  /** The names of all rules without errors, and the files with errors. */
  known(): Promise<{ readonly names: readonly string[]; readonly broken: readonly string[] }>;
}

/** The differences between the rules folder and the rules that run. */
export interface FileChanges {
  readonly lines: readonly PlanLine[];
  /** The number of the published version that runs; absent if the folder was loaded. */
  readonly version?: number | undefined;
}

/** The deliveries of an installation. The process of the installation may run or not. */
export interface Resolver {
  /** The unknown deliveries, newest first. */
  undecided(): Promise<DeliveryList>;
  /** The failed deliveries, newest first. */
  failed(): Promise<DeliveryList>;
  /** The deliveries whose ids begin with `name`, in any state. */
  named(name: string): Promise<readonly ShownDelivery[]>;
  /** Resolves an unknown delivery; false if it changed in the meantime, or if it may not be sent because its rule is paused or deleted. */
  resolve(delivery: ShownDelivery, resolution: Resolution): Promise<boolean>;
  /** Sends a failed delivery again in the name of `by`. */
  resend(delivery: ShownDelivery, by: string): Promise<ResendOutcome>;
}

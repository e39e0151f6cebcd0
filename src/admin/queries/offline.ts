import type { ItemExplanation } from '#src/admin/queries/explain-item.ts';
import type { GoneExplanation } from '#src/admin/queries/gone-rules.ts';
import type { Explanation } from '#src/admin/queries/explanation.ts';
import type { DeliveryList, RuleView, ShownDelivery } from '#src/admin/queries/records.ts';
import type { PlanLine } from '#src/engine/rule-sets/plan-lines.ts';

/** The rules of an installation. The process of the installation may run or not. */
export interface Explainer {
  /** Explains all instances of a rule, or one of them; empty if there is no such rule. */
  explain(id: string): Promise<readonly Explanation[]>;
  /** The history of a rule that was deleted or renamed, one entry for each instance, the latest first. */
  explainGone(id: string): Promise<readonly GoneExplanation[]>;
  /** Finds everything that the rules know about an item, by its key, handle or display name. */
  explainItem(name: string): Promise<ItemExplanation>;
  /** The differences between the files and the running rules; undefined before the first start. */
  changes(): Promise<FileChanges | undefined>;
  /** All rules with their state, and the files with errors. */
  list(): Promise<readonly RuleView[]>;
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
export interface DeliveryLookup {
  /** The unknown deliveries, newest first. */
  undecided(): Promise<DeliveryList>;
  /** The failed deliveries, newest first. */
  failed(): Promise<DeliveryList>;
  /** The open questions, newest first. */
  asked(): Promise<DeliveryList>;
  /** The deliveries whose ids begin with `name`, in any state. */
  named(name: string): Promise<readonly ShownDelivery[]>;
}

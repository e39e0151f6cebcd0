import type { ReceivedWebhook } from '#src/rules/rule.ts';

/** A webhook that a rule processed. */
interface ProcessedWebhook extends ReceivedWebhook {
  /** The slot of the rule, in milliseconds since 1970. */
  readonly slotMs: number;
}

/** The webhooks that rules processed. `RuleStates.commit` adds them. */
export interface ReceivedWebhooks {
  /** Whether a rule processed a payload with this key. */
  has(rule: string, key: string): Promise<boolean>;
  /** The last processed webhooks of a rule with stored payloads since an instant, oldest first. */
  list(rule: string, sinceMs: number): Promise<readonly ProcessedWebhook[]>;
}

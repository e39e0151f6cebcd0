import type { OpenCommandUse } from '#src/clients/chat/chat.ts';
import type { DiscordServer } from '#src/config/discord-settings.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { CommandUse } from '#src/rules/evaluate/command-use.ts';
import type { QuotaOptions } from '#src/discord/assistant/quota.ts';
import type { RuleCommand } from '#src/rules/rule.ts';

/** A slash command of a running rule. */
export interface OfferedCommand {
  /** The id of the rule. */
  readonly rule: string;
  readonly command: RuleCommand;
  /** Whether its steps ask the assistant, which costs money. */
  readonly asksAssistant: boolean;
}

/** The limit of a member: of all commands of rules in a minute, or of the share in the fuse of one rule. */
interface ReachedLimit {
  readonly of: 'minute' | 'fuse';
  readonly freeAtMs: number;
}

/** The slash commands of the running rules. */
export interface RuleCommands {
  /** Those that a server offers. */
  in(server: Pick<DiscordServer, 'account'>): readonly OfferedCommand[];
  /** Calls `listener` if rules changed. Returns a function that ends the subscription. */
  readonly onChange: (listener: () => void) => () => void;
  /** Counts a use of a member. Returns which limit is reached, and the time of the next possible use in milliseconds. */
  count(member: string, rule: string): ReachedLimit | undefined;
  /** The quotas for questions to the assistant. */
  readonly quota: QuotaOptions;
  /** Runs the rule. Its deliveries answer. */
  run(rule: string, use: CommandUse, open: OpenCommandUse): Promise<UseOutcome>;
}

/** Whether the rule answers; `decision`: a gate of the rule suppressed it; absent: its run failed, or it no longer runs. */
type UseOutcome = { readonly isAnswered: true } | { readonly isAnswered: false; readonly decision?: Decision | undefined };

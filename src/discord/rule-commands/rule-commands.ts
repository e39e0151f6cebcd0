import type { OpenCommandUse } from '#src/clients/chat/chat.ts';
import type { DiscordServer } from '#src/config/discord-settings.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { CommandUse } from '#src/rules/evaluate/command-use.ts';
import type { RuleCommand } from '#src/rules/rule.ts';

/** A slash command of a running rule. */
export interface OfferedCommand {
  /** The id of the rule. */
  readonly rule: string;
  readonly command: RuleCommand;
}

/** The slash commands of the running rules. */
export interface RuleCommands {
  /** Those that a server offers. */
  in(server: Pick<DiscordServer, 'account'>): readonly OfferedCommand[];
  /** Calls `listener` if rules changed. Returns a function that ends the subscription. */
  readonly onChange: (listener: () => void) => () => void;
  /** Counts a use of a member. Returns the time of the next possible use, in milliseconds, if there were too many. */
  count(member: string): number | undefined;
  /** Runs the rule. Its deliveries answer. */
  run(rule: string, use: CommandUse, open: OpenCommandUse): Promise<UseOutcome>;
}

/** Whether the rule answers; `decision`: a gate of the rule suppressed it; absent: the rule no longer runs. */
type UseOutcome = { readonly isAnswered: true } | { readonly isAnswered: false; readonly decision?: Decision | undefined };

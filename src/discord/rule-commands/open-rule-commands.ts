import type { CommandUses } from '#src/clients/chat/chat.ts';
import type { Clock } from '#src/clock.ts';
import type { EventBus } from '#src/engine/event-bus.ts';
import type { Scheduler } from '#src/engine/scheduler/scheduler.ts';
import type { Rule } from '#src/rules/rule.ts';
import { countUses } from '#src/discord/count-uses.ts';
import type { OfferedCommand, RuleCommands } from './rule-commands.ts';

/** More uses by one member would spend the requests of the operator, and blow the fuse of the rule for everyone. */
const MOST_USES = 10;

interface OpenRuleCommandsOptions {
  /** The running rules. */
  readonly rules: () => readonly Pick<Rule, 'id' | 'command'>[];
  readonly scheduler: Pick<Scheduler, 'run'>;
  readonly uses: Pick<CommandUses, 'keep'>;
  readonly eventBus: Pick<EventBus, 'subscribe'>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** The slash commands of the running rules. A use of one is a run of its rule, so its answer is a delivery like any other. */
export function openRuleCommands({ rules, scheduler, uses, eventBus, clock }: OpenRuleCommandsOptions): RuleCommands {
  return {
    count: countUses({ most: MOST_USES, clock }),

    in({ account }) {
      const found = new Map<string, OfferedCommand>();
      for (const { id: rule, command } of rules()) {
        // Of two rules with the same command, the first one answers. `check` reports the other one.
        if (command?.accounts.includes(account) && !found.has(command.name)) found.set(command.name, { rule, command });
      }
      return [...found.values()];
    },

    onChange: (listener) => eventBus.subscribe(({ kind }) => kind === 'rules' && listener()),

    async run(rule, use, open) {
      // The delivery may be sent before the run ends.
      await uses.keep(open);
      const { firings, decisions } = (await scheduler.run(rule, { command: use })) ?? { firings: [], decisions: [] };
      return firings.length > 0 ? { isAnswered: true } : { isAnswered: false, decision: decisions[0] };
    },
  };
}

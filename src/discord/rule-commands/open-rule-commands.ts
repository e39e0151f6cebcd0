import type { CommandUses } from '#src/clients/chat/chat.ts';
import type { Clock } from '#src/clock.ts';
import type { EventBus } from '#src/engine/event-bus.ts';
import type { Scheduler } from '#src/engine/scheduler/scheduler.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { QuotaOptions } from '#src/discord/assistant/quota.ts';
import { countUses } from '#src/discord/count-uses.ts';
import type { OfferedCommand, RuleCommands } from './rule-commands.ts';

/** More uses by one member would spend the requests of the operator. */
const MOST_USES = 10;
/** One member may use this part of the fuse of a rule: a few members must not pause the rule for everyone. */
const PART_OF_FUSE = 1 / 5;

interface OpenRuleCommandsOptions {
  /** The running rules. */
  readonly rules: () => readonly Pick<Rule, 'id' | 'command' | 'fuse' | 'then'>[];
  readonly scheduler: Pick<Scheduler, 'run'>;
  readonly uses: Pick<CommandUses, 'keep'>;
  readonly eventBus: Pick<EventBus, 'subscribe'>;
  readonly quota: QuotaOptions;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** The slash commands of the running rules. A use of one is a run of its rule, so its answer is a delivery like any other. */
export function openRuleCommands({ rules, scheduler, uses, eventBus, quota, clock }: OpenRuleCommandsOptions): RuleCommands {
  const countInMinute = countUses({ most: MOST_USES, clock });
  /** The counts by rule, of its fuse when it was counted first. */
  const shares = new Map<string, { readonly fuse: Rule['fuse']; readonly count: (member: string) => number | undefined }>();

  function shareOf(rule: string): ((member: string) => number | undefined) | undefined {
    const fuse = rules().find(({ id }) => id === rule)?.fuse;
    if (!fuse) return undefined;
    const known = shares.get(rule);
    if (known?.fuse.firings === fuse.firings && known.fuse.perMs === fuse.perMs) return known.count;
    const count = countUses({ most: Math.max(1, Math.floor(fuse.firings * PART_OF_FUSE)), perMs: fuse.perMs, clock });
    shares.set(rule, { fuse, count });
    return count;
  }

  return {
    quota,

    count(member, rule) {
      const minuteEndMs = countInMinute(member);
      if (minuteEndMs !== undefined) return { of: 'minute', freeAtMs: minuteEndMs };
      const freeAtMs = shareOf(rule)?.(member);
      return freeAtMs === undefined ? undefined : { of: 'fuse', freeAtMs };
    },

    in({ account }) {
      const found = new Map<string, OfferedCommand>();
      for (const { id: rule, command, then } of rules()) {
        // Of two rules with the same command, the first one answers. `check` reports the other one.
        if (command?.accounts.includes(account) && !found.has(command.name))
          found.set(command.name, { rule, command, asksAssistant: then.some((step) => step.do === 'assistant.ask') });
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

import type { Actions } from '#src/admin/actions/actions.ts';
import type { Config } from '#src/config/config.ts';
import { askedStates } from '#src/discord/member-states/asked-states.ts';
import { openPresses } from '#src/discord/open-presses.ts';
import { openQuestions } from '#src/discord/open-questions.ts';
import { openRuleCommands } from '#src/discord/rule-commands/open-rule-commands.ts';
import type { Clock } from '#src/clock.ts';
import type { EventBus } from '#src/engine/event-bus.ts';
import type { RuleRegistry } from '#src/engine/rule-sets/rule-registry.ts';
import type { Scheduler } from '#src/engine/scheduler/scheduler.ts';
import type { PeopleSource } from '#src/rules/lists.ts';
import type { Store } from '#src/store/store.ts';
import type { OpenLists } from './open-lists.ts';

interface BotPartsOptions extends Pick<OpenLists, 'filesOnly'> {
  readonly config: Pick<Config, 'servers'>;
  readonly store: Pick<Store, 'deliveries' | 'ruleStates' | 'commandUses' | 'memberStates'>;
  readonly registry: Pick<RuleRegistry, 'running'>;
  readonly scheduler: Pick<Scheduler, 'run'>;
  readonly controls: Pick<Actions, 'answerDelivery' | 'muteItem'>;
  readonly eventBus: Pick<EventBus, 'subscribe'>;
  readonly clock: Clock;
}

/** What the bot in Discord does for rules: their questions, buttons and commands, and the states of members that they read. */
export function botParts({ config: { servers }, store, registry, filesOnly, scheduler, controls, eventBus, clock }: BotPartsOptions) {
  const rules = () => registry.running;
  const sources = async (): Promise<readonly PeopleSource[]> =>
    [...(await filesOnly.read()).lists.values()].flatMap(({ source }) => source ?? []);
  return {
    questions: openQuestions({ deliveries: store.deliveries, actions: controls }),
    presses: openPresses({ ...store, actions: controls, rules }),
    ruleCommands: openRuleCommands({ rules, scheduler, uses: store.commandUses, eventBus, clock }),
    memberStates: { states: store.memberStates, asked: () => askedStates({ rules, sources, servers }) },
  };
}

import type { MemberStateKind } from '#src/clients/chat/chat.ts';
import type { Measurements } from '#src/admin/telemetry/measurements.ts';
import type { Actions } from '#src/admin/actions/actions.ts';
import type { Config } from '#src/config/config.ts';
import { askedStates } from '#src/discord/member-states/asked-states.ts';
import type { ChangedChannel } from '#src/discord/watch-messages.ts';
import { openRuleButtons } from '#src/discord/open-rule-buttons.ts';
import { openQuestions } from '#src/discord/open-questions.ts';
import { openRuleCommands } from '#src/discord/rule-commands/open-rule-commands.ts';
import type { Clock } from '#src/clock.ts';
import type { EventBus } from '#src/engine/event-bus.ts';
import { createHints, type Hint } from '#src/engine/hints.ts';
import type { RuleRegistry } from '#src/engine/rule-sets/rule-registry.ts';
import type { Scheduler } from '#src/engine/scheduler/scheduler.ts';
import type { Log } from '#src/log.ts';
import type { PeopleSource } from '#src/rules/lists.ts';
import type { Store } from '#src/store/store.ts';
import type { OpenLists } from './open-lists.ts';

interface BotPartsOptions extends Pick<OpenLists, 'filesOnly'> {
  readonly config: Pick<Config, 'servers' | 'discord'>;
  readonly store: Pick<Store, 'deliveries' | 'ruleStates' | 'commandUses' | 'memberStates' | 'questionCounts'>;
  readonly registry: Pick<RuleRegistry, 'running'>;
  readonly scheduler: Pick<Scheduler, 'run' | 'hurry'>;
  readonly controls: Pick<Actions, 'answerDelivery' | 'muteItem'>;
  readonly measurements: Pick<Measurements, 'hinted'>;
  readonly eventBus: Pick<EventBus, 'subscribe'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** What the bot in Discord does for rules: their questions, buttons and commands, and hints about what they read. */
export function botParts(options: BotPartsOptions) {
  const { config, store, registry, filesOnly, controls } = options;
  const { servers } = config;
  const rules = () => registry.running;
  const sources = async (): Promise<readonly PeopleSource[]> =>
    [...(await filesOnly.read()).lists.values()].flatMap(({ source }) => source ?? []);
  const hint = createHints({ ...options, rules, onHint: options.measurements.hinted });
  const changed = (server: string, { verb, named }: Pick<Hint, 'verb' | 'named'>): void => {
    for (const { id, account } of servers) if (id === server) hint({ account, verb, named });
  };
  return {
    questions: openQuestions({ deliveries: store.deliveries, actions: controls }),
    ruleButtons: openRuleButtons({ ...store, actions: controls, rules }),
    ruleCommands: openRuleCommands({
      ...options,
      rules,
      uses: store.commandUses,
      quota: { counts: store.questionCounts, settings: config.discord, clock: options.clock },
    }),
    memberStates: {
      states: store.memberStates,
      asked: () => askedStates({ rules, sources, servers }),
      onChange: (server: string, kind: MemberStateKind) =>
        changed(server, { verb: kind === 'voice' ? 'discord.getVoiceMembers' : 'discord.getMembers' }),
    },
    messages: {
      isAsked: () => rules().some(({ watched }) => watched?.verb === 'discord.getMessages'),
      onChange: (channel: ChangedChannel) => changed(channel.server, { verb: 'discord.getMessages', named: namesOfChannel(channel) }),
    },
  };
}

/** The texts with which rules name a channel. */
function namesOfChannel({ server, id, name }: ChangedChannel): Hint['named'] {
  if (id === undefined) return undefined;
  const names = name === undefined ? [] : [name.toLowerCase(), `#${name.toLowerCase()}`];
  return { parameter: 'channel', values: [id, `<#${id}>`, `https://discord.com/channels/${server}/${id}`, ...names] };
}

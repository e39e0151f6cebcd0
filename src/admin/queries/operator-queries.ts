import { keptValues } from '#src/rules/kept-values.ts';
import type { KeptValues } from '#src/rules/step.ts';
import type { ConversationState } from '#src/clients/assistant/conversation-state.ts';
import type { Clock } from '#src/clock.ts';
import type { ActorScope } from '#src/admin/actions/actor.ts';
import type { DeliveryLog } from '#src/engine/delivery/delivery-log.ts';
import { isOfServer } from '#src/engine/delivery/server-deliveries.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { Listing } from '#src/clients/operation/listing.ts';
import type { RecordedPolls } from '#src/engine/planner/recorded-polls.ts';
import { POST_RULE, type Posts } from '#src/engine/posting/posts.ts';
import type { RuleRegistry } from '#src/engine/rule-sets/rule-registry.ts';
import type { DecisionLog } from '#src/rules/decision-log.ts';
import type { EpisodeLog } from '#src/rules/episode-log.ts';
import { lateModule } from '#src/errors.ts';
import { quietUntil } from '#src/rules/evaluate/gates/quiet-hours.ts';
import type { Lists } from '#src/rules/lists.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { RuleStates } from '#src/engine/scheduler/rule-states.ts';
import type { Scheduler } from '#src/engine/scheduler/scheduler.ts';
import { rulesNamed } from '#src/admin/actions/rule-actions.ts';
import { deliverySlice, shownDeliveries, type DeliveryNames, type DeliverySliceQuery } from './deliveries.ts';
import type { ItemExplanation } from './explain-item.ts';
import type { ItemNames } from './item-sightings.ts';
import type { Explanation } from './explanation.ts';
import type { RuleDetails } from './rule-details.ts';
import { goneRules, type GoneRule } from './gone-rules.ts';
import type { Polling } from './polling.ts';
import type {
  AccountView,
  DecidedItem,
  DeliveryList,
  KnownRule,
  LateWebhook,
  MessageExplanation,
  RuleExplanation,
  RuleView,
  ShownDelivery,
  Status,
} from './records.ts';
import { readPauses } from '#src/admin/actions/pauses.ts';
import { ruleRevision } from '#src/admin/actions/rule-revision.ts';
import { brokenViews, lastFailures, ruleViews, type RuleViewOptions } from './rule-view.ts';
import { readOutcomes, type SettledDecision } from './settled-decisions.ts';
import { statusOf } from './status.ts';
import type { DeliveryAccount } from './explain-message.ts';

const loadDetails = lateModule('the details of rules', () => import('./rule-details.ts'));
const loadExplanations = lateModule('the explanations', () => Promise.all([import('./explain-item.ts'), import('./explain-message.ts')]));

/** The number of stored decisions of one rule, of all outcomes. */
const MOST_DECISIONS = 400;

interface RuleDecisionQuery {
  readonly rule: string;
  readonly item?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** The member who reads deliveries. */
export interface DeliveryReader {
  /** The id of the server of the member. Posts of members of other servers are left out. */
  readonly server: string | undefined;
  /** Only deliveries of this server; absent: of the whole installation. */
  readonly scope?: ActorScope | undefined;
}

/** The data that operators read about the running process. */
export interface OperatorQueries {
  /** All rules without errors; running rules first. */
  rules(): Promise<readonly KnownRule[]>;
  /** The rules with a stored history that are no longer loaded, sorted by their last run, latest first. */
  gone(): Promise<readonly GoneRule[]>;
  /** The views of some rules, by id. */
  views(ids: readonly string[]): Promise<readonly RuleView[]>;
  /** The rule files with errors and without a running rule. */
  broken(): readonly RuleView[];
  /** Everything about one rule; undefined if there is no such rule. */
  explain(rule: string): Promise<RuleExplanation | undefined>;
  /** The list, the steps and the next runs of a rule; undefined if there is no such rule. */
  details(rule: string): Promise<RuleDetails | undefined>;
  /** The rules that know an item, and their episodes and decisions about it: at most `limit` for each rule. */
  explainItem(name: string, limit?: number): Promise<ItemExplanation>;
  /** The decisions of a rule, newest first. */
  decisions(query: RuleDecisionQuery): Promise<Listing<SettledDecision>>;
  /** The last decision about each item of a rule, newest first. */
  items(rule: string): Promise<readonly DecidedItem[]>;
  /** A page of the deliveries, ordered by urgency, as `server` may see them. The edits of one card are one entry. */
  deliveries(query: DeliverySliceQuery & DeliveryReader): Promise<DeliveryList>;
  /** One delivery; undefined if it does not exist or the reader may not see it. */
  delivery(id: string, reader: DeliveryReader): Promise<ShownDelivery | undefined>;
  /** Names the state of a rule that people change, or of all instances with a name; undefined: there is no such rule. */
  revision(name: string): Promise<string | undefined>;
  status(): Promise<Status>;
  /** Explains which deliveries made a message, by its id `channel/message` and the id of its server. */
  explainMessage(of: { readonly message: string; readonly server: string | undefined }): Promise<MessageExplanation>;
}

/** The stored data that operators read. */
interface OperatorData {
  readonly decisions: Pick<DecisionLog, 'list' | 'latestOf'>;
  readonly deliveries: { readonly find: (id: string) => Promise<Delivery | undefined> };
  readonly deliveryLog: DeliveryLog;
  readonly episodes: EpisodeLog;
  readonly itemNames: ItemNames;
  readonly posts: Pick<Posts, 'find'>;
  readonly recordedPolls: Pick<RecordedPolls, 'read'>;
  readonly ruleStates: Pick<RuleStates, 'paused' | 'planned' | 'lastSlots' | 'load'>;
  readonly conversationPoints: ConversationState['conversationPoints'];
}

export interface OperatorQueriesOptions {
  readonly registry: RuleRegistry;
  readonly scheduler: Pick<Scheduler, 'plansOf'>;
  readonly store: OperatorData;
  /** The ids of all servers of the bot. */
  readonly servers: readonly string[];
  readonly configuredAccounts: readonly DeliveryAccount[];
  readonly hasGateway: boolean;
  /** The lists that rules read; none if they cannot be read. */
  readonly lists: () => Promise<Lists>;
  readonly accounts: () => readonly AccountView[];
  /** The webhooks whose receivers have not accepted an event; absent: there are no webhooks. */
  readonly lateWebhooks?: (() => Promise<readonly LateWebhook[]>) | undefined;
  readonly explain: (rule: Rule) => Promise<Explanation>;
  /** How a rule learns of changes, and what its polls cost; undefined: it watches nothing. */
  readonly polling: (rule: Rule) => Promise<Polling | undefined>;
  /** Missing permissions of the bot in the channels of a rule. */
  readonly channelProblems?: RuleViewOptions['channelProblems'];
  readonly clock: Clock;
}

/** The queries over the store, the rules and the scheduler. */
export function createOperatorQueries({
  registry,
  scheduler,
  store,
  servers,
  configuredAccounts,
  hasGateway,
  channelProblems,
  clock,
  ...options
}: OperatorQueriesOptions): OperatorQueries {
  const { ruleStates, decisions, deliveryLog, episodes } = store;
  const names = (): DeliveryNames => ({ rules: registry.now.rules, episodes });

  function find(id: string): Rule | undefined {
    return registry.now.rules.find((rule) => rule.id === id);
  }

  /** The stored values of a rule; undefined: it has none. */
  async function valuesOf(id: string): Promise<KeptValues | undefined> {
    const { keep } = find(id) ?? {};
    return keep && keptValues(keep, (await ruleStates.load(id)).memory);
  }

  /** The servers whose members' posts this server must not see. */
  function othersThan(server: string | undefined): readonly string[] {
    return servers.filter((id) => id !== server);
  }

  return {
    async rules() {
      const paused = await ruleStates.paused();
      const known = registry.now.rules.map((rule): KnownRule => {
        const { id, name } = rule;
        return { id, name, on: registry.isOn(rule), paused: paused.has(id) };
      });
      return known.toSorted((a, b) => Number(b.on) - Number(a.on) || (a.id < b.id ? -1 : 1));
    },

    gone: () => goneRules(registry.now.rules, store),

    async views(ids) {
      const rules = ids.flatMap((id) => find(id) ?? []);
      const shown = await ruleViews(rules, {
        pauses: await readPauses(ruleStates),
        registry,
        scheduler,
        decisions,
        deliveryLog,
        episodes,
        channelProblems,
        nowMs: clock.nowMs(),
      });
      return Promise.all(shown.map(async (view) => ({ ...view, values: await valuesOf(view.id) })));
    },

    broken: () => brokenViews(registry),

    async explain(id) {
      const rule = find(id);
      if (!rule) return undefined;
      const quietMs = rule.quiet && quietUntil(rule.quiet, clock.nowMs());
      const explanation = await options.explain(rule);
      const nowMs = clock.nowMs();
      return {
        ...explanation,
        diagnostics: [...explanation.diagnostics, ...(explanation.on ? (channelProblems?.(rule) ?? []) : [])],
        lastFailure: (await lastFailures([rule], { deliveryLog, episodes, nowMs })).get(id),
        quietUntil: quietMs === undefined ? undefined : new Date(quietMs),
      };
    },

    async details(id) {
      const rule = find(id);
      const { ruleDetails } = await loadDetails();
      return rule && ruleDetails(rule, { registry, polling: await options.polling(rule), nowMs: clock.nowMs() });
    },

    async explainItem(name, limit) {
      const [{ explainItem }] = await loadExplanations();
      return explainItem(name, {
        rules: registry.now.rules,
        isOn: (rule) => registry.isOn(rule),
        store,
        lists: await options.lists(),
        limit,
      });
    },

    async decisions(query) {
      const { items, ...rest } = await decisions.list(query);
      return { ...rest, items: items.map(await readOutcomes(items, deliveryLog)) };
    },

    async items(rule) {
      const { items } = await decisions.list({ rule, limit: MOST_DECISIONS });
      const last = new Map<string, DecidedItem>();
      for (const { item, atMs, outcome, message, reason } of items) {
        if (item !== undefined && !last.has(item)) last.set(item, { key: item, atMs, outcome, message, reason });
      }
      return [...last.values()];
    },

    deliveries: ({ server, scope, ...query }) => deliverySlice(query, { ...names(), deliveryLog, of: scope, except: othersThan(server) }),

    async delivery(id, { server, scope }) {
      const delivery = await store.deliveries.find(id);
      if (!delivery || (scope && !isOfServer(delivery, scope))) return undefined;
      const posted = delivery.rule === POST_RULE ? await store.posts.find(delivery.episode) : undefined;
      if (posted && othersThan(server).includes(posted.post.server)) return undefined;
      return (await shownDeliveries([delivery], names()))[0];
    },

    revision: async (name) => {
      const rules = rulesNamed(name, registry.now.rules);
      return rules.length === 0 ? undefined : ruleRevision(rules, await readPauses(ruleStates), (rule) => registry.isOn(rule));
    },

    status: () =>
      statusOf({ registry, ruleStates, deliveryLog, accounts: options.accounts(), lateWebhooks: options.lateWebhooks, hasGateway }),

    async explainMessage(message) {
      const [, { explainMessage }] = await loadExplanations();
      return explainMessage(message, { accounts: configuredAccounts, rules: registry.now.rules, store });
    },
  };
}

import { createRuleActions, type RuleActions } from '#src/admin/actions/rule-actions.ts';
import { createOperatorQueries } from '#src/admin/queries/operator-queries.ts';
import type { ConversationState } from '#src/clients/assistant/conversation-state.ts';
import { silentLog } from '#src/log.ts';
import { NO_LISTS } from '#src/rules/lists.ts';
import { site } from '#src/web/site.ts';
import { z } from 'zod';
import type { Stage } from '../../engine/rule-sets/fixture.ts';
import { FakeApiQueries } from '../../support/fake-api-queries.ts';
import { noOperations } from '../../support/operations.ts';

/** What people read of a rule. */
interface ReadRule {
  readonly id: string;
  readonly text: string;
  readonly isOn: boolean;
  readonly value: number;
  readonly until: number;
  readonly planned: readonly (readonly [number, number])[];
}

/** What people see of a running process, and what they can do. */
export interface Reads {
  readonly actions: RuleActions;
  /** All rules, by id. */
  all(): Promise<readonly ReadRule[]>;
  /** The versions of a rule that people have seen, oldest first. */
  tagsOf(rule: string): readonly string[];
  /** Undefined: there is no such rule. */
  tag(rule: string): Promise<string | undefined>;
  /** Sends an action with a version. Resolves with the status. */
  post(path: string, body: object, tag: string): Promise<number>;
  /** The accepted actions, for example `pauseRule live-0 grace`. */
  accepted(): Promise<readonly string[]>;
}

const Instant = z.string().transform((text) => Date.parse(text));
const Rule = z.object({
  id: z.string(),
  on: z.boolean(),
  values: z.object({ count: z.number() }).optional(),
  paused: z.object({ until: Instant.optional() }).optional(),
  plannedPauses: z.array(z.object({ from: Instant, until: Instant.optional() })).optional(),
});
const Details = z.object({ source: z.string() });

/** Opens the HTTP API over a stage. */
export async function openReads(stage: Stage, tags: Map<string, string[]> = new Map()): Promise<Reads> {
  const { registry, scheduler, store, clock } = stage;
  const unused = (): never => {
    throw new Error('not part of this test');
  };
  const actions = createRuleActions({
    rules: () => registry.now.rules,
    isOn: (rule) => registry.isOn(rule),
    ruleStates: store.ruleStates,
    run: unused,
    test: unused,
    preview: unused,
    replay: unused,
    auditLog: store.auditLog,
    clock,
  });
  const unusedPoints = {} as ConversationState['conversationPoints']; // no one asks the assistant
  const queries = createOperatorQueries({
    registry,
    scheduler,
    store: { ...store, conversationPoints: unusedPoints },
    servers: [],
    configuredAccounts: [],
    hasGateway: false,
    lists: () => Promise.resolve(NO_LISTS),
    accounts: () => [],
    explain: unused,
    polling: () => Promise.resolve(undefined),
    clock,
  });
  const routes = await site({
    apiQueries: new FakeApiQueries(),
    operations: { ...noOperations, actions: { ...noOperations.actions, ...actions }, queries, auditLog: store.auditLog },
    clock,
    log: silentLog,
    host: '127.0.0.1',
    closing: new AbortController().signal,
  });
  const env = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };

  async function get(path: string): Promise<Response> {
    const answer = await routes.request(path, {}, env);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  }

  async function tag(rule: string): Promise<string | undefined> {
    const found = (await routes.request(`/api/rules/${encodeURIComponent(rule)}`, {}, env)).headers.get('etag');
    if (found === null) return undefined;
    const known = tags.get(rule) ?? [];
    if (known.at(-1) !== found) known.push(found);
    tags.set(rule, known);
    return found;
  }

  return {
    actions,
    async all() {
      const rules = await Promise.all(
        (await queries.rules()).map(async ({ id }): Promise<ReadRule> => {
          const [shown, details] = await Promise.all([
            get(`/api/rules/${encodeURIComponent(id)}`),
            get(`/api/rules/${encodeURIComponent(id)}/explanation`),
          ]);
          const { on, values, paused, plannedPauses = [] } = Rule.parse(await shown.json());
          const { source } = Details.parse(await details.json());
          const until = paused ? (paused.until ?? Infinity) : 0;
          return {
            id,
            text: source,
            isOn: on,
            value: values?.count ?? -1,
            until,
            planned: plannedPauses.map((one) => [one.from, one.until ?? Infinity]),
          };
        }),
      );
      return rules.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    },
    tagsOf: (rule) => tags.get(rule) ?? [],
    tag,
    async post(path, body, version) {
      const headers = { 'content-type': 'application/json', 'if-match': version };
      return (await routes.request(path, { method: 'POST', headers, body: JSON.stringify(body) }, env)).status;
    },
    async accepted() {
      const { items } = await store.auditLog.list({ limit: 10_000 });
      return items
        .filter(({ outcome }) => outcome === 'done' || outcome === 'unchanged')
        .map(({ action, target, by }) => `${action} ${target} ${by.name}`);
    },
  };
}

import type {
  AccountView,
  DatabaseState,
  DecisionView,
  DeliveryView,
  Listing,
  Metric,
  Readiness,
  RulesVersion,
  RuleView,
  ViewEvent,
} from '#src/admin/queries/records.ts';
import type { EpisodePhases } from '#src/rules/episode-log.ts';
import type { Message } from '#src/clients/chat/records.ts';
import { CursorError } from '#src/errors.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import type { Stream } from '#src/clients/streaming/records.ts';
import type { ListedState } from '#src/admin/queries/rule-page.ts';
import type { StatusView } from '#src/admin/queries/status-answer.ts';
import type { ApiQueries } from '#src/admin/queries/api-queries.ts';
import { NOW } from './view-records.ts';

/** The status of an installation with nothing in it. */
const EMPTY_STATUS: StatusView = {
  at: NOW,
  readiness: { ready: true },
  accounts: [],
  rules: { on: 0, paused: 0, broken: 0 },
  brokenFiles: [],
  channelProblems: [],
  nextRuns: [],
  rateLimits: [],
  pausedRules: [],
  questions: [],
  live: [],
  deliveries: { open: 0, asked: 0, sent: 0, failed: 0, unknown: 0 },
  budgets: [],
  process: { version: '0.1.0', startedAt: NOW, memoryBytes: 80_000_000 },
};

/** The data of the page, as lists that a test fills. */
export class FakeApiQueries implements ApiQueries {
  readiness: Readiness = { ready: true };
  accountList: readonly AccountView[] = [];
  streams: readonly Stream[] = [];
  timeline: readonly Post[] = [];
  channelMessages: readonly Message[] = [];
  ruleList: readonly RuleView[] = [];
  version: RulesVersion | undefined;
  decisionList: readonly DecisionView[] = [];
  deliveryList: readonly DeliveryView[] = [];
  /** The episodes of every rule. */
  episodeList: readonly EpisodePhases[] = [];
  metricList: readonly Metric[] = [];
  databaseState: DatabaseState = {};
  statusChanges: Partial<StatusView> = {};
  readonly #listeners = new Set<(event: ViewEvent) => void>();

  /** The number of subscribers. */
  get listening(): number {
    return this.#listeners.size;
  }

  emit(event: ViewEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  subscribe(listener: (event: ViewEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  ready(): Readiness {
    return this.readiness;
  }

  database(): DatabaseState {
    return this.databaseState;
  }

  accounts(): readonly AccountView[] {
    return this.accountList;
  }

  async live(): Promise<readonly Stream[]> {
    return this.streams;
  }

  async posts(): Promise<readonly Post[]> {
    return this.timeline;
  }

  async messages(): Promise<readonly Message[]> {
    return this.channelMessages;
  }

  async rules(): Promise<readonly RuleView[]> {
    return this.ruleList;
  }

  rulesVersion(): RulesVersion | undefined {
    return this.version;
  }

  async rulePage({ search = '', state, order, page, size }: Parameters<ApiQueries['rulePage']>[0]): ReturnType<ApiQueries['rulePage']> {
    const rank = ({ on, diagnostics }: RuleView): number => (order === 'id' || on ? 1 : diagnostics.length > 0 ? 0 : 2);
    const found = this.ruleList
      .filter(({ id }) => id.includes(search))
      .filter((one) => state === undefined || state === stateOf(one))
      .toSorted((a, b) => rank(a) - rank(b) || a.id.localeCompare(b.id, 'en', { numeric: true }));
    const pages = Math.max(1, Math.ceil(found.length / size));
    const current = Math.min(page, pages);
    const items = found.slice((current - 1) * size, current * size);
    return { items, page: current, pages, found: found.length, total: this.ruleList.length, version: this.version };
  }

  async status(): Promise<StatusView> {
    const count = (state: DeliveryView['state']): number => this.deliveryList.filter((one) => one.state === state).length;
    return {
      ...EMPTY_STATUS,
      readiness: this.readiness,
      pausedRules: this.ruleList.flatMap(({ id, paused }) => (paused ? [{ rule: id, paused }] : [])),
      deliveries: {
        open: count('pending'),
        asked: count('asked'),
        sent: count('sent'),
        failed: count('failed'),
        unknown: count('unknown'),
      },
      ...this.statusChanges,
    };
  }

  async metrics(): Promise<readonly Metric[]> {
    return this.metricList;
  }

  async decisions({ rule, outcome, text = '', cursor, limit }: Parameters<ApiQueries['decisions']>[0]): Promise<Listing<DecisionView>> {
    const all = this.decisionList.filter(
      (one) => (rule ?? one.rule) === one.rule && (outcome ?? one.outcome) === one.outcome && one.message.includes(text),
    );
    return slice(all, { cursor, limit });
  }

  async episodes({ cursor, limit = 50 }: Parameters<ApiQueries['episodes']>[0]): Promise<Listing<EpisodePhases>> {
    return slice(this.episodeList, { cursor, limit });
  }

  async deliveries({
    rule,
    state,
    item,
    account,
    text = '',
    cursor,
    limit,
  }: Parameters<ApiQueries['deliveries']>[0]): Promise<Listing<DeliveryView>> {
    const all = this.deliveryList.filter(
      (one) =>
        (rule ?? one.rule) === one.rule &&
        (state ?? one.state) === one.state &&
        (item ?? one.item?.key) === one.item?.key &&
        (account ?? one.account) === one.account &&
        (one.text ?? '').includes(text),
    );
    return slice(all, { cursor, limit });
  }
}

function slice<T>(
  all: readonly T[],
  { cursor = '0', limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Listing<T> {
  if (!/^\d+$/.test(cursor)) throw new CursorError('This cursor is not one of this list.');
  const start = Number(cursor);
  const end = start + limit;
  return { items: all.slice(start, end), cursor: end < all.length ? String(end) : undefined };
}

function stateOf({ on, paused, diagnostics, undelivered }: RuleView): ListedState {
  if (diagnostics.some(({ severity }) => severity === 'error')) return 'broken';
  if (!on) return 'off';
  if (paused) return 'paused';
  return undelivered && undelivered.failed + undelivered.unknown > 0 ? 'failing' : 'on';
}

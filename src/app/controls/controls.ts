import type { Clock } from '#src/clock.ts';
import type { Config } from '#src/config/config.ts';
import type { Controls, DecidedItem, KnownRule, RuleExplanation } from '#src/discord/controls/controls.ts';
import type { Log } from '#src/log.ts';
import type { Outbox } from '#src/outbox/outbox.ts';
import { POST_RULE } from '#src/outbox/posts.ts';
import { quietUntil } from '#src/rules/episodes/gates/quiet-hours.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Scheduler } from '#src/scheduler/scheduler.ts';
import type { Store } from '#src/store/store.ts';
import type { AccountView } from '#src/web/views.ts';
import { accountsOf } from '../accounts.ts';
import type { Clients } from '../clients.ts';
import { explainRule } from '../explain/explain-rule.ts';
import type { Feed } from '../feed.ts';
import type { RuleBook } from '../reload/rule-book.ts';
import { brokenViews, ruleView } from '../rule-view.ts';
import { spendingsIn } from '../spendings.ts';
import { runTests } from '../run-tests.ts';
import { previewRule } from '../trial/preview-rule.ts';
import { deliveryPage, shownDelivery } from './delivery-page.ts';
import { statusOf } from './status.ts';
import { storyOf } from './story.ts';

/** As many as are kept of one rule, of all outcomes. */
const MOST_DECISIONS = 400;

export interface ControlsOptions {
  readonly config: Parameters<typeof accountsOf>[0] & Pick<Config, 'budgets' | 'discord' | 'servers'>;
  readonly clients: Clients;
  readonly book: RuleBook;
  readonly scheduler: Pick<Scheduler, 'nextMs' | 'run'>;
  readonly outbox: Pick<Outbox, 'resolve'>;
  readonly store: Store;
  readonly feed: Pick<Feed, 'publish'>;
  /** The accounts in use, and how they are. */
  readonly accounts: () => readonly AccountView[];
  readonly clock: Clock;
  readonly log: Log;
}

/** What operators do with the running program from Discord: the same as on the command line and on the page. */
export function createControls({
  config,
  clients,
  book,
  scheduler,
  outbox,
  store,
  feed,
  clock,
  log,
  ...options
}: ControlsOptions): Controls {
  const { ruleStates, decisions } = store;

  function find(id: string): Rule | undefined {
    return book.now.rules.find((rule) => rule.id === id);
  }

  /** The servers in which posts are none of this one's business. */
  function othersThan(server: string | undefined): readonly string[] {
    return config.servers.flatMap(({ id }) => (id === server ? [] : [id]));
  }

  async function changed(rules: readonly string[], change: (rule: string) => Promise<boolean>): Promise<readonly string[]> {
    const done: string[] = [];
    for (const rule of rules) if (find(rule) && (await change(rule))) done.push(rule);
    if (done.length > 0) feed.publish({ kind: 'rules' });
    return done;
  }

  return {
    async rules() {
      const paused = await ruleStates.paused();
      const known = book.now.rules.map((rule): KnownRule => {
        const { id, name } = rule;
        return { id, name, on: book.isOn(rule), paused: paused.has(id) };
      });
      return known.toSorted((a, b) => Number(b.on) - Number(a.on) || (a.id < b.id ? -1 : 1));
    },

    async views(ids) {
      const paused = await ruleStates.paused();
      return Promise.all(
        ids.flatMap((id) => find(id) ?? []).map((rule) => ruleView(rule, { pause: paused.get(rule.id), book, scheduler, store })),
      );
    },

    broken: () => brokenViews(book),

    async explain(id) {
      const rule = find(id);
      if (!rule) return undefined;
      const nowMs = clock.nowMs();
      const spendingOf = spendingsIn(store, config, clock);
      const explained = await explainRule(rule, { book, accounts: accountsOf(config), config, spendingOf, store, nowMs });
      const quietMs = rule.quiet && quietUntil(rule.quiet, nowMs);
      return { ...explained, quietUntil: quietMs === undefined ? undefined : new Date(quietMs) } satisfies RuleExplanation;
    },

    decisions: (query) => decisions.list(query),

    async items(rule) {
      const { items } = await decisions.list({ rule, limit: MOST_DECISIONS });
      const last = new Map<string, DecidedItem>();
      for (const { item, reason, why } of items) if (item !== undefined && !last.has(item)) last.set(item, { key: item, reason, why });
      return [...last.values()];
    },

    pause: (rules, by) => changed(rules, (rule) => ruleStates.pause(rule, by)),
    resume: (rules) => changed(rules, (rule) => ruleStates.resume(rule)),
    run: (rule, signal) => scheduler.run(rule, signal),

    async preview(id, items) {
      const rule = find(id);
      return rule && previewRule(rule, { clients, items, clock, log });
    },

    async test(id) {
      const rule = find(id);
      if (!rule) return undefined;
      const beside = book.now.rules.filter(({ file }) => file === rule.file);
      return runTests(beside, { problems: [], accounts: accountsOf(config) });
    },

    deliveries: ({ server, ...query }) => deliveryPage(query, { book, store, except: othersThan(server) }),

    async delivery(id, server) {
      const delivery = await store.deliveries.find(id);
      if (!delivery) return undefined;
      const posted = delivery.rule === POST_RULE ? await store.posts.find(delivery.episode) : undefined;
      return posted && othersThan(server).includes(posted.post.server) ? undefined : shownDelivery(delivery, book);
    },

    resolve: (id, word) => outbox.resolve(id, word),
    status: () => statusOf({ book, store, accounts: options.accounts(), hasGateway: config.discord.gateway }),
    story: (message) => storyOf(message, { config, book, store }),
  };
}

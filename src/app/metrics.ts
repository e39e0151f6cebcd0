import { POST_RULE } from '#src/outbox/posts.ts';
import type { Store } from '#src/store/store.ts';
import type { Metric } from '#src/web/exposition.ts';
import type { RuleSet } from '#src/rules/rule-set.ts';
import type { RuleBook } from './reload/rule-book.ts';

/** The part of a rule book that has figures. */
interface FiguredBook extends Pick<RuleBook, 'running'> {
  readonly now: Pick<RuleSet, 'rules' | 'problems'>;
}

/** The figures of the running process, for Prometheus. */
export async function metricsOf({ store, book }: { readonly store: Store; readonly book: FiguredBook }): Promise<readonly Metric[]> {
  const known = new Set([POST_RULE, ...book.now.rules.map(({ id }) => id)]);
  const [deliveries, decisions] = await Promise.all([store.deliveryLog.counts(), store.decisions.counts()]);
  return [
    { name: 'fanfare_rules', type: 'gauge', help: 'Rules that run.', samples: [{ value: book.running.length }] },
    {
      name: 'fanfare_rule_files_broken',
      type: 'gauge',
      help: 'Rule files with errors; some of them run as they were before.',
      samples: [{ value: brokenFiles(book) }],
    },
    {
      name: 'fanfare_deliveries',
      type: 'gauge',
      help: 'Deliveries that are kept, by state.',
      samples: deliveries.map(({ state, count }) => ({ labels: { state }, value: count })),
    },
    {
      name: 'fanfare_decisions',
      type: 'gauge',
      help: 'Decisions that are kept, by rule and outcome.',
      // Stored decisions of removed rules are not metrics of this process.
      samples: decisions
        .filter(({ rule }) => known.has(rule))
        .map(({ rule, outcome, count }) => ({ labels: { rule, outcome }, value: count })),
    },
    {
      name: 'process_resident_memory_bytes',
      type: 'gauge',
      help: 'Memory of the process.',
      samples: [{ value: process.memoryUsage.rss() }],
    },
    {
      name: 'process_start_time_seconds',
      type: 'gauge',
      help: 'When the process began.',
      samples: [{ value: performance.timeOrigin / 1000 }],
    },
  ];
}

function brokenFiles({ now: { problems } }: FiguredBook): number {
  return new Set(problems.filter(({ severity }) => severity === 'error').map(({ file }) => file)).size;
}

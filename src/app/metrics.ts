import type { Store } from '#src/store/store.ts';
import type { Metric } from '#src/web/exposition.ts';
import type { RuleBook } from './reload/rule-book.ts';

/** The figures of the running process, for Prometheus. */
export async function metricsOf({ store, book }: { readonly store: Store; readonly book: RuleBook }): Promise<readonly Metric[]> {
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
      samples: decisions.map(({ rule, outcome, count }) => ({ labels: { rule, outcome }, value: count })),
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

function brokenFiles({ now: { problems } }: RuleBook): number {
  return new Set(problems.filter(({ severity }) => severity === 'error').map(({ file }) => file)).size;
}

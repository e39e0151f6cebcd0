import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { DELIVERY_STATES } from '#src/engine/delivery/delivery.ts';
import { metricsOf } from '#src/admin/queries/metrics.ts';
import { openStore } from '#src/store/store.ts';
import { processMetrics } from '../support/process-metrics.ts';

const SERIES_OF_PROMETHEUS = new Set(['up']);
/** Names in expressions that are functions or keywords of PromQL. */
const PROMQL = new Set(
  'absent and avg_over_time bool by changes clamp_min delta group_left histogram_quantile increase max max_over_time min min_over_time on or predict_linear rate sort sum time unless vector'.split(
    ' ',
  ),
);

const Alerts = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Fanfare[A-Za-z]+$/u),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[mh]$/u)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['warning', 'critical']) }),
          annotations: z.strictObject({ summary: z.string(), description: z.string() }),
        }),
      ),
    }),
  ),
});
const Dashboard = z.looseObject({
  title: z.string(),
  panels: z.array(z.looseObject({ id: z.number(), title: z.string(), targets: z.array(z.looseObject({ expr: z.string() })) })),
});

const alerts = Alerts.parse(parse(readFileSync('contrib/monitoring/alerts.yaml', 'utf8'))).groups.flatMap(({ rules }) => rules);
const dashboard = Dashboard.parse(JSON.parse(readFileSync('contrib/monitoring/grafana-dashboard.json', 'utf8')));
const page = readFileSync('docs/operating/monitoring.md', 'utf8');
const queries = [
  ...(page
    .split('### Which query answers which question')[1]
    ?.split('\n## ')[0]
    ?.matchAll(/^\| ([^|]+\?) \| (.*) \|$/gmu) ?? []),
];
const expressions = [
  ...queries.flatMap(([, question = '', cell = '']) => [...cell.matchAll(/`([^`]+)`/gu)].map(([, expr = '']) => [question, expr] as const)),
  ...alerts.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
];

/** The names of metrics in an expression of PromQL. */
function metricsIn(expr: string): readonly string[] {
  const withoutLabels = expr.replaceAll(/\{[^}]*\}|\[[^\]]*\]|\b(?:by|on|group_left) \([^)]*\)/gu, '');
  return [...withoutLabels.matchAll(/\b[a-z][a-z_]+\b/gu)].map(([name]) => name).filter((name) => !PROMQL.has(name));
}

async function metricNames(): Promise<ReadonlySet<string>> {
  await using store = await openStore();
  const registry = { now: { rules: [], diagnostics: [] }, running: [] };
  const metrics = await metricsOf({ ...store, ...processMetrics, registry, ready: () => ({ ready: true }) });
  return new Set(metrics.map(({ name }) => name));
}

/** The metric of a series: a histogram has several. */
function metricOf(series: string): string {
  return series.replace(/_(?:bucket|sum|count)$/u, '');
}

describe('alerts and dashboard', () => {
  test.for(expressions)('%s names existing metrics and states', async ([, expr]) => {
    const existing = await metricNames();
    const states = [...expr.matchAll(/state[=!~]+"([^"]+)"/gu)].flatMap(([, names = '']) => names.split('|'));

    expect(metricsIn(expr)).not.toEqual([]);
    expect(metricsIn(expr).filter((name) => !existing.has(metricOf(name)) && !SERIES_OF_PROMETHEUS.has(name))).toEqual([]);
    expect(states.filter((state) => !DELIVERY_STATES.some((known) => known === state))).toEqual([]);
  });

  test('the check finds a metric that does not exist', () => {
    expect(metricsIn('sum by (instance) (delta(fanfare_none{state="failed"}[1h])) > 0')).toEqual(['fanfare_none']);
  });

  test('have unique names, which the page lists', () => {
    const names = alerts.map(({ alert }) => alert);

    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
  });

  test('the page has a query for each question', () => {
    expect(queries.length).toBeGreaterThan(8);
  });

  test('the panels have unique ids', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  });
});

test.runIf(existsSync('/usr/bin/promtool'))('the alerts fire when they should, and only then', () => {
  const output = runQuietly('promtool', ['test', 'rules', 'test/operating/alert-cases.yaml']);

  expect(output).toBe('');
});

test('the page lists every metric', async () => {
  const listed = new Set([...page.matchAll(/^\| `((?:fanfare|process)_[a-z_]+)(?:\{[^}]*\})?` \|/gmu)].map(([, name = '']) => name));

  expect(listed).toEqual(await metricNames());
});

describe('systemd units', () => {
  const units = globSync('contrib/*.{service,timer}');

  test('restrict the service', () => {
    const unit = readFileSync('contrib/fanfare.service', 'utf8');

    expect(units).toHaveLength(3);
    for (const line of ['ProtectSystem=strict', 'NoNewPrivileges=true', 'CapabilityBoundingSet=', 'SystemCallErrorNumber=EPERM']) {
      expect(unit.split('\n')).toContain(line);
    }
    // The compiler of Node needs writable and executable memory.
    expect(unit).not.toMatch(/^MemoryDenyWriteExecute=true/mu);
  });

  test('start the service again however long a cause outside of Fanfare lasts, for example a full disk', () => {
    const lines = readFileSync('contrib/fanfare.service', 'utf8').split('\n');

    expect(lines).toEqual(expect.arrayContaining(['Restart=on-failure', 'StartLimitIntervalSec=0']));
    expect(lines.filter((line) => line.startsWith('StartLimitBurst='))).toEqual([]);
  });

  test('start the service after the clock is right, because rules run at times', () => {
    const unit = readFileSync('contrib/fanfare.service', 'utf8');

    for (const key of ['After', 'Wants']) expect(unit).toMatch(new RegExp(`^${key}=.*\\btime-sync\\.target$`, 'mu'));
  });

  test.runIf(existsSync('/usr/bin/systemd-analyze'))('are valid', () => {
    for (const unit of units) {
      const output = runQuietly('systemd-analyze', ['verify', '--recursive-errors=no', unit]);

      // This machine has no installation in /srv/fanfare.
      expect(output.split('\n').filter((line) => line !== '' && !line.includes('is not executable'))).toEqual([]);
    }
  });
});

/** The standard error of a command. */
function runQuietly(command: string, args: readonly string[]): string {
  try {
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    return '';
  } catch (error) {
    if (error instanceof Error && 'stderr' in error) return String(error.stderr);
    throw error;
  }
}

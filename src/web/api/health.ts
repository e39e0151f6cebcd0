import { Hono, type Context } from 'hono';
import type { Metric } from '#src/admin/queries/records.ts';
import type { ApiQueries } from '#src/admin/queries/api-queries.ts';

/** The media type of {@link formatMetrics}. */
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * The routes for supervisors, under any host name, because probes of Kubernetes use the address of the pod. The reason names rules and
 * accounts, so only senders who `maySeeReason` get it.
 */
export function probes(apiQueries: ApiQueries, maySeeReason: (c: Context) => Promise<boolean>): Hono {
  const routes = new Hono();

  routes.get('/healthz', (c) => c.json({ ok: true }));

  routes.get('/readyz', async (c) => {
    const { ready, ...obstacle } = apiQueries.ready();
    return c.json({ ready, ...(!ready && (await maySeeReason(c)) && obstacle) }, ready ? 200 : 503);
  });

  return routes;
}

/** The route for Prometheus. */
export function metrics(apiQueries: ApiQueries): Hono {
  const routes = new Hono();

  routes.get('/metrics', async (c) => c.body(formatMetrics(await apiQueries.metrics()), 200, { 'Content-Type': METRICS_TYPE }));

  return routes;
}

/** The metrics in the text format of Prometheus. */
export function formatMetrics(metrics: readonly Metric[]): string {
  return metrics.map(formatMetric).join('');
}

function formatMetric({ name, type, help, samples }: Metric): string {
  const lines = samples.map(({ suffix = '', labels = {}, value }) => `${name}${suffix}${formatLabels(labels)} ${formatValue(value)}`);
  return [`# HELP ${name} ${escape(help)}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

function formatLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escape(value).replaceAll('"', '\\"')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escape(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function formatValue(value: number): string {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
}

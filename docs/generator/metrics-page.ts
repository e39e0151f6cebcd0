import { METRICS } from '#src/admin/queries/metric-declarations.ts';
import type { MetricDeclaration } from '#src/admin/queries/records.ts';
import { code, codeBlock, frontMatter, paragraphs, table } from './markdown.ts';

const SCRAPE = `scrape_configs:
  - job_name: fanfare
    static_configs:
      - targets: ['127.0.0.1:8080']`;

const INTRODUCTION = `This page lists every metric that Fanfare exposes to Prometheus.

\`GET /metrics\` answers in the text format 0.0.4. On this machine, it requires no authentication. If Prometheus uses
another host name than localhost, add the name to \`FANFARE_ALLOWED_HOSTS\`, and give Prometheus the token that
\`fanfare token create --name prometheus --scope metrics\` prints.`;

/** The reference of the metrics. */
export function metricsPage(): string {
  const metrics: readonly (readonly [string, MetricDeclaration])[] = Object.entries(METRICS);
  return paragraphs(
    frontMatter('Metrics'),
    '# Metrics',
    INTRODUCTION,
    codeBlock('yaml', SCRAPE),
    table(
      ['metric', 'type', 'labels', 'unit', 'meaning'],
      metrics.map(([name, { type, unit, labels, help, meaning, buckets }]) => [
        code(name),
        type,
        Object.keys(labels).map(code).join(', '),
        unit,
        `${help} ${meaning}${buckets ? ` Buckets: ${buckets.join(', ')}.` : ''}`,
      ]),
    ),
    '## Labels',
    table(
      ['metric', 'label', 'value'],
      metrics.flatMap(([name, { labels }]) => Object.entries(labels).map(([label, about]) => [code(name), code(label), about])),
    ),
  ).concat('\n');
}

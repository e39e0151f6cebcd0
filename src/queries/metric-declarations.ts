import type { Metric } from './records.ts';

/** A metric without its values. */
export interface MetricDeclaration extends Omit<Metric, 'samples' | 'name'> {
  /** The unit of the value. */
  readonly unit: string;
  /** The labels by name, with their values. */
  readonly labels: Readonly<Record<string, string>>;
  /** How to read it, beyond `help`. */
  readonly meaning: string;
}

const STATES = '`pending`, `sending`, `asked`, `sent`, `failed`, `unknown` or `skipped`';
const OUTCOMES = '`fired`, `silent`, `refused`, `held`, `waiting`, `closed`, `quiet` or `failed`';

/** All metrics by name, in the order of `/metrics`. */
export const METRICS = {
  fanfare_ready: {
    type: 'gauge',
    help: '1 if Fanfare can run rules and deliver announcements, otherwise 0; /readyz has the reason.',
    unit: '0 or 1',
    labels: {},
    meaning: 'Alert if it is 0 for several minutes.',
  },
  fanfare_rules: {
    type: 'gauge',
    help: 'The number of running rules.',
    unit: 'rules',
    labels: {},
    meaning: 'An instance of `each` is a rule. Paused rules count; rules with `enabled: false` do not.',
  },
  fanfare_rules_paused: {
    type: 'gauge',
    help: 'Rules that are paused by a person or by their fuse.',
    unit: 'rules',
    labels: {},
    meaning: '`fanfare resume <rule>` resumes a rule.',
  },
  fanfare_rule_files_broken: {
    type: 'gauge',
    help: 'Rule files with errors. If a file had no errors before, its last valid version still runs.',
    unit: 'files',
    labels: {},
    meaning: 'Above 0, run `fanfare check`.',
  },
  fanfare_deliveries: {
    type: 'gauge',
    help: 'Deliveries that are kept, by state.',
    unit: 'deliveries',
    labels: { state: `The state: ${STATES}. Every state has a sample.` },
    meaning:
      'Fanfare deletes old deliveries, so the value can fall. `unknown` waits for `fanfare resolve`. `failed` deliveries are not on the platform.',
  },
  fanfare_decisions: {
    type: 'gauge',
    help: 'Decisions that are kept, by rule and outcome.',
    unit: 'decisions',
    labels: {
      rule: 'The id of the rule; `post` for posts of people.',
      outcome: `The outcome: ${OUTCOMES}. \`quiet\` means no news, as \`fanfare explain\` prints it.`,
    },
    meaning: 'Fanfare deletes old decisions, so the value can fall. `failed` counts polls that failed. Removed rules have no samples.',
  },
  process_resident_memory_bytes: {
    type: 'gauge',
    help: 'Memory of the process.',
    unit: 'bytes',
    labels: {},
    meaning: 'The resident set size. With a sandbox in the process, it includes the sandbox.',
  },
  process_start_time_seconds: {
    type: 'gauge',
    help: 'The start time of the process.',
    unit: 'seconds since 1970',
    labels: {},
    meaning: '`time() - process_start_time_seconds` is the uptime. A change shows a restart.',
  },
} as const satisfies Readonly<Record<string, MetricDeclaration>>;

export type MetricName = keyof typeof METRICS;

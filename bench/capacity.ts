// Prints what an installation needs, and the first limits that it reaches.
import { parseArgs } from 'node:util';
import { formatLimits, formatNeeds, formatSimulation, SCENARIOS } from './capacity/format.ts';
import { X_PLANS, type XPlanName } from './capacity/limits.ts';
import type { Scenario } from './capacity/model.ts';

const HELP = `npm run capacity -- [--channels N] [--kick N] [--rules N] [--interval SECONDS] [--servers N]
                    [--discord N] [--bluesky N] [--mastodon N] [--x N] [--x-plan PLAN]
npm run capacity -- --measure [--rounds N] [--polls]
npm run capacity -- --write

  --kick                                 how many of the channels are on Kick
  --discord, --bluesky, --mastodon, --x  posts per day
  --x-plan                               ${Object.keys(X_PLANS).join(', ')}
  --measure                              measures the database and deliveries in a minute; use a machine that does nothing else
  --polls                                also measures slots and channels, which takes eight minutes
  --write                                writes the tables of docs/operating/capacity.md`;

const number = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    channels: number,
    kick: number,
    rules: number,
    interval: number,
    servers: number,
    discord: number,
    bluesky: number,
    mastodon: number,
    x: number,
    rounds: number,
    'x-plan': number,
    measure: { type: 'boolean' },
    polls: { type: 'boolean' },
    write: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});

/** A whole number above 0, or the default. */
function count(name: Exclude<keyof typeof values, 'x-plan' | 'measure' | 'polls' | 'write' | 'help'>, fallback: number): number {
  const text = values[name];
  if (text === undefined) return fallback;
  if (!/^\d{1,12}$/u.test(text)) throw new Error(`--${name}: write a whole number`);
  return Number(text);
}

if (values.help === true) console.log(HELP);
else if (values.measure === true) {
  const { measure } = await import('./capacity/measure.ts');
  await measure({ rounds: count('rounds', 5), isPolling: values.polls === true });
} else if (values.write === true) {
  const { writePage } = await import('./capacity/write-page.ts');
  writePage();
} else {
  const scenarios = Object.keys(values).length === 0 ? SCENARIOS : [described()];
  for (const scenario of scenarios) {
    console.log(`## ${scenario.name}\n\n${formatNeeds(scenario)}\n`);
    console.log(`The busiest hour, simulated:\n\n${formatSimulation(scenario)}\n`);
    console.log(`The limits that it reaches first while it grows to this size:\n\n${formatLimits(scenario)}\n`);
  }
}

function described(): Scenario {
  return {
    name: 'this installation',
    channels: count('channels', 1_000),
    kickChannels: count('kick', 0),
    rules: count('rules', 100),
    intervalS: Math.max(1, count('interval', 60)),
    servers: count('servers', 1),
    postsPerDay: { discord: count('discord', 1_000), bluesky: count('bluesky', 0), mastodon: count('mastodon', 0), x: count('x', 0) },
    xPlan: plan(values['x-plan']),
  };
}

function plan(name = 'usage'): XPlanName {
  if (!isPlan(name)) throw new Error(`--x-plan: write one of ${Object.keys(X_PLANS).join(', ')}`);
  return name;
}

function isPlan(name: string): name is XPlanName {
  return Object.hasOwn(X_PLANS, name);
}

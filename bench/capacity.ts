// Prints what an installation needs, and the first limits that it reaches.
import { parseArgs } from 'node:util';
import { formatLimits, formatNeeds, formatSimulation, SCENARIOS } from './capacity/format.ts';
import type { Scenario } from './capacity/model.ts';

const HELP = `node bench/capacity.ts [--channels N] [--rules N] [--interval SECONDS] [--servers N] [--discord N] [--bluesky N] [--mastodon N] [--x N]

  --discord, --bluesky, --mastodon, --x  posts per day`;

const number = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    channels: number,
    rules: number,
    interval: number,
    servers: number,
    discord: number,
    bluesky: number,
    mastodon: number,
    x: number,
    help: { type: 'boolean' },
  },
});

/** A whole number above 0, or the default. */
function count(name: Exclude<keyof typeof values, 'help'>, fallback: number): number {
  const text = values[name];
  if (text === undefined) return fallback;
  if (!/^\d{1,12}$/u.test(text)) throw new Error(`--${name}: write a whole number`);
  return Number(text);
}

if (values.help === true) console.log(HELP);
else {
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
    rules: count('rules', 100),
    intervalS: Math.max(1, count('interval', 60)),
    servers: count('servers', 1),
    postsPerDay: { discord: count('discord', 1_000), bluesky: count('bluesky', 0), mastodon: count('mastodon', 0), x: count('x', 0) },
  };
}

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Figures, measures } from './measures.ts';

const FILE = join(import.meta.dirname, '../recorded.json');
/** A figure may exceed its recorded value by this factor. */
const TOLERANCE = 1.25;
/** The factors of figures that differ less between runs. */
const TOLERANCES: Readonly<Record<string, number>> = {
  'peak memory of 100 pages, Bot / @twurple/api': 1.12,
  'CPU of 15 polls, 5 posts / plain program': 1.15,
  'CPU of 5 posts, from their polls / plain program': 1.15,
  'statements of a poll': 1.02,
  'statements between a poll and its post': 1.02,
  'commits between a poll and its post': 1,
  'files loaded at the start': 1.06,
  'kilobytes loaded at the start': 1.01,
};
const ATTEMPTS = 4;
/** The rounds of a recording, whose median counts. */
const RECORDED_ROUNDS = 3;

/**
 * Compares the figures with the recorded ones. Groups with a regression are measured again after all others, because other work on the
 * machine can last for seconds. Resolves with false for a regression, or if a recorded figure is not measured.
 */
export async function quick(): Promise<boolean> {
  const recorded = z.record(z.string(), z.number()).parse(JSON.parse(readFileSync(FILE, 'utf8')));
  const best: Figures[] = [];
  for (const measure of measures) best.push(await measure());
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    for (const [index, measure] of measures.entries()) {
      const known = best[index] ?? {};
      if (!isWithin(known, recorded)) best[index] = smaller(known, await measure());
    }
  }
  for (const figures of best) print(figures, recorded);
  const measured = new Set(best.flatMap((figures) => Object.keys(figures)));
  const missing = Object.keys(recorded).filter((name) => !measured.has(name));
  for (const name of missing) console.log(`${name.padEnd(46)} is recorded but not measured`);
  const isGood = missing.length === 0 && best.every((figures) => isWithin(figures, recorded));
  if (!isGood) console.log('After an intended change: npm run bench -- --record');
  return isGood;
}

/** Records the medians of several measurements. */
export async function record(): Promise<void> {
  const recorded: Record<string, number> = {};
  for (const measure of measures) {
    const rounds: Figures[] = [];
    for (let round = 0; round < RECORDED_ROUNDS; round++) rounds.push(await measure());
    for (const name of Object.keys(rounds[0] ?? {})) {
      const values = rounds.map((figures) => figures[name] ?? Number.NaN).toSorted((a, b) => a - b);
      recorded[name] = Number(values[1]?.toPrecision(3));
      console.log(`${name.padEnd(46)} ${values.map(format).join(' ')}`);
    }
  }
  writeFileSync(FILE, `${JSON.stringify(recorded, undefined, 2)}\n`);
}

function isWithin(figures: Figures, recorded: Figures): boolean {
  return Object.entries(figures).every(([name, figure]) => figure <= limitOf(name, recorded));
}

function limitOf(name: string, recorded: Figures): number {
  const before = recorded[name];
  if (before === undefined) throw new Error(`bench/recorded.json has no "${name}". Record it: npm run bench -- --record`);
  return before * toleranceOf(name);
}

function toleranceOf(name: string): number {
  return TOLERANCES[name] ?? TOLERANCE;
}

function smaller(one: Figures, other: Figures): Figures {
  return Object.fromEntries(Object.entries(one).map(([name, figure]) => [name, Math.min(figure, other[name] ?? figure)]));
}

function print(figures: Figures, recorded: Figures): void {
  for (const [name, figure] of Object.entries(figures)) {
    const before = recorded[name] ?? Number.NaN;
    const result = figure > before * toleranceOf(name) ? 'regressed' : figure < before / toleranceOf(name) ? 'better: record it' : 'ok';
    console.log(`${name.padEnd(46)} ${format(figure).padStart(8)}   recorded ${format(before).padStart(8)}   ${result}`);
  }
}

function format(figure: number): string {
  return figure >= 100 ? figure.toFixed(0) : figure.toFixed(3);
}

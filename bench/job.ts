import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { end, memoryOf } from './child-process.ts';
import { fanfare, fanfareWithSandbox, freshInstallation, nodeRed } from './job/programs.ts';
import { type JobRun, runJob } from './job/run.ts';
import { medianOf } from './median.ts';
import type { Row } from './row.ts';

const STARTS = 5;
/** The measured polls begin when Discord is connected. */
const FROM_POLL = 3;
const POLLS = 30;
/** The time of the polls. */
const SETTLED_MS = (FROM_POLL + POLLS) * 5_000;

/** One job in Fanfare and in Node-RED: poll a list every five seconds, and post each stream that enters the top five. */
export async function job(): Promise<readonly Row[]> {
  using folder = temporaryFolder();
  return [...(await starts(folder.path)), ...(await polls(folder.path))];
}

/** The CPU time from the start of the process to its first poll. The programs alternate, so that other load affects all of them. */
async function starts(folder: string): Promise<readonly Row[]> {
  const programs = {
    fanfare: fanfare({ folder: join(folder, 'warm') }),
    discord: fanfare({ folder: join(folder, 'warm-discord'), discord: true }),
    editor: nodeRed(join(folder, 'warm-node-red'), { editor: true }),
    headless: nodeRed(join(folder, 'warm-headless'), { editor: false }),
  };
  const measured = { fanfare: [] as number[], discord: [] as number[], editor: [] as number[], headless: [] as number[] };
  // The first round fills the caches.
  for (let round = 0; round <= STARTS; round++) {
    for (const name of ['fanfare', 'editor', 'discord', 'headless'] as const) {
      const { cpuMs } = await runJob(programs[name], { polls: 1 });
      if (round > 0) measured[name].push(...cpuMs.slice(0, 1));
    }
  }
  const first = { fanfare: [] as number[], nodeRed: [] as number[] };
  for (let round = 0; round < 3; round++) {
    const installation = freshInstallation(join(folder, `installation-${round}`));
    const fresh = await runJob(fanfare({ folder: join(folder, `first-${round}`), installation }), { polls: 1 });
    const freshPeer = await runJob(nodeRed(join(folder, `first-node-red-${round}`), { editor: true }), { polls: 1 });
    first.fanfare.push(...fresh.cpuMs.slice(0, 1));
    first.nodeRed.push(...freshPeer.cpuMs.slice(0, 1));
  }
  const peer = { name: 'Node-RED', figure: medianOf(measured.editor) };
  return [
    { measure: 'CPU to the first poll, warm', figure: medianOf(measured.fanfare), unit: 'ms', peer, aim: { ratioAtMost: 350 / 440 } },
    {
      measure: 'CPU to the first poll, warm, Discord connected',
      figure: medianOf(measured.discord),
      unit: 'ms',
      peer,
      aim: { ratioAtMost: 550 / 440 },
    },
    { measure: '  Node-RED without its editor', figure: medianOf(measured.headless), unit: 'ms' },
    {
      measure: 'CPU to the first poll, very first start',
      figure: medianOf(first.fanfare),
      unit: 'ms',
      peer: { name: 'Node-RED', figure: medianOf(first.nodeRed) },
      aim: { atMost: 600 },
    },
  ];
}

/** Memory, CPU time and latency of many polls. Two programs run at the same time, and others later, so that they do not delay each other. */
async function polls(folder: string): Promise<readonly Row[]> {
  const until = { polls: FROM_POLL + POLLS };
  const [ours, editor] = await Promise.all([
    runJob(fanfare({ folder: join(folder, 'warm') }), until),
    runJob(nodeRed(join(folder, 'warm-node-red'), { editor: true }), until),
  ]);
  const inside = fanfareWithSandbox(join(folder, 'inside'));
  const [discord, headless, all] = await Promise.all([
    runJob(fanfare({ folder: join(folder, 'warm-discord'), discord: true }), until),
    runJob(nodeRed(join(folder, 'warm-headless'), { editor: false }), until),
    sleep(SETTLED_MS).then(() => memoryOf(inside.pid ?? 0)),
  ]);
  await end(inside);
  for (const run of [discord, editor, headless]) {
    const isSame = run.posts.join('\n') === ours.posts.join('\n') && run.queries.join() === ours.queries.join() && ours.posts.length > 0;
    if (!isSame) throw new Error(`the programs did not do the same: ${JSON.stringify([ours.posts, run.posts, ours.queries, run.queries])}`);
  }
  const cpu = { name: 'Node-RED', figure: cpuOfPolls(editor) };
  const memory = { name: 'Node-RED', figure: editor.memory.residentMb };
  const latency = { name: 'Node-RED', figure: medianOf(editor.latenciesMs) };
  const worst = { name: 'Node-RED', figure: Math.max(...editor.latenciesMs) };
  return [
    { measure: 'memory, sandbox elsewhere', figure: ours.memory.residentMb, unit: 'MB', peer: memory, aim: { ratioAtMost: 115 / 137 } },
    { measure: '  private memory', figure: ours.memory.privateMb, unit: 'MB', peer: { name: 'Node-RED', figure: editor.memory.privateMb } },
    { measure: 'memory with Discord', figure: discord.memory.residentMb, unit: 'MB', peer: memory, aim: { ratioAtMost: 145 / 137 } },
    { measure: 'memory with sandbox and Discord', figure: all.residentMb, unit: 'MB', peer: memory, aim: { ratioAtMost: 165 / 137 } },
    { measure: '  Node-RED without its editor', figure: headless.memory.residentMb, unit: 'MB' },
    { measure: `CPU of ${POLLS} polls`, figure: cpuOfPolls(ours), unit: 'ms', peer: cpu, aim: { ratioAtMost: 120 / 195 } },
    { measure: '  with Discord', figure: cpuOfPolls(discord), unit: 'ms' },
    { measure: '  Node-RED without its editor', figure: cpuOfPolls(headless), unit: 'ms' },
    {
      measure: 'latency, answer of a poll to arrival of the post',
      figure: medianOf(ours.latenciesMs),
      unit: 'ms',
      peer: latency,
      aim: { atMost: 4 },
    },
    { measure: `  worst of ${ours.latenciesMs.length}`, figure: Math.max(...ours.latenciesMs), unit: 'ms', peer: worst },
  ];
}

function cpuOfPolls({ cpuMs }: JobRun): number {
  return (cpuMs[FROM_POLL + POLLS - 1] ?? Number.NaN) - (cpuMs[FROM_POLL - 1] ?? Number.NaN);
}

// Streamers that Discord servers follow: the real program with lists, and with the same follows in rule files.
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSandbox } from '#sandbox/index.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { cpuMsOf, end, memoryOf, startFanfare } from './child-process.ts';
import { startHelix, type Helix } from './cluster/helix.ts';
import {
  createFolders,
  createServers,
  storeServers,
  FOLLOWS,
  isLiveFirst,
  writeFiles,
  writeLists,
  type Server,
} from './follows/servers.ts';
import type { Row } from './row.ts';

const SERVERS = 1_000;
/** The first poll, and the second one that fills the caches. */
const WARM_MS = 150_000;
const MEASURED_MINUTES = 3;
const MINUTE_MS = 60_000;

interface Measures {
  readonly cpuMsPerMinute: number;
  readonly privateMb: number;
  readonly peakMb: number;
  readonly requestsPerMinute: number;
}

/** 1,000 Discord servers that follow 50 streamers each, on one process: with lists, and beside it with one rule file for each server. */
export async function follows(): Promise<readonly Row[]> {
  const lists = await measure((_, servers, store) => writeLists(store, servers));
  const files = await measure(writeFiles);
  const of = `${SERVERS.toLocaleString('en')} servers with ${FOLLOWS} follows`;
  const row = (measure: string, unit: string, key: keyof Measures): Row => ({
    measure,
    unit,
    figure: lists[key],
    peer: { name: 'files', figure: files[key] },
  });
  return [
    { ...row(`CPU a minute, ${of}`, 'ms', 'cpuMsPerMinute'), aim: { ratioAtMost: 1 } },
    row('  requests to Twitch a minute', '', 'requestsPerMinute'),
    { ...row('  memory', 'MB', 'privateMb'), aim: { atMost: 160 } },
    row('  peak of the memory', 'MB', 'peakMb'),
  ];
}

type WriteFollows = (folder: string, servers: readonly Server[], store: Store) => void | Promise<void>;

async function measure(write: WriteFollows): Promise<Measures> {
  using folder = temporaryFolder();
  await using helix = await startHelix({ isLive: isLiveFirst });
  await using sandbox = await startSandbox({});
  const servers = await createServers(sandbox, SERVERS);
  createFolders(folder.path);
  {
    await using store = await openStore({ file: join(folder.path, 'data/fanfare.sqlite') });
    await storeServers(store, servers);
    await write(folder.path, servers, store);
  }
  const { DISCORD_TOKEN = '', DISCORD_GUILD_ID = '', DISCORD_API_URL = '' } = sandbox.environment;
  const program = startFanfare({
    FANFARE_DATA: join(folder.path, 'data'),
    FANFARE_RULES: join(folder.path, 'rules'),
    PORT: '0',
    LOG_LEVEL: 'error',
    DISCORD_TOKEN,
    DISCORD_GUILD_ID,
    DISCORD_API_URL,
    ...helix.environment,
  });
  try {
    await untilPolled(program, helix);
    await sleep(WARM_MS);
    const { pid = 0 } = program;
    const [cpuMs, requests] = [cpuMsOf(pid), helix.seen.length];
    await sleep(MEASURED_MINUTES * MINUTE_MS);
    const { privateMb, peakMb } = memoryOf(pid);
    return {
      cpuMsPerMinute: (cpuMsOf(pid) - cpuMs) / MEASURED_MINUTES,
      requestsPerMinute: (helix.seen.length - requests) / MEASURED_MINUTES,
      privateMb,
      peakMb,
    };
  } finally {
    await end(program);
  }
}

async function untilPolled(program: ChildProcess, helix: Helix): Promise<void> {
  const untilMs = performance.now() + 10 * MINUTE_MS;
  while (helix.seen.length === 0) {
    if (program.exitCode !== null) throw new Error(`the program ended with ${program.exitCode}`);
    if (performance.now() > untilMs) throw new Error('the program polled nothing');
    await sleep(100);
  }
}

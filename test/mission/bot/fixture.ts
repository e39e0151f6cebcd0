import { join } from 'node:path';
import { twitch } from '#adapters/twitch/index.ts';
import { openJournal } from '#sandbox/journal-sqlite.ts';
import { startSandbox } from '#sandbox/server.ts';
import { twitchServer } from '#sandbox/twitch/server.ts';
import type { World, WorldPerson } from '#sandbox/world/world.ts';
import { Bot } from '#src/clients/streaming/bot.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MINUTE_MS = 60_000;
/** So many streams that their recordings fill more than a page, all in the last seven days. */
const STREAMS = 90;
const APART_MS = 110 * MINUTE_MS;

/** The Twitch of a sandbox, met through its adapter. */
export async function openBot() {
  await using opening = new AsyncDisposableStack();
  const folder = opening.use(temporaryFolder({ inMemory: true }));
  const file = join(folder.path, 'sandbox.db');
  const clock = new ManualClock();
  const nowMs = clock.nowMs();
  const planned = opening.use(await startSandbox({ clock, platforms: [], file }));
  const busy = mostFollowed(planned.world);
  goLiveOften({ file, personId: busy.id, nowMs });

  const sandbox = opening.use(await startSandbox({ clock, platforms: [twitchServer], file }));
  const { environment } = sandbox;
  const platform = opening.use(
    twitch({
      clientId: environment['TWITCH_CLIENT_ID'] ?? '',
      clientSecret: environment['TWITCH_CLIENT_SECRET'] ?? '',
      apiUrl: environment['TWITCH_API_URL'],
      authUrl: environment['TWITCH_AUTH_URL'],
      clock,
    }),
  );
  const pausesMs: number[] = [];
  const atOnce = {
    nowMs: () => nowMs,
    async sleep(ms: number): Promise<void> {
      pausesMs.push(ms);
    },
  };
  const running = opening.move();
  return {
    client: new Bot({ platform, clock: atOnce }),
    pausesMs,
    busy,
    games: sandbox.world.games,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function mostFollowed({ people }: World): WorldPerson {
  return people.reduce((most, person) => (person.followerCount > most.followerCount ? person : most));
}

/** Orders as the journal keeps them: each begins a stream and ends the one before. */
function goLiveOften({ file, personId, nowMs }: { readonly file: string; readonly personId: string; readonly nowMs: number }): void {
  const journal = openJournal({ file });
  for (let index = 0; index < STREAMS; index++) {
    const atMs = nowMs - (STREAMS - index) * APART_MS;
    const number = Math.floor(atMs / 1000);
    const broadcastId = `43${String(number).padStart(10, '0')}`;
    journal.put('world.orders', String(number), { number, atMs, do: 'goLive', personId, broadcastId, resumes: false });
  }
  journal.close();
}

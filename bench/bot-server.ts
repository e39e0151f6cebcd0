// A sandbox whose Twitch has ten thousand streams; its time runs fast, so that no budget of points holds a client back.
import { startSandbox } from '#src/sandbox/index.ts';
import type { PlatformFactory } from '#src/sandbox/context.ts';
import { twitchServer } from '#src/sandbox/twitch/server.ts';

const STREAMS = 10_000;

const crowded: PlatformFactory = (context) => {
  const live = context.world.liveAt(context.clock.nowMs());
  const crowd = Array.from({ length: STREAMS }, (_, index) => {
    const [broadcast] = live.slice(index % live.length);
    if (!broadcast) throw new Error('nobody is live');
    return { ...broadcast, id: String(500_000_000 + index) };
  });
  return twitchServer({ ...context, world: { ...context.world, liveAt: () => crowd } });
};

const sandbox = await startSandbox({ platforms: [crowded], speed: 600 });
process.send?.({ url: sandbox.url, environment: sandbox.environment });

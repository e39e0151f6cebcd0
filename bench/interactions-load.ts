// The simulated Discord of `interactions.ts` in another process. Its users send interactions at a fixed rate.
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import { discordServer } from '#sandbox/discord/discord.ts';
import { startSandbox } from '#sandbox/index.ts';

export interface LoadOrder {
  readonly perSecond: number;
  readonly seconds: number;
  /** The HTTP endpoint for interactions; absent: the gateway. */
  readonly endpoint?: string | undefined;
}

/** The number of responses by kind, for example `message`. */
export type Outcomes = Readonly<Record<string, number>>;

const TICK_MS = 5;
const MOST_PAGES = 50;
const roomy = { requests: 1_000_000, windowMs: 1000 };
const limits = { createMessage: roomy, editMessage: roomy, webhook: roomy, commands: roomy, global: roomy };

const Answered = z.object({
  outcome: z.string(),
  message: z
    .object({
      id: z.string(),
      components: z.array(
        z.object({ components: z.array(z.object({ custom_id: z.string().optional(), disabled: z.boolean().optional() })).optional() }),
      ),
    })
    .optional(),
});

const sandbox = await startSandbox({ platforms: [(context) => discordServer(context, { limits })] });
const { members } = z
  .object({ members: z.array(z.object({ username: z.string(), bot: z.boolean() })) })
  .parse(await (await request(`${sandbox.url}/control/discord`)).body.json());
const people = members.filter(({ bot }) => !bot).map(({ username }) => username);

async function order(path: string, body: object): Promise<unknown> {
  const response = await request(`${sandbox.url}/control/discord/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.statusCode !== 200) throw new Error(await response.body.text());
  return response.body.json();
}

async function run({ perSecond, seconds, endpoint }: LoadOrder): Promise<Outcomes> {
  await order('endpoint', { url: endpoint });
  const outcomes: Record<string, number> = {};
  const pages: { readonly message: string; readonly customId: string }[] = [];
  const running = new Set<Promise<void>>();

  async function use(index: number): Promise<void> {
    const where = { user: people[index % people.length], waitMs: 10_000 };
    // A pressed button changes the page, so it is used only once.
    const page = index % 4 === 2 ? pages.shift() : undefined;
    const what = page ?? {
      channel: 'general',
      ...(index % 4 === 1
        ? { command: 'game streams', options: { game: `gam${index % 7}` }, autocomplete: true }
        : { command: index % 4 === 3 ? 'game streams' : 'top streams', options: index % 4 === 3 ? { game: 'chess' } : {} }),
    };
    const { outcome, message } = Answered.parse(await order('interactions', { ...where, ...what }));
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    const customId = message?.components
      .flatMap(({ components = [] }) => components)
      .find(({ custom_id, disabled }) => custom_id !== undefined && disabled !== true)?.custom_id;
    if (message && customId !== undefined && (page || pages.length < MOST_PAGES)) pages.push({ message: message.id, customId });
  }

  const beganMs = performance.now();
  for (let index = 0; index < perSecond * seconds;) {
    const due = Math.min(perSecond * seconds, Math.floor(((performance.now() - beganMs) / 1000) * perSecond));
    for (; index < due; index++) {
      const work: Promise<void> = use(index)
        .catch((error: unknown) => {
          const reason = error instanceof Error ? error.message : 'unknown error';
          outcomes[reason] = (outcomes[reason] ?? 0) + 1;
        })
        .finally(() => running.delete(work));
      running.add(work);
    }
    await sleep(TICK_MS);
  }
  await Promise.all(running);
  return outcomes;
}

process.on('message', (message: LoadOrder) => void run(message).then((outcomes) => process.send?.({ outcomes })));
process.on('disconnect', () => process.exit());
process.send?.({ environment: sandbox.environment });

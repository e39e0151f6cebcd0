import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { openai } from '#adapters/openai/index.ts';
import { sandbox as sandboxPlatform } from '#adapters/sandbox/index.ts';
import { twitch } from '#adapters/twitch/index.ts';
import { startSandbox } from '#sandbox/server.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { Bot } from '#src/clients/streaming/bot.ts';
import { exampleModule, type Example } from './examples.ts';
import { ManualClock } from './manual-clock.ts';
import { memoryTranscripts } from '#src/clients/assistant/memory-transcripts.ts';
import { signedInChannel } from './signed-in-channel.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { whileSleeping } from './while-sleeping.ts';
import { controlApi } from './control-api.ts';

/** Where examples run: both clients on one sandbox. */
export interface ExampleStage extends AsyncDisposable {
  run(example: Example): Promise<void>;
  /** The requests that Twitch has got, for example `GET /streams`, and how many of each. */
  askedOfTwitch(): Promise<ReadonlyMap<string, number>>;
}

/** A picture of one point. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const HELIX = '/twitch/helix';
const Requests = z.object({ items: z.array(z.object({ method: z.string(), route: z.string(), count: z.number() })) });

type Run = (setting: Readonly<Record<string, unknown>>) => Promise<void>;

export async function openStage(root: string, examples: readonly Example[]): Promise<ExampleStage> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder());
  const clock = new ManualClock();
  const { environment: env, url } = stack.use(await startSandbox({ clock }));
  const variable = (name: string): string => env[name] ?? '';

  const bot = new Bot({
    platform: twitch({
      clientId: variable('TWITCH_CLIENT_ID'),
      clientSecret: variable('TWITCH_CLIENT_SECRET'),
      apiUrl: env['TWITCH_API_URL'],
      authUrl: env['TWITCH_AUTH_URL'],
      tokens: await signedInChannel({ url, environment: env, clock }),
      clock,
    }),
    clock,
  });
  const client = new SocialAsync({
    platform: sandboxPlatform({ url: variable('SANDBOX_URL'), token: variable('SANDBOX_TOKEN'), clock }),
    assistant: openai({ url: variable('ASSISTANT_URL'), apiKey: variable('ASSISTANT_API_KEY'), model: variable('ASSISTANT_MODEL'), clock }),
    keep: { transcripts: memoryTranscripts() },
    clock,
  });

  const picture = `${folder.path}/card.png`;
  writeFileSync(picture, Buffer.from(PIXEL, 'base64'));
  const post = await client.createPost('an address to look at');
  /** Names in the examples, with their values on this stage. */
  const here = { 'card.png': picture, 'https://social.example/posts/1': post.url ?? '', mallory: 'linus' };
  const module = Object.entries(here).reduce(
    (text, [named, found]) => text.replaceAll(`'${named}'`, `'${found}'`),
    exampleModule(root, examples),
  );
  writeFileSync(`${folder.path}/examples.ts`, module);
  const functions = (await import(/* @vite-ignore */ `${folder.path}/examples.ts`)) as Readonly<Record<string, Run>>; // exampleModule made it so

  async function settingFor({ operation }: Example): Promise<Readonly<Record<string, unknown>>> {
    const runners = await client.createList('Runners');
    const message = await client.sendMessage('ada', 'hello');
    return {
      bot,
      client,
      runners,
      message,
      id: runners.id,
      post: await client.createPost(`for ${operation}`),
      poll: await client.createPost(`Which, for ${operation}?`, { poll: { options: ['this', 'that'] } }),
      scheduled: await client.createScheduledPost('later', new Date(clock.nowMs() + 86_400_000)),
      conversation: /Assistant/.test(operation) ? await client.createAssistantConversation() : await client.getConversation('ada'),
      print: () => undefined,
    };
  }

  const moved = stack.move();
  return {
    async run(example) {
      const run = functions[`${example.client}_${example.operation}`];
      if (!run) throw new Error(`${example.operation} has no example`);
      await whileSleeping(clock, settingFor(example).then(run));
    },
    async askedOfTwitch() {
      const { items } = Requests.parse(await controlApi(url)('/requests?platform=twitch'));
      const helix = items.filter(({ route }) => route.startsWith(HELIX));
      return new Map(helix.map(({ method, route, count }) => [`${method} ${route.slice(HELIX.length)}`, count]));
    },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  };
}

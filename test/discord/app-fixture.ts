import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { startSandbox, type Sandbox } from '#sandbox/server.ts';
import { startApp, type App } from '#src/app/app.ts';
import type { ObservedPlatformsOptions } from '../acceptance/observed-platforms.ts';
import { controlApi } from '../support/control-api.ts';
import { fetch, type InteractionView } from '../support/discord-sandbox.ts';
import { patientPlatforms } from '../support/patient-platforms.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** An installation on the sandbox. Its bot has all commands. */
export interface AppFixture extends AsyncDisposable {
  /** Handles of people in the guild. The first two are moderators; the first is the owner. */
  readonly people: readonly [owner: string, moderator: string, member: string];
  /** The address of the page. */
  readonly url: string;
  /** Stops Fanfare and starts it again with the same data. */
  restart(): Promise<void>;
  /** Writes or deletes a file of the rules folder, and waits until the change is in force. */
  changeRule(name: string, source: string | undefined): Promise<void>;
  /** The address of the sandbox. */
  readonly sandboxUrl: string;
  /** The data folder. */
  readonly data: string;
  /** The log. */
  readonly lines: readonly string[];
  /** A GET request to Discord with the token of the bot. */
  rest<T>(path: string): Promise<T>;
  /** A PUT request to Discord with the token of the bot. */
  put(path: string, body?: unknown): Promise<number>;
  /** A DELETE request to Discord with the token of the bot. */
  remove(path: string): Promise<number>;
  /** An interaction of a person with the bot. */
  interact(order: object): Promise<InteractionView>;
  /** GET from the control API, or POST to it. */
  control<T>(path: string, order?: object): Promise<T>;
}

interface Described {
  readonly members: readonly { readonly username: string; readonly bot: boolean }[];
  readonly commands: readonly unknown[];
}

export interface OpenAppOptions {
  /** The files of the rules folder. */
  readonly rules?: Readonly<Record<string, string>>;
  /** How long Discord waits for a response to an interaction. */
  readonly answerMs?: number;
  /** Further environment variables. */
  readonly environment?: Readonly<Record<string, string>> | ((sandbox: Sandbox) => Readonly<Record<string, string>>);
  /** Called before each request to Discord, which waits for it. */
  readonly onDiscord?: ObservedPlatformsOptions['onCome'];
  /** Gives orders to the sandbox before Fanfare starts. */
  readonly prepare?: (control: AppFixture['control']) => Promise<unknown>;
}

/** The number of interactions that Fanfare handled completely: a line of the log follows each of them. */
export function handledIn(lines: readonly string[]): number {
  return lines.filter((line) => line.includes('outcome=') && !line.includes('a person cancelled a post')).length;
}

/** Starts Fanfare with this `fanfare.yaml`, and waits for the connection to Discord. */
export async function openApp(
  fanfare = '',
  { rules = {}, answerMs, environment: further, onDiscord, prepare }: OpenAppOptions = {},
): Promise<AppFixture> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder({ inMemory: true }));
  mkdirSync(join(folder.path, 'rules'));
  if (fanfare !== '') writeFileSync(join(folder.path, 'fanfare.yaml'), fanfare);
  for (const [name, source] of Object.entries(rules)) writeFileSync(join(folder.path, 'rules', name), source);
  const sandbox = stack.use(await startSandbox({ platforms: patientPlatforms({ answerMs, onDiscord }) }));
  const { environment: credentials, url } = sandbox;
  const lines: string[] = [];
  const environment = {
    ...credentials,
    PORT: '0',
    FANFARE_DATA: join(folder.path, 'data'),
    FANFARE_RULES: join(folder.path, 'rules'),
    ...(typeof further === 'function' ? further(sandbox) : further),
  };
  const control = controlApi(url);
  await prepare?.(control);
  let app: App | undefined;
  stack.defer(() => app?.[Symbol.asyncDispose]());
  async function start(): Promise<void> {
    const before = lines.length;
    app = await startApp({ environment, write: (line) => void lines.push(line), color: false });
    await vi.waitFor(
      () => {
        const now = lines.slice(before).join('');
        if (!now.includes('Discord is connected')) throw new Error(now);
      },
      { timeout: 240_000 },
    );
  }
  await start();
  const { members } = await control<Described>('/discord');
  const [owner = '', moderator = '', member = ''] = members.filter(({ bot }) => !bot).map(({ username }) => username);
  /** Repeats a request that Discord refuses because of a limit. */
  const request = (method: string, path: string, body?: unknown): Promise<Response> =>
    vi.waitFor(
      async () => {
        const response = await fetch(`${credentials['DISCORD_API_URL']}/v10${path}`, {
          method,
          headers: {
            authorization: `Bot ${credentials['DISCORD_TOKEN']}`,
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        if (response.status === 429) throw new Error(await response.text());
        return response;
      },
      { timeout: 240_000, interval: 200 },
    );
  const open = stack.move();
  return {
    people: [owner, moderator, member],
    get url() {
      return app?.url ?? '';
    },
    async restart() {
      await app?.[Symbol.asyncDispose]();
      await start();
    },
    async changeRule(name, source) {
      const path = join(folder.path, 'rules', name);
      if (source === undefined) rmSync(path);
      else writeFileSync(path, source);
      await app?.reload();
    },
    sandboxUrl: url,
    data: environment.FANFARE_DATA,
    lines,
    control,
    interact: (order) => control('/discord/interactions', order),
    remove: async (path) => (await request('DELETE', path)).status,
    put: async (path, body) => (await request('PUT', path, body)).status,
    rest: async <T>(path: string) => (await (await request('GET', path)).json()) as T, // as Discord documents it
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

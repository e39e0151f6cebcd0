import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { startSandbox } from '#sandbox/server.ts';
import { startApp } from '#src/app.ts';
import { controlApi, fetch, type InteractionView } from '../support/discord-sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** An installation on the sandbox. Its bot has all commands. */
export interface AppFixture extends AsyncDisposable {
  /** Handles of people in the guild. The first two are moderators; the first is the owner. */
  readonly people: readonly [owner: string, moderator: string, member: string];
  /** The address of the page. */
  readonly url: string;
  /** The log. */
  readonly lines: readonly string[];
  /** A GET request to Discord with the token of the bot. */
  rest<T>(path: string): Promise<T>;
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
  /** Gives orders to the sandbox before Fanfare starts. */
  readonly prepare?: (control: AppFixture['control']) => Promise<unknown>;
}

/** Starts Fanfare with this `fanfare.yaml`, and waits for the connection to Discord. */
export async function openApp(fanfare = '', { rules = {}, prepare }: OpenAppOptions = {}): Promise<AppFixture> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder({ inMemory: true }));
  mkdirSync(join(folder.path, 'rules'));
  writeFileSync(join(folder.path, 'fanfare.yaml'), fanfare);
  for (const [name, source] of Object.entries(rules)) writeFileSync(join(folder.path, 'rules', name), source);
  const sandbox = stack.use(await startSandbox());
  const { environment: credentials, url } = sandbox;
  const lines: string[] = [];
  const environment = {
    ...credentials,
    PORT: '0',
    FANFARE_DATA: join(folder.path, 'data'),
    FANFARE_RULES: join(folder.path, 'rules'),
  };
  const control = controlApi(url);
  await prepare?.(control);
  const app = stack.use(await startApp({ environment, write: (line) => void lines.push(line), color: false }));

  await vi.waitFor(
    () => {
      if (!lines.join('').includes('Discord is connected')) throw new Error(lines.join(''));
    },
    { timeout: 240_000 },
  );
  const { members } = await control<Described>('/discord');
  const [owner = '', moderator = '', member = ''] = members.filter(({ bot }) => !bot).map(({ username }) => username);
  const open = stack.move();
  return {
    people: [owner, moderator, member],
    url: app.url,
    lines,
    control,
    interact: (order) => control('/discord/interactions', order),
    async rest<T>(path: string) {
      const headers = { authorization: `Bot ${credentials['DISCORD_TOKEN']}` };
      return (await (await fetch(`${credentials['DISCORD_API_URL']}/v10${path}`, { headers })).json()) as T; // as Discord documents it
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

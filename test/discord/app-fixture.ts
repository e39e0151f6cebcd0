import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { startSandbox } from '#sandbox/server.ts';
import { startApp } from '#src/app.ts';
import { fetch, type InteractionView } from '../support/discord-sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Fanfare as it is installed, on a sandbox: its bot has all commands that there are. */
export interface AppFixture extends AsyncDisposable {
  /** Handles of people in the guild; the first two are moderators, and the very first is its owner. */
  readonly people: readonly [owner: string, moderator: string, member: string];
  /** Where its page is. */
  readonly url: string;
  /** What was logged. */
  readonly lines: readonly string[];
  /** A request to Discord as the bot may make it, as `/users/@me`. */
  rest<T>(path: string): Promise<T>;
  /** Has a person use the bot. */
  interact(order: object): Promise<InteractionView>;
  /** GET from the control API, or POST to it. */
  control<T>(path: string, order?: object): Promise<T>;
}

interface Described {
  readonly members: readonly { readonly username: string; readonly bot: boolean }[];
  readonly commands: readonly unknown[];
}

export interface OpenAppOptions {
  /** What stands in the rules folder, by the names of the files. */
  readonly rules?: Readonly<Record<string, string>>;
  /** Gives orders to the sandbox before Fanfare starts. */
  readonly prepare?: (control: AppFixture['control']) => Promise<unknown>;
}

/** Starts it with this `fanfare.yaml`, and waits until its commands are offered. */
export async function openApp(fanfare = '', { rules = {}, prepare }: OpenAppOptions = {}): Promise<AppFixture> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder());
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
  async function control<T>(path: string, order?: object): Promise<T> {
    const init =
      order === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(order) };
    const response = await fetch(`${url}/control${path}`, init);
    const json: unknown = await response.json();
    if (!response.ok) throw new Error(JSON.stringify(json));
    return json as T; // the control API is ours: its answers have the types of what makes them
  }

  await prepare?.(control);
  const app = stack.use(await startApp({ environment, write: (line) => void lines.push(line), color: false }));

  await vi.waitFor(
    () => {
      if (!lines.join('').includes('Discord is connected')) throw new Error(lines.join(''));
    },
    { timeout: 20_000 },
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

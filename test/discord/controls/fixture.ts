import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InteractionView } from '#sandbox/discord/control/interact.ts';
import type { MessageView } from '#sandbox/discord/control/message-view.ts';
import { vi } from 'vitest';
import { type Sandbox, startSandbox } from '#sandbox/index.ts';
import type { WorldOrder } from '#sandbox/world/world.ts';
import { type App, startApp } from '#src/app/app.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { controlApi } from '../../support/control-api.ts';
import { eventually, freePort, getJson } from '../../support/fanfare-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { patientPlatforms } from '../../support/patient-platforms.ts';
import { handledIn } from '../app-fixture.ts';

type Options = Readonly<Record<string, string | number | boolean>>;

/** The actions of a person in Discord, in their language. */
interface Person {
  command(command: string, options?: Options, channel?: string): Promise<InteractionView>;
  /** The suggestions for the last option. */
  /** Runs a command and shows its answer to everyone. */
  shared(command: string, options?: Options): Promise<InteractionView>;
  type(command: string, options: Options): Promise<readonly { readonly name: string; readonly value: string }[]>;
  /** Clicks the button with this label. */
  click(message: string, label: string): Promise<InteractionView>;
  /** Sends a click on a button that does not exist. */
  forge(message: string, customId: string): Promise<InteractionView>;
  menu(message: string, entry: string): Promise<InteractionView>;
  /** Submits the form that an interaction opened. */
  fill(opened: string, fields: Readonly<Record<string, string>>): Promise<InteractionView>;
}

/** Fanfare as `fanfare start` runs it, on the sandbox. */
export interface ControlsFixture extends AsyncDisposable {
  readonly sandbox: Sandbox;
  /** The owner of the server, who may operate. */
  readonly owner: Person;
  readonly german: Person;
  /** A member who may not operate. */
  readonly member: Person;
  readonly ownerName: string;
  readonly url: string;
  /** The environment of the process, without its port. */
  readonly environment: Readonly<Record<string, string>>;
  /** The log since the last start. */
  readonly lines: readonly string[];
  restart(): Promise<void>;
  /** The public messages of a channel. */
  messages(channel: string): Promise<readonly MessageView[]>;
  /** The current version of a message, even of an ephemeral one. */
  reload(message: string): Promise<MessageView>;
  write(file: string, text: string): void;
  /** Uses the store from a second connection. */
  keep<T>(use: (store: Store) => Promise<T>): Promise<T>;
  order(order: WorldOrder): void;
  sendMessage(channel: string, content: string): Promise<MessageView>;
}

interface ControlsFixtureOptions {
  /** The files of the rules folder. */
  readonly files: Readonly<Record<string, string>>;
  /** Changes the store before the start. */
  readonly before?: (store: Store) => Promise<void>;
  /** Orders for the simulated world before the start. */
  readonly orders?: readonly WorldOrder[];
}

export async function openControls({ files, before, orders = [] }: ControlsFixtureOptions): Promise<ControlsFixture> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder({ inMemory: true }));
  const [rules, data] = [join(folder.path, 'rules'), join(folder.path, 'data')];
  const write = (file: string, text: string): void => writeFileSync(join(rules, file), text);
  for (const made of [rules, data]) mkdirSync(made);
  for (const [file, text] of Object.entries(files)) write(file, text);
  const sandbox = stack.use(await startSandbox({ platforms: patientPlatforms() }));
  for (const order of orders) sandbox.world.order(order, Date.now());
  const environment = { ...sandbox.environment, FANFARE_DATA: data, FANFARE_RULES: rules };
  const keep: ControlsFixture['keep'] = async (use) => {
    await using store = await openStore({ file: join(data, 'fanfare.sqlite') });
    return await use(store);
  };
  if (before) await keep(before);

  const control = controlApi(sandbox.url);
  const lines: string[] = [];
  /** The number of interactions since the last start. */
  let begun = 0;
  async function start(): Promise<App> {
    const port = await freePort();
    lines.length = 0;
    begun = 0;
    const app = await startApp({
      environment: { ...environment, PORT: String(port) },
      write: (line) => void lines.push(line),
      color: false,
    });
    await eventually('the bot', async () => JSON.stringify(await getJson(`${app.url}/readyz`)).includes('true'));
    return app;
  }

  let app: App | undefined = await start();
  stack.defer(async () => app?.[Symbol.asyncDispose]());
  const { members } = await control<{ members: { username: string; bot: boolean }[] }>('/discord');
  const people = members.filter(({ bot }) => !bot).map(({ username }) => username);
  const person = (user: string | undefined, locale = 'en-US'): Person => {
    // A click can be answered before its effect is stored.
    const interact = async (order: object): Promise<InteractionView> => {
      begun += 1;
      const sent = control<InteractionView>('/discord/interactions', { user, locale, waitMs: 0, ...order });
      const { id } = await sent.catch((error: unknown) => {
        begun -= 1;
        throw error;
      });
      const isHandled = (): boolean => handledIn(lines) >= begun;
      await vi.waitUntil(isHandled, { timeout: 240_000, interval: 5 });
      return control(`/discord/interactions/${id}`);
    };
    return {
      command: (command, options = {}, channel = 'general') => interact({ channel, command, options }),
      async shared(command, options = {}) {
        const { message } = await interact({ channel: 'general', command, options });
        return interact({ message: message?.id, click: 'Show everyone' });
      },
      async type(command, options) {
        const order = { user, locale, channel: 'general', command, options, autocomplete: true };
        const { choices = [] } = await control<InteractionView>('/discord/interactions', order);
        return choices as unknown as { name: string; value: string }[]; // Discord took them, so they have both
      },
      click: (message, label) => interact({ message, click: label }),
      forge: (message, customId) => interact({ message, customId, forged: true }),
      menu: (message, entry) => interact({ message, menu: entry }),
      fill: (opened, fields) => interact({ modal: opened, fields }),
    };
  };

  const opened = stack.move();
  return {
    sandbox,
    owner: person(people[0]),
    german: person(people[0], 'de'),
    member: person(people[2]),
    ownerName: people[0] ?? '',
    environment,
    get url() {
      return app?.url ?? '';
    },
    lines,
    async restart() {
      await app?.[Symbol.asyncDispose]();
      app = undefined;
      app = await start();
    },
    async reload(message) {
      const { items } = await control<{ items: MessageView[] }>('/messages?limit=1000');
      const found = items.find(({ id }) => id === message);
      if (!found) throw new Error(`there is no message ${message}`);
      return found;
    },
    messages: async (channel) => {
      const { items } = await control<{ items: MessageView[] }>(`/messages?channel=${channel}`);
      return items.filter(({ ephemeral }) => !ephemeral);
    },
    write,
    keep,
    order: (order) => void sandbox.world.order(order, Date.now()),
    sendMessage: (channel, content) => control('/discord/messages', { user: people[2], channel, content }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** The text of an answer with its cards and buttons, as JSON. */
export function textOf({ message }: Pick<InteractionView, 'message'>): string {
  return message ? JSON.stringify([message.content, message.embeds, message.components]) : '';
}

/** The id of the answer. */
export function idOf({ message }: Pick<InteractionView, 'message'>): string {
  if (!message) throw new Error('there is no answer');
  return message.id;
}

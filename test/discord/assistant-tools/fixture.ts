import { join } from 'node:path';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { kick as kickAdapter } from '#adapters/kick/index.ts';
import { openai as openaiAdapter } from '#adapters/openai/index.ts';
import { sandbox as sandboxAdapter } from '#adapters/sandbox/index.ts';
import { twitch as twitchAdapter } from '#adapters/twitch/index.ts';
import { accountsOf } from '#src/app/accounts.ts';
import { openAssistant, type OpenAssistant } from '#src/app/open-assistant.ts';
import { createClients, type Clients, type Platforms } from '#src/clients/clients.ts';
import { openRegistry } from '#src/app/open-registry.ts';
import type { RuleRegistry } from '#src/engine/rule-sets/rule-registry.ts';
import type { AssistantPlatform, Prompt } from '#src/clients/assistant/port.ts';
import type { DraftedPost, StoredDrafts } from '#src/clients/assistant/drafts.ts';
import { systemClock } from '#src/clock.ts';
import type { SentPost } from '#src/engine/posting/posting.ts';
import { accountsOn, secretsOf } from '#src/config/accounts.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { createLog } from '#src/log.ts';
import { startSandbox, type Sandbox } from '#sandbox/index.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { truthOf, type SandboxTruth } from '../../acceptance/sandbox-truth.ts';
import { patientPlatforms } from '../../support/patient-platforms.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A post that was sent. */
interface HandedPost extends Pick<DraftedPost, 'text' | 'accounts'> {
  readonly id: string;
  readonly by: string;
}

export interface AssistantFixture extends Pick<OpenAssistant, 'assistant' | 'drafts'>, SandboxTruth, AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly store: Store;
  readonly clients: Clients;
  readonly registry: RuleRegistry;
  readonly secrets: readonly string[];
  readonly lines: readonly string[];
  /** The ids of all stored drafts. */
  readonly kept: readonly string[];
  /** The sent posts. */
  readonly sent: readonly HandedPost[];
  /** The folder of the rule files. */
  readonly folder: string;
  /** The files there, by name. */
  files(): Readonly<Record<string, string>>;
  /** The complete answer without its draft. */
  ask(text: string, options?: { readonly conversation?: string; readonly by?: string }): Promise<string>;
}

export interface AssistantStageOptions {
  /** The model; by default, the model of the sandbox. */
  readonly model?: AssistantPlatform | undefined;
  /** The store; by default, a file. If it has rule versions, they replace the folder. */
  readonly store?: Store | undefined;
  /** Changes the default platforms. */
  readonly platforms?: ((usual: Platforms) => Platforms) | undefined;
  /** Replaces the sending of posts. */
  readonly send?: ((post: HandedPost) => Promise<void>) | undefined;
  /** Runs before a decision is recorded. */
  readonly onDecide?: (() => void) | undefined;
}

function sentPost({ id, text, by }: HandedPost): SentPost {
  const [madeAt, at] = [new Date(), new Date()];
  return { id, by: { id: by, name: by }, server: '', text, hasPicture: false, madeAt, at, isQueued: false, edits: 0, targets: [] };
}

/** The assistant as in the app, over the sandbox and a temporary store. */
export async function openAssistantStage({
  model,
  store: shared,
  platforms,
  send,
  onDecide,
}: AssistantStageOptions = {}): Promise<AssistantFixture> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder({ inMemory: true }));
  const sandbox = stack.use(await startSandbox({ platforms: patientPlatforms() }));
  const rules = join(folder.path, 'rules');
  mkdirSync(rules);
  const config = configOfEnvironment({ ...sandbox.environment, FANFARE_DATA: folder.path, FANFARE_RULES: rules });
  const store = shared ?? stack.use(await openStore({ file: join(folder.path, 'fanfare.sqlite') }));
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: secretsOf(config), write: (line) => void lines.push(line), color: false });
  const { accounts } = config;
  const options = { clock: systemClock, log };
  const usual: Platforms = {
    streaming: [
      ...accountsOn('twitch', accounts).map((one) => twitchAdapter({ ...one, ...options })),
      ...accountsOn('kick', accounts).map((one) => kickAdapter({ ...one, ...options })),
    ],
    social: accountsOn('sandbox', accounts).map((one) => sandboxAdapter({ ...one, ...options })),
    discord: [],
  };
  const clients = createClients(platforms?.(usual) ?? usual, systemClock, { keep: { transcripts: store.transcripts } });
  const registry = await openRegistry({ config, versions: store.ruleVersions, stored: new Map(), nowMs: () => Date.now() });
  const [account] = accountsOn('assistant', accounts);
  if (!account) throw new Error('the sandbox has no assistant account');
  const sent: HandedPost[] = [];
  const kept: string[] = [];
  const { assistantDrafts } = store;
  const noting: StoredDrafts = {
    ...assistantDrafts,
    async add(draft) {
      kept.push(draft.id);
      await assistantDrafts.add(draft);
    },
    async decide(...decision) {
      onDecide?.();
      return assistantDrafts.decide(...decision);
    },
  };
  const built = openAssistant({
    platform: model ?? openaiAdapter({ ...account, clock: systemClock }),
    config,
    accounts: accountsOf(config),
    clients,
    registry,
    store: { ...store, assistantDrafts: noting },
    posting: {
      preview: ({ text, accounts: to }) =>
        to.map((account) => {
          const problem = text.includes('far too long') ? ({ kind: 'tooLong' } as const) : undefined;
          return {
            account,
            posts: [{ text, length: text.length }],
            length: text.length,
            mentions: { called: [], uncalled: [] },
            most: 300,
            problem,
          };
        }),
      async send({ text, accounts: to }, { id, by }) {
        const post = { text, accounts: to, id, by: by.name };
        await send?.(post);
        if (!sent.some((one) => one.id === id)) sent.push(post);
        return sentPost(post);
      },
      async find(id) {
        const post = sent.find((one) => one.id === id);
        return post && sentPost(post);
      },
    },
    ...options,
  });
  const opened = stack.move();
  return {
    ...truthOf(sandbox),
    ...built,
    sandbox,
    store,
    clients,
    registry,
    secrets: secretsOf(config),
    lines,
    kept,
    sent,
    folder: rules,
    files: () => Object.fromEntries(readdirSync(rules).map((name) => [name, readFileSync(join(rules, name), 'utf8')])),
    async ask(text, { conversation = 'here', by } = {}) {
      const pieces = await Array.fromAsync(built.assistant.ask({ conversation, text, by }));
      return pieces.filter((piece) => typeof piece === 'string').join('');
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** A model that calls these tools in order, and then answers with the last result. */
export function scriptedModel(
  steps: readonly (readonly [tool: string, input: object])[],
): AssistantPlatform & { readonly results: readonly string[] } {
  const results: string[] = [];
  return {
    name: 'scripted',
    account: 'assistant',
    model: 'scripted-1',
    results,
    async *answer({ messages }) {
      const last: Prompt | undefined = messages.at(-1);
      if (last?.role === 'tool') results.push(last.text);
      const done = messages.slice(messages.findLastIndex(({ role }) => role === 'user')).filter(({ role }) => role === 'tool').length;
      const [name, input] = steps[done] ?? [];
      if (name === undefined) yield 'Done.';
      else yield { calls: [{ id: `c${done}`, name, input: JSON.stringify(input) }] };
    },
  };
}

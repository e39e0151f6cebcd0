import { fetch } from 'undici';
import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import { alternativesOf, type Alternatives } from '#sandbox/control/alternatives.ts';
import type { ControlEndpoint, ControlExample, PlatformRequest } from '#sandbox/control/endpoint.ts';
import { valueAt } from '#sandbox/control/read-order.ts';
import { BOT_TOKEN } from '#sandbox/discord/identity.ts';
import { startSandbox } from '#sandbox/server.ts';
import { endpointGroups } from './endpoints.ts';
import { startExampleBot } from './example-bot.ts';

const START = Date.parse('2026-11-20T18:00:00Z');
const BETWEEN_MS = 1000;
/** The addresses in the reference: those of `fanfare start` without options. */
const SHOWN_SANDBOX = 'http://127.0.0.1:8081';
const SHOWN_ENDPOINT = 'http://127.0.0.1:8080/discord/interactions';

/** A request of the reference with its answer. */
export interface AnsweredRequest {
  readonly title: string;
  /** With `/control` and the query. */
  readonly path: string;
  readonly body: JsonObject | undefined;
  readonly answer: Json;
  /** The fields of the answer that the reference shows. Absent: all. */
  readonly shows: readonly string[] | undefined;
}

/** An endpoint with the answers of its examples. */
export interface AnsweredEndpoint extends Omit<ControlEndpoint, 'examples' | 'mistakes'> {
  /** The forms of the body, if it has several. */
  readonly alternatives: Alternatives | undefined;
  readonly examples: readonly AnsweredRequest[];
  readonly mistakes: readonly AnsweredRequest[];
}

export interface AnsweredGroup {
  readonly title: string;
  readonly endpoints: readonly AnsweredEndpoint[];
}

/**
 * Sends every example to a new sandbox and returns the answers. Each run has the same answers.
 *
 * Throws if the sandbox refuses an example or accepts a mistake.
 */
export async function runExamples(): Promise<readonly AnsweredGroup[]> {
  let nowMs = START;
  const clock = { nowMs: () => nowMs, sleep: async () => new Promise<void>(() => undefined) };
  await using sandbox = await startSandbox({ clock, isClockShared: true });
  await using bot = await startExampleBot(sandbox.url);
  const saved = new Map([
    ['bot', BOT_TOKEN],
    ['endpoint', bot.url],
  ]);

  async function request(method: string, path: string, { body, authorization }: { readonly body?: Json; readonly authorization?: string }) {
    nowMs += BETWEEN_MS;
    const response = await fetch(sandbox.url + path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(authorization !== undefined && { authorization }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    // The sandbox answers with JSON only.
    return { status: response.status, answer: (await response.json()) as Json };
  }

  async function prepare({ path, authorization, body, save }: PlatformRequest): Promise<void> {
    const { status, answer } = await request('POST', filled(path, saved), {
      authorization: filled(authorization, saved),
      body: filledIn(body, saved),
    });
    if (status >= 300) throw new Error(`POST ${path} of an example was answered with ${status}: ${JSON.stringify(answer)}`);
    keep(answer, save, saved);
  }

  async function send(endpoint: ControlEndpoint, example: Partial<ControlExample>, expected: 200 | 400): Promise<AnsweredRequest> {
    for (const before of example.before ?? []) await prepare(before);
    const path = `/control${filled(example.path ?? endpoint.path, saved)}`;
    const body = example.body && filledIn(example.body, saved);
    const { status, answer } = await request(endpoint.method, path, body === undefined ? {} : { body });
    if (status !== expected) {
      throw new Error(`${endpoint.method} ${path} ${JSON.stringify(body)} was answered with ${status}: ${JSON.stringify(answer)}`);
    }
    keep(answer, example.save, saved);
    const shown = <T extends Json>(value: T): T =>
      // Only texts in the value change.
      JSON.parse(JSON.stringify(value).replaceAll(sandbox.url, SHOWN_SANDBOX).replaceAll(bot.url, SHOWN_ENDPOINT)) as T;
    return {
      title: example.title ?? '',
      path,
      body: body && shown(body),
      answer: shown(withoutVarying(answer, example.varies)),
      shows: example.shows,
    };
  }

  await request('POST', '/control/discord/endpoint', { body: { url: bot.url } });
  const answered: AnsweredGroup[] = [];
  for (const { title, endpoints } of endpointGroups) {
    const done: AnsweredEndpoint[] = [];
    for (const endpoint of endpoints) {
      const examples: AnsweredRequest[] = [];
      for (const example of endpoint.examples) examples.push(await send(endpoint, example, 200));
      const mistakes: AnsweredRequest[] = [];
      for (const mistake of endpoint.mistakes ?? []) mistakes.push(await send(endpoint, mistake, 400));
      done.push({ ...endpoint, alternatives: endpoint.body && alternativesOf(endpoint.body), examples, mistakes });
    }
    answered.push({ title, endpoints: done });
  }
  return answered;
}

/** Replaces texts such as `$message` by the saved ones. */
function filled(text: string, saved: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$(\w+)/gu, (_, name: string) => {
    const value = saved.get(name);
    if (value === undefined) throw new Error(`no earlier example saves $${name}`);
    return value;
  });
}

function filledIn(body: JsonObject, saved: ReadonlyMap<string, string>): JsonObject {
  // Only values change.
  return JSON.parse(JSON.stringify(body), (_, value: unknown) => (typeof value === 'string' ? filled(value, saved) : value)) as JsonObject;
}

function keep(answer: Json, fields: Readonly<Record<string, string>> = {}, saved: Map<string, string>): void {
  for (const [name, path] of Object.entries(fields)) {
    const value = valueAt(answer, path.split('.'));
    if (typeof value !== 'string') throw new Error(`the answer has no text ${path}: ${JSON.stringify(answer)}`);
    saved.set(name, value);
  }
}

function withoutVarying(answer: Json, fields: readonly string[] = []): Json {
  // Only texts change.
  return JSON.parse(JSON.stringify(answer), (key, value: unknown) => (fields.includes(key) ? '…' : value)) as Json;
}

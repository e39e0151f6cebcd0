import { isDeepStrictEqual } from 'node:util';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { MessagePreview, PreviewView, StepRemark, StepView } from '#src/engine/simulation/preview/preview-view.ts';
import type { ScenarioKind } from '#src/engine/simulation/preview/scenario-kind.ts';
import { cardOf, handles, type Received, type ReceivedMessage, textOf, withoutPings } from './received.ts';

/** What a rule did, or what its preview promises. */
interface Outcomes {
  readonly messages: Received;
  /** Each step with its outcome and the parameters from which it lacks a part. */
  readonly steps: readonly string[];
  /** Why each failed step fails, for each element of its list. */
  readonly failures: readonly (readonly string[])[];
  /** Messages of steps that fail, of which those for other elements of their lists are sent. */
  readonly unclear: readonly ReceivedMessage[];
}

/** What a preview promises for an event, by default a new item. */
export function promisedBy({ scenarios }: PreviewView, kind: ScenarioKind = 'goesLive'): Outcomes {
  const steps = scenarios.filter((one) => one.kind === kind).flatMap((one) => one.steps);
  const messages: Record<string, ReceivedMessage[]> = {};
  for (const step of steps.filter((one) => !isStopped(one))) {
    const shown = receivedFrom(step);
    if (shown.length > 0) (messages[step.account] ??= []).push(...shown);
  }
  return comparable({
    messages,
    unclear: steps.filter(isStopped).flatMap(receivedFrom),
    steps: steps.map((step) => {
      const { remarks, notRun, name, account } = step;
      const kind = isStopped(step) ? 'failed' : (notRun?.kind ?? 'sent');
      return lineOf({ name, account, kind, lacks: remarks.flatMap((one) => (one.kind === 'without' ? [one.omission.parameter] : [])) });
    }),
    failures: steps.map(({ notRun, remarks }) => [...(notRun ? notRun.message.split('; ') : []), ...remarks.flatMap(problemIn)]),
  });
}

/** What the deliveries of a rule did, with the messages that arrived. */
export function doneBy(deliveries: readonly Delivery[], messages: Received): Outcomes {
  const each = deliveries.filter(({ reason }) => reason?.kind !== 'forEachDone');
  const byStep = Map.groupBy(each, ({ step, account }) => `${step} ${account}`);
  return comparable({
    messages,
    unclear: [],
    steps: [...byStep.values()].map((all) => {
      const kind = all.some(hasFailed) ? 'failed' : all.every(({ state }) => state === 'skipped') ? 'skipped' : 'sent';
      const lacks = all.flatMap(({ omitted = [] }) => omitted.map(({ parameter }) => parameter));
      return lineOf({ name: all[0]?.step ?? '', account: all[0]?.account ?? '', kind, lacks });
    }),
    failures: [...byStep.values()]
      .filter((all) => all.some(hasFailed))
      .map((all) => all.filter(hasFailed).map(({ error, reason }) => error?.message ?? JSON.stringify(reason))),
  });
}

/** The outcomes without the messages that a promise leaves open, and without the failures that it explains. */
export function beside({ unclear, failures }: Outcomes, done: Outcomes): Outcomes {
  const clear = Object.entries(done.messages).map(([account, list]) => {
    return [account, list.filter((message) => !unclear.some((one) => isDeepStrictEqual(one, message)))] as const;
  });
  return {
    ...done,
    messages: Object.fromEntries(clear.filter(([, list]) => list.length > 0)),
    failures: done.failures.filter((reasons) => !areExplained(reasons, failures.flat())),
  };
}

/** Whether a preview explains why the elements of a step fail: each reason, or three and the number of the others. It explains no defect. */
function areExplained(reasons: readonly string[], promised: readonly string[]): boolean {
  const open = new Set(reasons.filter((reason) => reason.includes('a defect in Fanfare') || !promised.some((one) => reason.includes(one))));
  const more = promised.flatMap((one) => /^and (\d+) more reasons?$/u.exec(one)?.[1] ?? []);
  return (
    open.size === 0 || (new Set(reasons).size > 3 && more.includes(String(open.size)) && ![...open].some((one) => one.includes('a defect')))
  );
}

/** The texts as people see them: spaces at the ends and invisible characters do not count, and addresses of live pictures change. */
function comparable(outcomes: Outcomes): Outcomes {
  return visibleTexts({ ...outcomes, steps: outcomes.steps.toSorted() });
}

/** The value with its texts as people see them. */
export function visibleTexts<T>(of: T): T {
  const visible = (text: string): string =>
    text
      .replaceAll('\u2060', '')
      .replaceAll(/\s+/gu, ' ')
      .trim()
      .replace(/\?t=\d+$/u, '');
  return JSON.parse(JSON.stringify(of), (_, value: unknown) => (typeof value === 'string' ? visible(value) : value)) as T; // as before
}

interface Line {
  readonly name: string;
  readonly account: string;
  readonly kind: string;
  readonly lacks: readonly string[];
}

/** A failed step has no message, so it lacks nothing. */
function lineOf({ name, account, kind, lacks }: Line): string {
  return [name, account, kind, ...(kind === 'failed' ? [] : [...new Set(lacks)].toSorted())].join(' ');
}

function hasFailed({ state, error }: Delivery): boolean {
  return state === 'failed' || state === 'unknown' || (state === 'pending' && error !== undefined);
}

/** Whether a remark stops the step. */
export function isStopped({ remarks }: StepView): boolean {
  return remarks.some((one) => one.kind === 'target' || one.kind === 'file' || (one.kind === 'without' && one.fails));
}

function problemIn(remark: StepRemark): readonly string[] {
  if (remark.kind === 'target' || remark.kind === 'file') return [remark.error];
  return remark.kind === 'without' ? [remark.omission.message] : [];
}

/** The messages that a step promises. A thread without a text has no message; in a forum, its name is the text. */
function receivedFrom({ do: verb, account, messages }: StepView): readonly ReceivedMessage[] {
  return messages.flatMap((shown) => {
    const one = toReceived(account, shown);
    if (verb !== 'discord.thread' || shown.text) return [one];
    return one.channel === 'guides' ? [{ ...one, text: 'guides-thread' }] : [];
  });
}

export function toReceived(account: string, { target, text = '', embeds, buttons, others, pings = [] }: MessagePreview): ReceivedMessage {
  const { files, warning, poll, visibility } = Object.fromEntries(others);
  const attached = isJsonList(files) ? files.filter(isJsonObject) : [];
  if (account === 'discord') {
    return {
      channel: target?.kind === 'channel' ? target.channel : undefined,
      text: withoutPings(text),
      pings: [...new Set(pings.map((one) => (one === 'here' ? 'everyone' : one)))].toSorted(),
      cards: embeds.map(toCard),
      buttons,
      files: attached.length,
    };
  }
  // Platforms without warnings show it above the text. Bluesky has labels for some.
  const isBeside = account === 'mastodon' || (account === 'bluesky' && warning === 'Nudity');
  return {
    text: warning === undefined || isBeside ? text : behind(textOf(warning), text),
    pings: handles(pings.map((one) => one.slice(1))),
    warning: isBeside && typeof warning === 'string' ? warning : undefined,
    poll: isJsonObject(poll) && isJsonList(poll['options']) ? poll['options'].map(String) : undefined,
    files: attached.map(({ altText }) => (typeof altText === 'string' ? altText : '')),
    ...(account === 'mastodon' && { visibility: typeof visibility === 'string' ? visibility : 'public' }),
  };
}

/** The text below its warning, which is not repeated in front of a text that begins with it. */
function behind(warning: string, text: string): string {
  const shown = text.trim();
  return shown === warning || shown.startsWith(`${warning}\n\n`) ? text : `${warning}\n\n${text}`;
}

function toCard({ image, thumbnail, footer, ...card }: JsonObject): JsonObject {
  const addressed = (url: Json | undefined): Json | undefined => (url === undefined ? undefined : { url });
  return cardOf({
    ...card,
    image: addressed(image),
    thumbnail: addressed(thumbnail),
    footer: footer === undefined ? undefined : { text: footer },
  });
}

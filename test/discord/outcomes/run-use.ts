import { type Outcome, type Shown } from '../../../docs/generator/discord-outcomes/outcomes.ts';
import type { InteractionView } from '../../support/discord-sandbox.ts';
import type { Fixture, State } from './fixture.ts';
import type { Order } from './use.ts';

export type Locale = 'en-US' | 'de';

/** Sends an order as a person would: below their own message if they are not in the first server. */
export function orderOf(
  order: Order,
  { user, guild }: { readonly user: string; readonly guild: string },
  locale: Locale,
  anchor?: string,
): object {
  const by = { user, locale };
  if ('command' in order) return { ...by, guild, channel: 'general', options: {}, ...order, forged: true };
  if ('menu' in order) return { ...by, ...order, message: anchor ?? order.message, forged: true };
  if ('modal' in order) {
    if (anchor === undefined) return { ...by, modal: order.modal, fields: order.fields };
    const fields = Object.fromEntries(Object.entries(order.fields).filter(([, value]) => typeof value === 'string'));
    return { ...by, message: anchor, forgedForm: order.customId, fields };
  }
  return { ...by, ...order, ...(anchor !== undefined && { message: anchor }), forged: true };
}

/** The first sentence that a person sees, and where. */
export function answerOf(view: InteractionView, fixture: Fixture): { readonly text: string; readonly shown: Shown } {
  const { outcome, message, ephemeral, followUps, modal } = view;
  if (outcome === 'failed') return { text: view.error ?? '', shown: 'nothing' };
  if (outcome === 'modal') return { text: modal?.title ?? '', shown: 'form' };
  const [followUp] = followUps;
  const isGone = !message || message.loading || message.deletedAt !== undefined;
  if (isGone || outcome === 'update') {
    const before = new Set(linesOf(message?.history.at(-1) ?? {}));
    const fresh = message && !isGone ? linesOf(message).filter((line) => message.history.length > 0 && !before.has(line)) : [];
    if (fresh.length > 0) return { text: firstOf(fresh, fixture), shown: ephemeral ? 'private update' : 'public update' };
    if (followUp) return { text: firstOf(linesOf(followUp), fixture), shown: followUp.ephemeral ? 'private' : 'public' };
    if (isGone) return { text: '', shown: 'nothing' };
    return { text: '(as before)', shown: ephemeral ? 'private update' : 'public update' };
  }
  const warnings = followUps.map(linesOf).filter(([first]) => first?.startsWith('⚠️'));
  const texts = [linesOf(message), ...warnings].map((lines) => firstOf(lines, fixture));
  return { text: texts.join(' / '), shown: ephemeral ? 'private' : 'public' };
}

interface Shape {
  readonly content?: string;
  readonly embeds?: readonly unknown[];
  readonly components?: unknown;
  readonly files?: readonly unknown[];
}

function linesOf({ content = '', embeds = [], components, files = [] }: Shape): readonly string[] {
  return [content, ...textsIn(embeds), ...textsIn(components), ...textsIn(files)]
    .flatMap((text) => text.split('\n'))
    .filter((line) => line !== '');
}

const TEXTS = ['title', 'description', 'content', 'name', 'value', 'label', 'filename'];

function textsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value);
  const own = TEXTS.flatMap((key) => entries.flatMap(([name, text]) => (name === key && typeof text === 'string' ? [text] : [])));
  return [...own, ...entries.flatMap(([, inner]) => textsIn(inner))];
}

const LONGEST = 160;

/** The first sentence; after a heading, also the next one. */
function firstOf([first = '', second = '']: readonly string[], fixture: Fixture): string {
  const all = first.startsWith('#') && second !== '' ? [first, second] : [first];
  return all.map((line) => sentenceOf(line, fixture)).join(' / ');
}

function sentenceOf(line: string, fixture: Fixture): string {
  if (fixture.foreign.has(line)) return '(the post)';
  const plain = fixture
    .plain(line)
    .replace(/^(?:#+|-#) /u, '')
    .replaceAll('**', '');
  const [sentence = plain] = /^.*?[.!?](?=\s|$)/u.exec(plain) ?? [];
  return sentence.length > LONGEST ? `${sentence.slice(0, LONGEST - 1)}…` : sentence;
}

/** What changed between two states: the actions in the audit log, or else the changed data. */
export function effectOf(before: State, after: State): readonly string[] {
  const rows = Object.keys(after.rows).filter((name) => after.rows[name] !== before.rows[name]);
  const actions = [...new Set(after.audit.slice(before.audit.length))];
  const isPublic = after.messages.some(({ ephemeral, deletedAt }) => !ephemeral && deletedAt === undefined);
  return [...(actions.length > 0 ? actions : rows), ...(isPublic ? ['message'] : [])];
}

export interface Measured extends Pick<Outcome, 'shown' | 'effect'> {
  readonly text: string;
}

/** Sends an order and measures what it does. */
export async function measure(fixture: Fixture, send: () => Promise<InteractionView>): Promise<Measured> {
  await fixture.quiet();
  const before = await fixture.state();
  const { text, shown } = answerOf(await send(), fixture);
  await fixture.quiet();
  return { text, shown, effect: effectOf(before, await fixture.state()) };
}

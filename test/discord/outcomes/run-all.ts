import type { Outcome, Row, Situation } from '../../../docs/generator/discord-outcomes/outcomes.ts';
import type { InteractionView } from '../../support/discord-sandbox.ts';
import type { Fixture, Person } from './fixture.ts';
import { answerOf, effectOf, measure, orderOf, type Locale, type Measured } from './run-use.ts';
import { cannot, messageOf, type Impossible, type Order, type Prepare, type Use } from './use.ts';

const LOCALES: readonly Locale[] = ['en-US', 'de'];
const PLATFORMS = ['twitch', 'kick', 'social', 'assistant'];
const UNREACHABLE = PLATFORMS.map((platform) => ({ platform, kind: 'resetBefore' }));
const PERSONS: readonly Person[] = ['moderator', 'member', 'outsider', 'stranger'];
const LACKING = ['SendMessages', 'EmbedLinks', 'AttachFiles', 'ReadMessageHistory', 'CreatePublicThreads', 'SendMessagesInThreads'];

type Results = Map<string, Map<Situation, Map<Locale, Measured> | Impossible>>;

/** The outcomes of all uses in all situations, in both languages, in one running Fanfare. */
export async function runAll(fixture: Fixture, uses: readonly Use[]): Promise<readonly Row[]> {
  const results: Results = new Map(uses.map(({ use }) => [use, new Map()]));
  const { inBoth, once, send, asEveryone } = await prepareRuns(fixture, results);

  for (const use of uses) {
    const outcomes = results.get(use.use);
    fixture.watchesRoles = use.changesRoles === true;
    const asModerator = (prepare: Prepare) => (locale: Locale) => once(use, prepare, { person: 'moderator', locale });
    await asEveryone(use);
    for (const situation of ['wrong', 'old'] as const) {
      const prepare = use[situation];
      if (typeof prepare === 'function') await inBoth(use, situation, asModerator(prepare));
      else outcomes?.set(situation, prepare);
    }
    await inBoth(use, 'lacking', async (locale) => {
      const order = await (use.lacking ?? use.right)(fixture);
      return fixture.lacking(LACKING, () => send(use, order, { person: 'moderator', locale }));
    });
    const faulty = (fault: object) => async (locale: Locale) => {
      const order = await (use.unreachable ?? use.right)(fixture);
      return fixture.withFaults([fault].flat(), () => send(use, order, { person: 'moderator', locale }));
    };
    if (use.isRetried === true) {
      for (const situation of ['unreachable', 'discordDown'] as const)
        outcomes?.set(situation, cannot('Fanfare retries what is sent for a day'));
    } else if (use.waits !== true) await inBoth(use, 'unreachable', faulty(UNREACHABLE));
    if (use.isRetried !== true)
      await inBoth(use, 'discordDown', faulty({ platform: 'discord', kind: 'status', status: 500, method: 'GET' }));
    if (use.isKept) outcomes?.set('deleted', cannot('the answer is a new message'));
    else if (use.use.startsWith('/')) outcomes?.set('deleted', cannot('it needs no message'));
    else {
      await inBoth(use, 'deleted', async (locale) => {
        const order = await use.right(fixture);
        if (!('message' in order)) return send(use, order, { person: 'moderator', locale });
        return measure(fixture, () => fixture.whileDeleting(order.message, orderOf(order, fixture.places.moderator, locale)));
      });
    }
  }
  fixture.watchesRoles = false;
  await together(fixture, uses, results, { situation: 'unreachable', during: (use) => fixture.withFaults(UNREACHABLE, use) });
  await interrupt(fixture, uses, results);
  return uses.map(({ use }) => ({ use, outcomes: toOutcomes(results.get(use) ?? new Map()) }));
}

function isHere(person: Person): person is 'moderator' | 'member' {
  return person === 'moderator' || person === 'member';
}

interface As {
  readonly person: Person;
  readonly locale: Locale;
}

/** Sets the first server up, and opens the messages that people in other servers use. */
async function prepareRuns(fixture: Fixture, results: Results) {
  const page = await fixture.act({ command: 'setup' });
  await fixture.act({ message: messageOf(page), customId: 'setup:channel', values: ['live'] });
  const anchors = await openAnchors(fixture);

  async function inBoth(use: Use, situation: Situation, send: (locale: Locale) => Promise<Measured>): Promise<void> {
    const both = new Map<Locale, Measured>();
    for (const locale of LOCALES) {
      fixture.locale = locale;
      both.set(locale, await send(locale));
    }
    results.get(use.use)?.set(situation, both);
  }

  async function once(use: Use, prepare: Prepare, { person, locale }: As): Promise<Measured> {
    const order = await prepare(fixture);
    return send(use, order, { person, locale });
  }

  const send = async (use: Use, order: Order, { person, locale }: As): Promise<Measured> => {
    const anchor = 'command' in order || isHere(person) ? undefined : anchors[person][use.isPlain === true ? 'plain' : 'layout'];
    return toShown(use, await measure(fixture, () => fixture.interact(orderOf(order, fixture.places[person], locale, anchor))));
  };

  async function asEveryone(use: Use): Promise<void> {
    for (const person of PERSONS) await inBoth(use, person, (locale) => once(use, use.right, { person, locale }));
  }

  return { inBoth, once, send, asEveryone };
}

type Anchors = Readonly<Record<'outsider' | 'stranger', Readonly<Record<'plain' | 'layout', string>>>>;

/** Private messages of people in other servers: one of components, and one with a text. */
async function openAnchors(fixture: Fixture): Promise<Anchors> {
  const open = async (person: Person, command: string): Promise<string> =>
    messageOf(await fixture.interact(orderOf({ command }, fixture.places[person], 'en-US')));
  const below = async (person: Person) => ({ plain: await open(person, 'top games'), layout: await open(person, 'help') });
  return { outsider: await below('outsider'), stranger: await below('stranger') };
}

interface Together {
  readonly situation: Situation;
  /** Surrounds the interactions, which it awaits. */
  readonly during: (use: () => Promise<void>) => Promise<void>;
  /** What happens before the answers; `acknowledged` resolves when all interactions have a first response. */
  readonly meanwhile?: (acknowledged: Promise<unknown>) => Promise<void>;
}

/** Uses everything that waits for a platform at the same time, because each answer takes seconds. Together, they must have no effect. */
async function together(
  fixture: Fixture,
  uses: readonly Use[],
  results: Results,
  { situation, during, meanwhile }: Together,
): Promise<void> {
  const orders: { readonly use: Use; readonly locale: Locale; readonly order: Order }[] = [];
  for (const use of uses.filter(({ waits }) => waits === true)) {
    for (const locale of LOCALES) {
      fixture.locale = locale;
      orders.push({ use, locale, order: await (use.unreachable ?? use.right)(fixture) });
    }
  }
  if (orders.length === 0) return;
  await fixture.quiet();
  const before = await fixture.state();
  const views: Promise<InteractionView>[] = [];
  await during(async () => {
    const isHandled = fixture.handles(orders.length);
    for (const { locale, order } of orders)
      views.push(fixture.app.interact({ ...orderOf(order, fixture.places.moderator, locale), waitMs: 0 }));
    await meanwhile?.(Promise.all(views));
    await isHandled();
  });
  await fixture.quiet();
  const effect = effectOf(before, await fixture.state());
  for (const [index, { use, locale }] of orders.entries()) {
    const view = await views[index];
    if (view) put(results, { use, situation, locale, measured: { ...answerOf(await fixture.reload(view.id), fixture), effect } });
  }
}

/** Restarts Fanfare between messages and clicks, and between clicks and answers. */
async function interrupt(fixture: Fixture, uses: readonly Use[], results: Results): Promise<void> {
  for (const locale of LOCALES) {
    const prepared: { readonly use: Use; readonly order: Order }[] = [];
    fixture.locale = locale;
    for (const use of uses) if (!use.use.startsWith('/')) prepared.push({ use, order: await use.right(fixture) });
    await fixture.app.restart();
    for (const { use, order } of prepared) {
      fixture.watchesRoles = use.changesRoles === true;
      const measured = await measure(fixture, () => fixture.interact(orderOf(order, fixture.places.moderator, locale)));
      put(results, { use, situation: 'afterRestart', locale, measured: toShown(use, measured) });
    }
  }
  for (const { use, waits } of uses) {
    if (use.startsWith('/')) results.get(use)?.set('afterRestart', cannot('it needs no message'));
    if (waits !== true) results.get(use)?.set('restarting', cannot('it waits for no platform'));
  }
  await together(fixture, uses, results, {
    situation: 'restarting',
    during: (use) =>
      fixture.withFaults(
        PLATFORMS.map((platform) => ({ platform, kind: 'delay', ms: 20_000 })),
        use,
      ),
    async meanwhile(acknowledged) {
      await acknowledged;
      await fixture.app.restart();
    },
  });
}

/** Data of platforms changes from second to second. */
function toShown({ isData }: Use, measured: Measured): Measured {
  return isData === true && measured.shown === 'private update' ? { ...measured, text: '(the newest data)' } : measured;
}

interface Put {
  readonly use: Use;
  readonly situation: Situation;
  readonly locale: Locale;
  readonly measured: Measured;
}

function put(results: Results, { use, situation, locale, measured }: Put): void {
  const outcomes = results.get(use.use);
  const known = outcomes?.get(situation);
  const both = known instanceof Map ? known : new Map<Locale, Measured>();
  both.set(locale, measured);
  outcomes?.set(situation, both);
}

function toOutcomes(found: ReadonlyMap<Situation, Map<Locale, Measured> | Impossible>): Row['outcomes'] {
  const entries = [...found].map(([situation, one]) => [situation, one instanceof Map ? toOutcome(situation, one) : one]);
  return Object.fromEntries(entries) as Row['outcomes']; // the test compares the situations
}

/** Both languages show the same. What the English run changed, the German one may find changed. */
function toOutcome(situation: Situation, both: ReadonlyMap<Locale, Measured>): Outcome {
  const [english, german] = [both.get('en-US'), both.get('de')];
  if (!english || !german) throw new Error('a language is missing');
  const isSame = english.shown === german.shown && (german.effect.length === 0 || english.effect.join() === german.effect.join());
  if (!isSame) throw new Error(`the languages differ in the situation ${situation}: ${JSON.stringify([english, german])}`);
  return { en: english.text, de: german.text, shown: english.shown, effect: english.effect };
}

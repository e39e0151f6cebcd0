import { expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import type { Done, Undone } from '#src/engine/testing/outcome.ts';
import type { World } from '#src/engine/testing/world/world.ts';
import { Simulation } from '#src/engine/simulation/simulation.ts';
import { fc, runs } from '../../support/property.ts';
import { EVERYONE, isWithin, ME, readersOf, recordOf, scenario, type Scenario, type Source } from './audience-scenarios.ts';
import { catalogue, ruleOf } from '../../support/rule-language.ts';

/**
 * No write has more readers than the records that it is made from, unless a key of the step allows it.
 *
 * Each record has a token in every field, and each look-up of the test repeats the texts that it gets. So the parameters of a write name
 * the records that it is made from. The readers of a record and of a write are computed from who wrote them to whom, without the
 * rules of Fanfare.
 */

const MINUTE = 60_000;
const START_MS = Date.parse('2026-11-20T18:00:00Z');

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

interface Outcome {
  readonly done: readonly Done[];
  readonly undone: readonly Undone[];
  /** The items of each firing. */
  readonly causes: ReadonlyMap<string, string>;
}

async function run({ rule: source, items, found, lookup }: Scenario): Promise<Outcome> {
  const rule = ruleOf(source);
  const made = found.map((one) => recordOf(one));
  /** The assistant repeats all messages of the conversation. */
  const messagesByConversation = new Map<Json | undefined, string>();
  let number = 0;
  const world: World = {
    resultOf({ step }, _nowMs, { params }): Json {
      if (step.id === 'found') return lookup === 'detail' ? (made[0] ?? {}) : { items: made };
      if (step.do === 'assistant.ask') {
        const before = messagesByConversation.get(params['conversation']) ?? '';
        const text = `${before} ${textOf(params['text'])}`;
        if (params['conversation'] !== undefined) messagesByConversation.set(params['conversation'], text);
        return { message: { text: `they say ${text}` } };
      }
      number++;
      return { platform: 'mastodon', id: `w${number}`, url: `https://example.invalid/w${number}` };
    },
    answerTo: () => ({ choice: 'yes' }),
  };
  const replyFactsOf = (account: string) => ({ platform: account, keepAudience: account === 'mastodon' });
  const simulation = new Simulation({ rule, catalogue, world, replyFactsOf });
  const polls = [items.map((one) => recordOf(one)), items.map((one) => recordOf(one, ', again')), [], [], []];
  const events = [];
  for (const [minute, poll] of polls.entries())
    events.push(await simulation.slot({ slotMs: START_MS + minute * MINUTE, poll: { items: poll, complete: true } }));
  events.push(await simulation.runUntil(START_MS + 60 * MINUTE));
  return {
    done: events.flatMap((one) => one.done),
    undone: events.flatMap((one) => one.undone),
    causes: new Map(
      events.flatMap((one) => one.firings.map((firing) => [firing.id, JSON.stringify([firing.scope.item ?? null])] as const)),
    ),
  };
}

/** The readers of a write, from its parameters alone. */
function writeReaders({ planned: { step, account }, params, part }: Done, { sources, first }: Context): ReadonlySet<string> {
  const { user, inGroup, replyTo, post, isPrivate } = params;
  const anchored = (anchor: Json | undefined): ReadonlySet<string> | undefined => {
    const source = sources.find(({ token }) => token === anchor);
    return source ? readersOf(source) : first.get(textOf(anchor));
  };
  switch (step.do) {
    case 'social.sendMessage':
      return new Set([ME, inGroup === true ? `group ${textOf(user)}` : textOf(user)]);
    case 'social.createList':
      return new Set([isPrivate === true ? ME : EVERYONE]);
    case 'social.createPost': {
      // A later part answers the first one, whose readers were checked.
      if (part > 1 && account === 'mastodon') return new Set();
      const { visibility } = params;
      if (account === 'mastodon' && replyTo !== undefined) return anchored(replyTo) ?? new Set([EVERYONE]);
      return new Set(
        visibility === 'followers' ? ['followers of me', ME] : visibility === 'direct' ? [ME, 'mentioned people'] : [EVERYONE],
      );
    }
    case 'social.editPost':
      return anchored(post) ?? new Set([EVERYONE]);
    default:
      return new Set([EVERYONE]);
  }
}

interface Context {
  readonly sources: readonly Source[];
  /** The readers of posts that the rule made, by id. */
  readonly first: Map<string, ReadonlySet<string>>;
}

const seen = { sent: 0, suppressed: 0, restrictedSent: 0, lifted: 0 };

test('no write has more readers than the records that it is made from, and nothing public is suppressed', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (one) => {
      const { done, undone, causes } = await run(one);
      const context: Context = { sources: [...one.items, ...one.found], first: new Map() };
      let made = 0;
      for (const outcome of done) {
        const { planned, params, firing, reads } = outcome;
        if (reads) continue;
        const readers = writeReaders(outcome, context);
        made++;
        if (planned.step.id === 'first' || planned.step.do === 'social.createPost') context.first.set(`w${made}`, readers);
        if (planned.step.audience === 'public') {
          seen.lifted++;
          continue;
        }
        const content = JSON.stringify(params) + (causes.get(firing) ?? '');
        const origins = context.sources.filter(({ token }) => content.includes(token));
        for (const origin of origins) {
          expect({ origin, readers: [...readers], write: planned.step, params }).toSatisfy(() => isWithin(readers, readersOf(origin)));
        }
        seen.sent++;
        if (origins.some((origin) => !readersOf(origin).has(EVERYONE))) seen.restrictedSent++;
      }
      const suppressed = undone.filter(({ reason }) => reason?.kind === 'widerAudience');
      seen.suppressed += suppressed.length;
      expect(suppressed.filter(({ planned }) => planned.step.audience === 'public')).toEqual([]);
      const isPublic = context.sources.every((source) => readersOf(source).has(EVERYONE));
      expect(isPublic ? suppressed : []).toEqual([]);
      expect(undone.filter(({ failed }) => failed)).toEqual([]);
    }),
    { numRuns: runs(60, 1_000) },
  );
  expect(seen.sent).toBeGreaterThan(0);
  expect(seen.suppressed).toBeGreaterThan(0);
  expect(seen.restrictedSent).toBeGreaterThan(0);
  expect(seen.lifted).toBeGreaterThan(0);
});

/** The readers of the content of each write. A new write needs a decision here. */
const PUBLISHES: Readonly<Record<string, string>> = {
  'social.createPost': 'post',
  'social.editPost': 'post',
  'social.createScheduledPost': 'post',
  'social.sendMessage': 'message',
  'social.createList': 'list',
  'social.repostPost': 'everyone',
  'discord.send': 'everyone',
  'streaming.sendChatMessage': 'everyone',
  'discord.edit': 'everyone',
  'discord.put': 'everyone',
  'discord.thread': 'everyone',
  'discord.createEvent': 'everyone',
  'discord.editChannel': 'everyone',
  'discord.editEvent': 'everyone',
  'discord.editThread': 'everyone',
  'discord.setStatus': 'everyone',
  'discord.ask': 'everyone',
  'discord.answer': 'everyone',
};

test('every write with a text, a file or a repost states who reads it', () => {
  const writes = [...catalogue].filter(([, { kind }]) => kind === 'write');
  const published = writes.flatMap(([verb, declared]) =>
    'publishes' in declared && declared.publishes ? [[verb, declared.publishes]] : [],
  );
  expect(Object.fromEntries(published)).toEqual(PUBLISHES);
  const withText = writes.filter(([, { params }]) => {
    const shape = (params as { readonly shape?: JsonObject }).shape; // parameters are objects, some of them refined
    return isJsonObject(shape) && ['text', 'content', 'embed', 'files', 'name', 'description'].some((key) => key in shape);
  });
  const unread = new Set(['social.uploadMedia', 'social.getAssistantResponse', 'social.createAssistantConversation']);
  expect(withText.map(([verb]) => verb).filter((verb) => !(verb in PUBLISHES) && !unread.has(verb))).toEqual([]);
});

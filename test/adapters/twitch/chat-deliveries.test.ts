import { expect, test } from 'vitest';
import { z } from 'zod';
import { twitch } from '#adapters/twitch/index.ts';
import { createClients } from '#src/clients/clients.ts';
import { createDeliveryEngine, type DeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import { stepsThrough } from '#src/engine/delivery/steps.ts';
import { silentLog } from '#src/log.ts';
import { renderStep, type Rendered } from '#src/rules/render.ts';
import { openStore } from '#src/store/store.ts';
import type { FaultKind } from '#sandbox/faults.ts';
import { startSandbox } from '#sandbox/index.ts';
import { twitchServer } from '#sandbox/twitch/server.ts';
import { committing, creating, firing, keysOf, renderPlainly, SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { ada, catalogue, scopeOf } from '../../support/rule-language.ts';
import { signedInChannel } from '../../support/signed-in-channel.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { controlApi } from '../../support/control-api.ts';

const DO = 'streaming.sendChatMessage';
const Sent = z.object({ items: z.array(z.object({ text: z.string() })) });

/** A delivery to the chat of `ada`, and engines that work on it one after the other. */
async function openDelivery() {
  const clock = new ManualClock(SLOT_MS);
  await using stack = new AsyncDisposableStack();
  const sandbox = stack.use(await startSandbox({ platforms: [twitchServer], clock }));
  const store = stack.use(await openStore({ clock }));
  const { environment, url } = sandbox;
  const [clientId = '', clientSecret = ''] = [environment['TWITCH_CLIENT_ID'], environment['TWITCH_CLIENT_SECRET']];
  const [apiUrl, authUrl] = [environment['TWITCH_API_URL'], environment['TWITCH_AUTH_URL']];
  const tokens = await signedInChannel({ url, environment, clock });
  const message = firing([creating(['twitch'], { do: DO, with: { text: 'Hello' } })]);
  const [key = ''] = keysOf(message);
  await store.ruleStates.commit(committing([message]));
  const opened = stack.move();
  return {
    sandbox,
    clock,
    key,
    /** An engine, as after a start. */
    engine(): DeliveryEngine {
      const clients = createClients(
        { streaming: [twitch({ clientId, clientSecret, apiUrl, authUrl, tokens, clock })], social: [], discord: [] },
        clock,
      );
      const steps = stepsThrough({ clients, watch: (_, work) => work() });
      return createDeliveryEngine({
        ...steps,
        deliveries: store.deliveries,
        render: renderPlainly,
        clock,
        log: silentLog,
        random: () => 0.5,
      });
    },
    /** Works until nothing is due for ten minutes. */
    async work(engine: DeliveryEngine) {
      for (let minute = 0; minute < 10; minute++) {
        while (await whileSleeping(clock, engine.deliverNext()));
        await clock.advance(60_000);
      }
      return (await store.deliveries.find(key))?.state;
    },
    async sent() {
      return Sent.parse(await controlApi(url)('/twitch/chat')).items.map(({ text }) => text);
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

test('a message is sent once', async () => {
  await using fixture = await openDelivery();

  expect([await fixture.work(fixture.engine()), await fixture.sent()]).toEqual(['sent', ['Hello']]);
});

test.for([
  ['resetAfter', ['Hello']],
  ['brokenJson', ['Hello']],
  ['resetBefore', []],
] as const satisfies readonly (readonly [FaultKind, readonly string[]])[])(
  'after a lost response (%s) and a restart, a person decides, and the message is not sent twice',
  async ([kind, inChat]) => {
    await using fixture = await openDelivery();
    fixture.sandbox.faults.add({ platform: 'twitch', route: '/chat/messages', kind, times: 1 });
    await whileSleeping(fixture.clock, fixture.engine().deliverNext());

    const afterRestart = fixture.engine();

    expect([await fixture.work(afterRestart), await fixture.sent()]).toEqual(['unknown', inChat]);
    await afterRestart.resolve(fixture.key, inChat.length === 0 ? 'again' : 'sent');
    expect([await fixture.work(afterRestart), await fixture.sent()]).toEqual(['sent', ['Hello']]);
  },
);

test('a platform that fails before it reads the message is asked again', async () => {
  await using fixture = await openDelivery();
  fixture.sandbox.faults.add({ platform: 'twitch', route: '/chat/messages', kind: 'rateLimit', ms: 30_000, times: 1 });

  expect([await fixture.work(fixture.engine()), await fixture.sent()]).toEqual(['sent', ['Hello']]);
});

function rendered(text: string, title: string): Rendered {
  return renderStep({
    step: { do: DO, creates: true, with: { text }, as: ['twitch'], reads: [] },
    names: { watch: 'streaming.getStreams', steps: {} },
    scope: scopeOf({ ...ada, title }),
    section: 'then',
    account: 'twitch',
    results: {},
    catalogue,
  });
}

test.for([
  ['${{ item.title }}', '/ban grace', '\u2060/ban grace'],
  ['${{ item.title }}', '.ban grace', '\u2060.ban grace'],
  ['${{ item.title }}', '!drop everything', '\u2060!drop everything'],
  ['${{ item.title }}', ' \u200b /ban grace', '\u2060\u200b /ban grace'],
  ['${{ item.title }}', '\n /ban grace', '\u2060/ban grace'],
  [' ${{ item.title }} now', '/ban grace', ' \u2060/ban grace now'],
  ['${{ item.title }}', 'one\n/ban grace', 'one /ban grace'],
  ['Now: ${{ item.title }}', '/ban grace', 'Now: /ban grace'],
  ['!so ${{ item.title }}', 'grace', '!so grace'],
  ['/announce ${{ item.title }}', 'New', '/announce New'],
  ['${{ "!so " + item.title }}', 'grace', '\u2060!so grace'],
] as const)('%j with the title %j becomes %j', ([text, title, expected]) => {
  expect(rendered(text, title)).toMatchObject({ params: { text: expected } });
});

test('a text that is too long is shortened to 500 characters', () => {
  const { params } = rendered('${{ item.title }}', 'x'.repeat(600)) as { readonly params: { readonly text: string } }; // a rendered step

  expect(params.text.length).toBeLessThanOrEqual(500);
});

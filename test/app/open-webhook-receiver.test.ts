import { expect, test } from 'vitest';
import { createMeasurements } from '#src/admin/telemetry/measurements.ts';
import { openWebhookReceiver } from '#src/app/open-webhook-receiver.ts';
import type { SenderSecret } from '#src/config/webhooks.ts';
import { silentLog } from '#src/log.ts';
import { openStore } from '#src/store/store.ts';
import { committing, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { rulesOf } from '../support/rule-language.ts';

const TOKEN = '8ab3e7b1-3b1d-4a6e-9a64-6f1f4d7ad9f1';

test('answers to webhooks of running rules are counted, and names that a stranger invents are not', async () => {
  const clock = new ManualClock(SLOT_MS);
  await using store = await openStore({ clock });
  const measurements = createMeasurements({ clock });
  const running = rulesOf(
    'id: tips\nwhen: { webhook: kofi, fields: { amount: number } }\nthen: [{ do: discord.send, with: { channel: live, content: hi } }]\n',
  );
  const secret: SenderSecret = { kind: 'token', secret: TOKEN };
  const open = openWebhookReceiver({
    config: { senderSecrets: new Map([['kofi', secret]]) },
    registry: { running },
    scheduler: { run: () => Promise.resolve(committing([])) },
    store,
    measurements,
    clock,
    log: silentLog,
  });
  const receiver = await open();
  const send = (name: string, queryToken: string, body: object) =>
    receiver?.receive({ name, queryToken, header: () => undefined, body: new TextEncoder().encode(JSON.stringify(body)) });

  await send('kofi', TOKEN, { amount: 3 });
  await send('kofi', TOKEN, { amount: 'three' });
  for (const token of ['', 'wrong']) await send('kofi', token, { amount: 3 });
  for (let count = 0; count < 3; count++) await send(`invented-${count}`, TOKEN, { amount: 3 });

  expect(measurements.measured().fanfare_webhooks_total.map(({ labels, value }) => [labels, value])).toEqual([
    [{ webhook: 'kofi', answer: 'accepted' }, 1],
    [{ webhook: 'kofi', answer: 'invalidPayload' }, 1],
    [{ webhook: 'kofi', answer: 'notProven' }, 2],
  ]);
});

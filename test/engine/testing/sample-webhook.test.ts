import { expect, test } from 'vitest';
import type { Json } from '#src/clients/operation/json.ts';
import { sampleWebhook } from '#src/engine/testing/world/sample-webhook.ts';
import { fitPayload } from '#src/rules/webhook/fit-payload.ts';
import type { WebhookFields } from '#src/rules/step.ts';

const FIELDS: WebhookFields = {
  at: { type: 'time', optional: true },
  amount: { type: 'number', optional: true },
  count: { type: 'integer', optional: true },
  note: { type: 'text', optional: true },
  paid: { type: 'boolean', optional: true },
  event: { type: { fields: { at: { type: 'time', optional: true } } }, optional: true },
  times: { type: { list: 'time' }, optional: true },
};

test.for<[field: string, value: Json]>([
  ['at', '2026-11-20T18:00:00Z'],
  ['at', '2026-11-20T18:00'],
  ['at', '2026-11-20'],
  ['amount', '3.00'],
  ['amount', '3,00'],
  ['count', 12.5],
  ['count', '12'],
  ['note', 1.5],
  ['note', 42],
  ['paid', 'true'],
  ['paid', 'yes'],
  ['event', { at: '2026-11-20T18:00:00Z' }],
  ['event', { at: '2026-11-20T18:00:00' }],
  ['event', 'x'],
  ['times', ['2026-11-20T18:00:00Z']],
  ['times', ['2026-11-20T18:00:00Z', '2026-11-20']],
])('a test refuses the payloads that the endpoint refuses: %s: %j', ([field, value]) => {
  const errors: string[] = [];
  const fitted = fitPayload(FIELDS, { [field]: value });
  const { item } = sampleWebhook(
    { name: 'x', fields: FIELDS, maxBytes: 1_000 },
    { [field]: value },
    {
      atMs: Date.parse('2026-11-20T18:00:00Z'),
      reportError: (message) => void errors.push(message),
    },
  );

  expect(errors).toHaveLength('faults' in fitted ? 1 : 0);
  expect(item).toMatchObject('item' in fitted ? fitted.item : {});
});

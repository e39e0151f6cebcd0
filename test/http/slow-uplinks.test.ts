import { setTimeout as sleep } from 'node:timers/promises';
import { FormData } from 'undici';
import { test } from 'vitest';
import { httpClient, type HttpRequest } from '#src/http/client.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { scriptHttp } from '../support/script-http.ts';

const TIMEOUT_MS = 100;
/** Longer than undici waits with this limit: its timers are up to a second late. */
const LATE_MS = 2_500;
/** At 0.5 Mbit/s, these bytes take eight seconds. */
const BYTES = 500_000;

function formOf(content: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  form.set('description', 'a picture');
  form.set('file', new Blob([content]), 'a.png');
  return form;
}

test.concurrent.for([
  ['bytes', { body: new Uint8Array(BYTES) }],
  ['a text', { body: 'a'.repeat(BYTES) }],
  ['JSON', { json: { text: 'a'.repeat(BYTES) } }],
  ['a file in a form', { body: formOf(new Uint8Array(BYTES)) }],
] as const satisfies readonly (readonly [string, Partial<HttpRequest>])[])(
  'a request with many bytes may take longer: %s',
  async ([, content], { expect }) => {
    await using server = await scriptHttp([['POST /files', { json: {}, after: sleep(LATE_MS) }]]);
    await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock: new ManualClock(), timeoutMs: TIMEOUT_MS });

    const { status } = await client.request({ method: 'POST', path: '/files', ...content });

    expect(status).toBe(200);
  },
);

test.concurrent.for([
  ['no body', {}],
  ['a short text', { body: 'a' }],
  ['a short form', { body: formOf(new Uint8Array(1)) }],
] as const satisfies readonly (readonly [string, Partial<HttpRequest>])[])(
  'a request with few bytes fails after the usual time: %s',
  async ([, content], { expect }) => {
    const stop = new AbortController();
    await using server = await scriptHttp([
      ['POST /files', { json: {}, after: sleep(60_000, undefined, { signal: stop.signal }).catch(() => undefined) }],
    ]);
    await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock: new ManualClock(), timeoutMs: TIMEOUT_MS });

    const sent = client.request({ method: 'POST', path: '/files', ...content });

    await expect(sent).rejects.toMatchObject({ fault: 'unanswered' });
    stop.abort();
  },
);

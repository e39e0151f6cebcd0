import { expect, test } from 'vitest';
import { withSafeBody } from '#src/http/safe-body.ts';

/** An answer whose body has a piece each 5 ms, and never ends. */
function endless(status: number) {
  async function* body(): AsyncGenerator<Uint8Array> {
    for (;;) {
      yield Buffer.from(' ');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  return { status, body: body(), arrayBuffer: async () => new ArrayBuffer(0), json: async (): Promise<unknown> => ({}) };
}

test('a body that comes too slowly ends with an error', async () => {
  const { json, arrayBuffer } = await withSafeBody(endless(200), { mostMs: 50 });

  await expect(json()).rejects.toThrow('longer than 50 ms');
  await expect(arrayBuffer()).resolves.toHaveProperty('byteLength', 0);
});

test('a failure whose body never ends is still an answer', async () => {
  expect(await withSafeBody(endless(500), { mostMs: 50 })).toMatchObject({ status: 500 });
});
